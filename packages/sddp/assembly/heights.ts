/**
 * The heights of cuts at a state (AssemblyScript, compiled to WebAssembly SIMD by scripts/assembly.mjs). Each sum has the order of
 * src/cuts/cut-pool.ts, so it has the same bits as in JavaScript: the two lanes of a vector are two cuts.
 */

/**
 * Writes `intercept + coefficients · state` of each cut and returns the highest, or minus infinity.
 *
 * @param cuts the intercept and the coefficients of each cut, cut after cut
 */
export function heights(cuts: usize, count: i32, dimension: i32, state: usize, heights: usize): f64 {
  const width = <usize>(dimension + 1) << 3;
  const end = state + (<usize>dimension << 3);
  // What is not a number never becomes the highest.
  let highest = f64x2.splat(-Infinity);
  // Eight cuts at a time: each sum waits for its own last addition only.
  for (; count >= 8; count -= 8) {
    let at = cuts;
    let height0 = pair(at, width, 0);
    let height1 = pair(at, width, 2);
    let height2 = pair(at, width, 4);
    let height3 = pair(at, width, 6);
    for (let component = state; component < end; component += 8) {
      at += 8;
      const value = v128.load64_splat(component);
      height0 = f64x2.add(height0, f64x2.mul(pair(at, width, 0), value));
      height1 = f64x2.add(height1, f64x2.mul(pair(at, width, 2), value));
      height2 = f64x2.add(height2, f64x2.mul(pair(at, width, 4), value));
      height3 = f64x2.add(height3, f64x2.mul(pair(at, width, 6), value));
    }
    v128.store(heights, height0);
    v128.store(heights, height1, 16);
    v128.store(heights, height2, 32);
    v128.store(heights, height3, 48);
    highest = f64x2.pmax(highest, height0);
    highest = f64x2.pmax(highest, height1);
    highest = f64x2.pmax(highest, height2);
    highest = f64x2.pmax(highest, height3);
    cuts += 8 * width;
    heights += 64;
  }
  let highestOfAll = highestLane(highest);
  for (; count > 0; count--) {
    let at = cuts;
    let height = load<f64>(at);
    for (let component = state; component < end; component += 8) {
      at += 8;
      height += load<f64>(at) * load<f64>(component);
    }
    store<f64>(heights, height);
    if (height > highestOfAll) highestOfAll = height;
    cuts += width;
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
