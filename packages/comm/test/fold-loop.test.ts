/** The plain loops fold parts of arrays, which backends choose by offsets, and touch nothing beside them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ARRAY_TYPES, FoldScratch, foldLoop } from "#internal";

const OPS = { sum: [15, 18], min: [5, 6], max: [10, 12] } as const;

describe("a part of arrays", () => {
  for (const type of Object.values(ARRAY_TYPES))
    for (const [op, expected] of Object.entries(OPS))
      it(`is folded where the offsets say, and nowhere else: ${op} of ${type.name}`, () => {
        const of = (...values: number[]) => {
          const array = new type.constructorFunction(values.length);
          values.forEach((value, i) => {
            array[i] = type.name.startsWith("Big") ? BigInt(value) : value;
          });
          return array;
        };
        const out = of(90, 91, 92, 93, 94);
        const loop = foldLoop(type, op as keyof typeof OPS);
        loop(out, 2, of(70, 5, 12, 71), 1, of(80, 81, 82, 10, 6, 83), 3, 2);
        assert.deepEqual(out, of(90, 91, ...expected, 94));
      });
});

describe("the memory of the SIMD kernels", () => {
  it("has whole pages, and every view of it is of all its bytes", () => {
    for (const [bytes, pages] of [
      [1, 1],
      [65_536, 1],
      [65_537, 2],
    ] as const) {
      const scratch = new FoldScratch(bytes);
      assert.equal(scratch.bytes.length, pages * 65_536);
      const view = scratch.view(ARRAY_TYPES.Float64Array);
      assert.equal(view.length * 8, scratch.bytes.length);
      view.set([1.5, 2.5] as never);
      scratch.kernel(ARRAY_TYPES.Float64Array, "sum")(0, 0, 8, 1);
      assert.deepEqual(new Float64Array(scratch.bytes.buffer, 0, 2), Float64Array.of(4, 2.5));
    }
  });
});
