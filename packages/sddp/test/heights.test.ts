/** The heights of cuts: by the kernel and without it the same bits as a plain sum. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool } from "@cobre/sddp";
import { HeightKernel } from "#internal";

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
  });
});
