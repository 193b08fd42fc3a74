/** What a collective can carry, and how vectors are cut. The codes are those of the protocols. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommArray } from "@cobre/comm";
import {
  ARRAY_TYPES,
  arrayTypeOf,
  arrayTypeOfConstructor,
  blockStart,
  copyElements,
  REDUCE_OPS,
} from "#internal";
import { bytesOf } from "./bits.js";

const TYPES = Object.values(ARRAY_TYPES);

describe("array types", () => {
  it("have the codes of the protocols", () => {
    const names = "Float64 Float32 Int8 Int16 Int32 Uint8 Uint16 Uint32 BigInt64 BigUint64";
    assert.deepEqual(
      TYPES.map(({ name, code }) => [code, name]),
      names.split(" ").map((name, i) => [i + 1, `${name}Array`]),
    );
    assert.deepEqual(REDUCE_OPS, { sum: 1, min: 2, max: 3 });
  });

  it("are told from arrays, of whatever class, and from constructors", () => {
    for (const type of TYPES) {
      const array = new type.constructorFunction(3);
      assert.equal(arrayTypeOf(array), type);
      assert.equal(arrayTypeOfConstructor(type.constructorFunction), type);
      assert.equal(array.byteLength, 3 * type.bytesPerElement);
    }
    assert.equal(arrayTypeOf(Buffer.alloc(1)), ARRAY_TYPES.Uint8Array);
  });

  it("are not told from anything else", () => {
    for (const value of [new DataView(new ArrayBuffer(8)), new Uint8ClampedArray(1), [1], {}, 7])
      assert.equal(arrayTypeOf(value), undefined);
    for (const value of [null, undefined, "Float64Array"])
      assert.equal(arrayTypeOf(value), undefined);
    for (const value of [DataView, Uint8ClampedArray, Array, "Float64Array", undefined])
      assert.equal(arrayTypeOfConstructor(value), undefined);
  });
});

describe("copying elements", () => {
  it("copies as many as asked, from where to where, and no neighbour", () => {
    const from = Int16Array.of(1, 2, 3, 4, 5);
    const copied = (fromAt: number, toAt: number, count: number) => {
      const to = new Int16Array(7);
      copyElements(from, fromAt, to, toAt, count);
      return [...to];
    };
    assert.deepEqual(copied(0, 0, 5), [1, 2, 3, 4, 5, 0, 0]);
    assert.deepEqual(copied(0, 1, 5), [0, 1, 2, 3, 4, 5, 0]);
    assert.deepEqual(copied(0, 2, 2), [0, 0, 1, 2, 0, 0, 0]);
    assert.deepEqual(copied(3, 0, 2), [4, 5, 0, 0, 0, 0, 0]);
    assert.deepEqual(copied(1, 6, 1), [0, 0, 0, 0, 0, 0, 2]);
    assert.deepEqual(copied(2, 3, 0), [0, 0, 0, 0, 0, 0, 0]);
  });

  it("keeps the payloads of NaNs", () => {
    const from: CommArray = new Float64Array(2);
    new BigUint64Array(from.buffer).set([0x7ff0000000000001n, 0xfff4dead00000001n]);
    const to = new Float64Array(2);
    copyElements(from, 0, to, 0, 2);
    assert.deepEqual(bytesOf(to), bytesOf(from));
  });
});

describe("blocks of a vector", () => {
  it("begin at multiples of 64 bytes and cover it, in equal numbers of cache lines", () => {
    for (const type of TYPES) {
      const grain = 64 / type.bytesPerElement;
      for (const n of [1, grain - 1, grain, grain + 1, 5 * grain, 7 * grain + 1, 1000])
        for (const blocks of [1, 2, 3, 8]) {
          const starts = Array.from({ length: blocks + 1 }, (_, b) =>
            blockStart(type, b, blocks, n),
          );
          const grains = Math.ceil(n / grain);
          const expected = starts.map((_, b) =>
            Math.min(n, Math.floor((grains * b) / blocks) * grain),
          );
          assert.deepEqual(starts, expected);
          assert.deepEqual([starts[0], starts[blocks]], [0, n]);
        }
    }
  });

  it("are those of the documented example: 20 float64 among 3 ranks", () => {
    const starts = [0, 1, 2, 3].map((b) => blockStart(ARRAY_TYPES.Float64Array, b, 3, 20));
    assert.deepEqual(starts, [0, 8, 16, 20]);
  });
});
