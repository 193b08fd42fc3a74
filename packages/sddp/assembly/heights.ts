/**
 * The heights of cuts at a state (AssemblyScript, compiled to WebAssembly SIMD by scripts/assembly.mjs). Each sum has the order of
 * src/cuts/cut-pool.ts, so it has the same bits as in JavaScript: the two lanes of a vector are two cuts.
 */

/**
 * Writes `start + coefficients · values` of each cut and returns the highest, or minus infinity.
 *
 * @param start what the sum of the first cut begins with; that of the next cut is `step` bytes after it
 * @param coefficients those of the first cut; those of the next cut are `width` bytes after them
 * @param end where the values end
 * @param heights where the results go; they may take the place of what the sums begin with
 */
export function addTerms(
  start: usize,
  step: usize,
  coefficients: usize,
  width: usize,
  count: i32,
  values: usize,
  end: usize,
  heights: usize,
): f64 {
  // What is not a number never becomes the highest.
  let highest = f64x2.splat(-Infinity);
  // Eight cuts at a time: each sum waits for its own last addition only.
  for (; count >= 8; count -= 8) {
    let at = coefficients;
    let height0 = pair(start, step, 0);
    let height1 = pair(start, step, 2);
    let height2 = pair(start, step, 4);
    let height3 = pair(start, step, 6);
    for (let component = values; component < end; component += 8) {
      const value = v128.load64_splat(component);
      height0 = f64x2.add(height0, f64x2.mul(pair(at, width, 0), value));
      height1 = f64x2.add(height1, f64x2.mul(pair(at, width, 2), value));
      height2 = f64x2.add(height2, f64x2.mul(pair(at, width, 4), value));
      height3 = f64x2.add(height3, f64x2.mul(pair(at, width, 6), value));
      at += 8;
    }
    v128.store(heights, height0);
    v128.store(heights, height1, 16);
    v128.store(heights, height2, 32);
    v128.store(heights, height3, 48);
    highest = f64x2.pmax(highest, height0);
    highest = f64x2.pmax(highest, height1);
    highest = f64x2.pmax(highest, height2);
    highest = f64x2.pmax(highest, height3);
    start += 8 * step;
    coefficients += 8 * width;
    heights += 64;
  }
  let highestOfAll = highestLane(highest);
  for (; count > 0; count--) {
    let at = coefficients;
    let height = load<f64>(start);
    for (let component = values; component < end; component += 8) {
      height += load<f64>(at) * load<f64>(component);
      at += 8;
    }
    store<f64>(heights, height);
    if (height > highestOfAll) highestOfAll = height;
    start += step;
    coefficients += width;
    heights += 8;
  }
  return highestOfAll;
}

/** A number of cut `first`, counted from the one at `at`, and the same number of the cut after it. */
@inline
function pair(at: usize, width: usize, first: usize): v128 {
  const from = at + first * width;
  return v128.load64_lane(from + width, v128.load64_zero(from), 1);
}

@inline
function highestLane(v: v128): f64 {
  const first = f64x2.extract_lane(v, 0);
  const second = f64x2.extract_lane(v, 1);
  return second > first ? second : first;
}
