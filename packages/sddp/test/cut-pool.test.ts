import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool } from "@cobre/sddp";

/** Cut `i` of the tests: every number in it is another one. */
function numbersOf(i: number, dimension: number) {
  return {
    iteration: 10 + i,
    pass: 500 + i,
    intercept: 1000 * i + 0.5,
    coefficients: Float64Array.from({ length: dimension }, (_, at) => 1000 * i + at + 1),
  };
}

function filled(pool: CutPool, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const { iteration, pass, intercept, coefficients } = numbersOf(i, pool.dimension);
    assert.equal(pool.add(iteration, pass, intercept, coefficients), i);
  }
}

function assertHolds(pool: CutPool, count: number): void {
  assert.equal(pool.count, count);
  for (let i = 0; i < count; i++) {
    const { iteration, pass, intercept, coefficients } = numbersOf(i, pool.dimension);
    assert.equal(pool.iteration(i), iteration);
    assert.equal(pool.forwardPass(i), pass);
    assert.equal(pool.intercept(i), intercept);
    coefficients.forEach((value, at) => {
      assert.equal(pool.coefficient(i, at), value, `coefficient ${at} of cut ${i}`);
    });
  }
}

describe("a cut pool", () => {
  // With many coefficients the pieces stop growing, from the first one on or later.
  for (const dimension of [0, 1, 3, 3000, 9000]) {
    it(`of dimension ${dimension} keeps every cut while it grows`, () => {
      const pool = new CutPool(dimension);
      for (const [from, to] of [
        [0, 1],
        [1, 16],
        [16, 17],
        [17, 48],
        [48, 49],
        [49, 200],
      ] as const) {
        filled(pool, from, to);
        assertHolds(pool, to);
      }
    });
  }

  it("is read in any order", () => {
    const pool = new CutPool(1);
    filled(pool, 0, 200);
    for (const slot of [199, 0, 100, 15, 16, 47, 48, 0]) {
      assert.equal(pool.coefficient(slot, 0), 1000 * slot + 1);
      assert.equal(pool.intercept(slot), 1000 * slot + 0.5);
    }
  });

  it("takes room for as many cuts as it may need soon, and no more", () => {
    const rooms: number[] = [];
    const memory = {
      isWriter: true,
      allocate: (length: number) => {
        rooms.push(length);
        return new Float64Array(length);
      },
    };
    filled(new CutPool(1, memory), 0, 113);
    assert.deepEqual(rooms, [2 * 16, 2 * 32, 2 * 64, 2 * 128]);
    rooms.length = 0;
    filled(new CutPool(4095, memory), 0, 65);
    assert.deepEqual(rooms, [4096 * 16, 4096 * 32, 4096 * 32]);
    rooms.length = 0;
    filled(new CutPool(2999, memory), 0, 49); // 2^17 / 3000 is 43.7
    assert.deepEqual(rooms, [3000 * 16, 3000 * 32, 3000 * 43]);
    rooms.length = 0;
    filled(new CutPool(20_000, memory), 0, 17);
    assert.deepEqual(rooms, [20_001 * 16, 20_001 * 16]);
  });

  it("is the same where another rank writes the numbers", () => {
    const rooms: Float64Array[] = [];
    const allocate = (length: number) => {
      rooms.push(new Float64Array(length));
      return rooms[rooms.length - 1];
    };
    const writer = new CutPool(2, { isWriter: true, allocate });
    const reader = new CutPool(2, {
      isWriter: false,
      allocate: (length) => {
        const room = rooms.shift() ?? new Float64Array(0);
        assert.equal(room.length, length);
        return room;
      },
    });
    filled(writer, 0, 20);
    for (let i = 0; i < 20; i++) {
      const { iteration, pass } = numbersOf(i, 2);
      if (i % 2 === 0) assert.equal(reader.addUnwritten(iteration, pass), i);
      else assert.equal(reader.add(iteration, pass, Number.NaN, Float64Array.of(-1, -1)), i);
    }
    assertHolds(reader, 20);
    assert.deepEqual(reader.packedValues(), writer.packedValues());
  });

  it("starts empty", () => {
    const pool = new CutPool(2);
    assert.equal(pool.count, 0);
    assert.equal(pool.packedValues().length, 0);
    assert.equal(pool.packedOrigins().length, 0);
  });

  it("packs its cuts one after the other, and nothing else", () => {
    const pool = new CutPool(2);
    filled(pool, 0, 2);
    assert.deepEqual([...pool.packedValues()], [0.5, 1, 2, 1000.5, 1001, 1002]);
    assert.deepEqual([...pool.packedOrigins()], [10, 500, 11, 501]);
  });

  it("packs a cut that is alone, be it in the pool or in its piece", () => {
    for (const count of [1, 17]) {
      const pool = new CutPool(2);
      filled(pool, 0, count);
      const again = CutPool.from(2, pool.packedValues(), pool.packedOrigins());
      assertHolds(again, count);
    }
  });

  it("is the same after packing, and can grow on", () => {
    for (const dimension of [0, 3]) {
      const pool = new CutPool(dimension);
      filled(pool, 0, 70);
      const again = CutPool.from(dimension, pool.packedValues(), pool.packedOrigins());
      assertHolds(again, 70);
      filled(again, 70, 150);
      assertHolds(again, 150);
      assertHolds(pool, 70);
    }
  });

  it("does not share its numbers with the pool it was made from", () => {
    const pool = new CutPool(1);
    filled(pool, 0, 2);
    const [values, origins] = [pool.packedValues(), pool.packedOrigins()];
    const again = CutPool.from(1, values, origins);
    values.fill(-1);
    origins.fill(-1);
    assertHolds(again, 2);
  });
});
