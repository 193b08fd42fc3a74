/** The heights of cuts: by the kernel and without it the same bits as a plain sum. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool } from "@cobre/sddp";
import { HeightKernel, HeightsInParts } from "#internal";

/** Numbers of many sizes, so that sums in another order have other bits. */
function number(i: number): number {
  return Math.sin(i * 12.9898) * 10 ** ((i % 7) - 3);
}

function grow(pool: CutPool, to: number): void {
  const { dimension } = pool;
  for (let i = pool.count; i < to; i++) {
    const coefficients = Float64Array.from({ length: dimension }, (_, k) =>
      number(31 * i + k + dimension),
    );
    pool.add(i, 0, number(i), coefficients);
  }
}

/** Asks the pool at a state that begins at an offset, and compares. */
function check(pool: CutPool, first: number, what: string): void {
  const offset = 3;
  const states = Float64Array.from({ length: offset + pool.dimension }, (_, i) => number(7 * i));
  const expected: number[] = [];
  for (let slot = first; slot < pool.count; slot++) {
    let height = pool.intercept(slot);
    for (let k = 0; k < pool.dimension; k++) {
      height += pool.coefficient(slot, k) * (states[offset + k] ?? Number.NaN);
    }
    expected.push(height);
  }
  const heights = new Float64Array(expected.length + 1).fill(-1);
  const highest = pool.heights(first, states, offset, heights);
  assert.deepEqual([...heights], [...expected, -1], what);
  assert.equal(highest, Math.max(...expected), what);
  const middle = Math.floor(pool.dimension / 3);
  const sums = new Float64Array(expected.length);
  pool.addTerms({ first, from: 0, to: middle, states, offset }, sums);
  const rest = { first, sums, from: middle, to: pool.dimension, states, offset };
  assert.equal(pool.addTerms(rest, heights.fill(-1)), highest, `${what}, in two pieces`);
  assert.deepEqual([...heights], [...expected, -1], `${what}, in two pieces`);
}

function checkAll(): void {
  for (const dimension of [0, 1, 2, 7, 8, 300]) {
    const pool = new CutPool(dimension);
    for (const count of [0, 1, 2, 7, 8, 9, 15, 16, 17, 40, 1000]) {
      grow(pool, count);
      for (const first of [0, 1, 5, count - 1, count]) {
        if (first < 0 || first > count) continue;
        check(pool, first, `${count} cuts of dimension ${dimension} from ${first} on`);
      }
    }
  }
}

describe("the heights of cuts", () => {
  it("are plain sums, to the last bit", () => {
    checkAll();
  });

  it("are the same without room for the kernel", (t) => {
    const reserve = t.mock.method(HeightKernel.prototype, "reserve", () => undefined);
    checkAll();
    assert.ok(reserve.mock.callCount() > 100);
  });

  it("are those of the pool that is asked, whichever was asked before", () => {
    const [one, two] = [new CutPool(4), new CutPool(4)];
    grow(one, 20);
    grow(two, 3);
    two.add(9, 9, 5, Float64Array.of(1, 2, 3, 4));
    for (const pool of [one, two, one, two, two]) check(pool, 0, `${pool.count} cuts`);
    grow(two, 20);
    for (const pool of [one, two]) check(pool, 0, `${pool.count} cuts`);
  });

  it("have a highest one, be some of them no numbers", () => {
    const pool = new CutPool(1);
    for (let i = 0; i < 20; i++) pool.add(1, i, i % 3 === 0 ? Number.NaN : -i, Float64Array.of(1));
    assert.equal(pool.heights(0, Float64Array.of(0), 0, new Float64Array(20)), -1);
  });

  it("need a memory that there can be", () => {
    const kernel = new HeightKernel();
    assert.equal(kernel.reserve(1, 2 ** 20, 2 ** 10), undefined);
    assert.equal(kernel.holds(1, 2 ** 20), false);
    assert.equal(kernel.reserve(1, 2, 3)?.length, 8);
    assert.equal(kernel.holds(1, 2), true);
    assert.equal(kernel.reserve(1, 1000, 300)?.length, 301_000, "more than before");
    const { byteLength } = kernel.reserve(1, 4, 3)?.buffer ?? assert.fail();
    assert.ok(byteLength < 2 ** 22, `${byteLength} bytes for 2.4 million`);
  });
});

describe("heights in parts", () => {
  const DIMENSION = 90;
  /** Components 0 to 9 and 40 to 49 are not known, 10 to 39 are the state's, 50 to 89 the opening's. */
  const isMovable = (i: number) => i < 10 || (i >= 40 && i < 50);
  const isOfState = (i: number) => i >= 10 && i < 40;
  const components = Int32Array.from({ length: DIMENSION }, (_, i) => i);
  const columns = {
    theta: DIMENSION,
    outgoing: components,
    outgoingKnown: components.map((i) => (isMovable(i) ? -1 : i)),
    stateKnown: components.filter(isOfState),
  };

  function filled(count: number): CutPool {
    const pool = new CutPool(DIMENSION);
    grow(pool, count);
    return pool;
  }

  it("are the heights, whatever was asked before", (t) => {
    const pool = filled(30);
    const parts = new HeightsInParts(columns);
    const state = Float64Array.from({ length: DIMENSION }, (_, i) => number(i));
    const ask = (by: HeightsInParts) => {
      const heights = new Float64Array(pool.count);
      return { highest: by.compute(pool, state, heights), heights };
    };
    const added = t.mock.method(CutPool.prototype, "addTerms");
    const change = (which: (i: number) => boolean, runs: number) => {
      for (let i = 0; i < DIMENSION; i++) if (which(i)) state[i] += number(i + runs);
      added.mock.resetCalls();
      const found = ask(parts);
      assert.equal(added.mock.callCount(), runs);
      assert.deepEqual(found, ask(new HeightsInParts(columns)));
      const whole = new Float64Array(pool.count);
      const highest = pool.heights(0, state, 0, whole);
      assert.ok(Math.abs(found.highest - highest) < 1e-9 * Math.abs(highest));
    };
    change(() => true, 4);
    change(isMovable, 2);
    change((i) => i === 89, 3);
    change((i) => i === 10, 4);
    grow(pool, 31);
    change(() => false, 4);
    change(() => false, 2);
  });

  it("are asked for as a whole where little is known, and where nothing moves", () => {
    const pool = filled(20);
    const state = Float64Array.from({ length: DIMENSION }, (_, i) => number(i));
    const whole = new Float64Array(20);
    const highest = pool.heights(0, state, 0, whole);
    const few = { ...columns, outgoingKnown: components.map((i) => (i < 63 ? i : -1)) };
    const heights = new Float64Array(20);
    assert.equal(new HeightsInParts(few).compute(pool, state, heights), highest);
    assert.deepEqual(heights, whole);
    const all = { ...columns, outgoingKnown: components, stateKnown: components };
    assert.equal(new HeightsInParts(all).compute(pool, state, heights), highest);
    assert.deepEqual(heights, whole);
  });
});
