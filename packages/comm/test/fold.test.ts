import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommArray, ReduceOp } from "@cobre/comm";
import { ARRAY_TYPES, type ArrayType, fold, foldInKernel, foldInLoop } from "#internal";
import { bytesOf, randomBits, SPECIAL64 } from "./bits.js";
import { Random } from "./random.js";

const OPS: readonly ReduceOp[] = ["sum", "min", "max"];
const TYPES = Object.values(ARRAY_TYPES);

/**
 * The rule once more, in another way: one element at a time, through DataView, with the NaN written
 * as bits. What the loops and the kernel give must be this, byte for byte.
 */
function referenceFold(type: ArrayType, operands: readonly CommArray[], op: ReduceOp): Uint8Array {
  const size = type.bytesPerElement;
  const out = bytesOf(operands[0] as CommArray).slice();
  const result = new DataView(out.buffer);
  for (const operand of operands.slice(1)) {
    const next = new DataView(operand.buffer, operand.byteOffset, operand.byteLength);
    for (let at = 0; at < out.length; at += size) {
      referenceStep(type, result, next, at, op);
    }
  }
  return out;
}

function referenceStep(type: ArrayType, acc: DataView, x: DataView, at: number, op: ReduceOp) {
  if (type.name === "Float64Array") {
    const r = referenceFloat(acc.getFloat64(at, true), x.getFloat64(at, true), op);
    if (Number.isNaN(r)) acc.setBigUint64(at, 0x7ff8000000000000n, true);
    else acc.setFloat64(at, r, true);
  } else if (type.name === "Float32Array") {
    const r = referenceFloat(acc.getFloat32(at, true), x.getFloat32(at, true), op);
    if (Number.isNaN(r)) acc.setUint32(at, 0x7fc00000, true);
    else acc.setFloat32(at, r, true);
  } else {
    const bits = type.bytesPerElement * 8;
    const signed = type.name.startsWith("Int") || type.name === "BigInt64Array";
    const wrap = signed ? BigInt.asIntN : BigInt.asUintN;
    const a = wrap(bits, readBits(acc, at, bits));
    const b = wrap(bits, readBits(x, at, bits));
    const r = op === "sum" ? a + b : (op === "min") === a < b ? a : b;
    writeBits(acc, at, bits, BigInt.asUintN(bits, r));
  }
}

function referenceFloat(a: number, b: number, op: ReduceOp): number {
  if (op === "sum") return a + b;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  if (a === 0 && b === 0) {
    const negative = Object.is(a, -0) || Object.is(b, -0);
    const positive = Object.is(a, 0) || Object.is(b, 0);
    if (op === "min") return negative ? -0 : 0;
    return positive ? 0 : -0;
  }
  return (op === "min") === a < b ? a : b;
}

function readBits(view: DataView, at: number, bits: number): bigint {
  let value = 0n;
  for (let i = bits / 8 - 1; i >= 0; i--) value = (value << 8n) | BigInt(view.getUint8(at + i));
  return value;
}

function writeBits(view: DataView, at: number, bits: number, value: bigint): void {
  for (let i = 0; i < bits / 8; i++) {
    view.setUint8(at + i, Number((value >> BigInt(8 * i)) & 0xffn));
  }
}

describe("the rank-ordered fold", () => {
  for (const type of TYPES) {
    for (const op of OPS) {
      it(`${op} of ${type.name}: loop and kernel give the bytes of the rule`, () => {
        const random = new Random(type.code * 10 + op.length + op.charCodeAt(0));
        for (const ranks of [2, 3, 7]) {
          for (const length of [1, 2, 3, 5, 8, 15, 16, 17, 63, 64, 65, 127, 1000, 1024, 1025]) {
            const operands = Array.from({ length: ranks }, () => randomBits(type, length, random));
            const expected = referenceFold(type, operands, op);
            for (const way of [foldInLoop, foldInKernel]) {
              const out = new type.constructorFunction(length);
              way(type, operands, out, op);
              assert.deepEqual(bytesOf(out), expected, `${way.name}, ${ranks}×${length}`);
            }
          }
        }
      });
    }
  }

  it("a long vector crosses several chunks, at odd offsets, and leaves its neighbours alone", () => {
    const random = new Random(7);
    const length = 5_003;
    const operands = [1, 2, 3].map(() => {
      const whole = randomBits(ARRAY_TYPES.Float64Array, length + 3, random) as Float64Array;
      return whole.subarray(1, 1 + length);
    });
    const whole = new Float64Array(length + 3).fill(42);
    const out = whole.subarray(2, 2 + length);
    fold(operands, out, "sum");
    assert.deepEqual(bytesOf(out), referenceFold(ARRAY_TYPES.Float64Array, operands, "sum"));
    assert.deepEqual([whole[0], whole[1], whole[length + 2]], [42, 42, 42]);
  });

  it("out may be an operand", () => {
    for (const length of [4, 4000]) {
      const random = new Random(length);
      const operands = [1, 2, 3].map(
        () => randomBits(ARRAY_TYPES.Float32Array, length, random) as Float32Array,
      );
      const expected = referenceFold(ARRAY_TYPES.Float32Array, operands, "max");
      fold(operands, operands[0] as Float32Array, "max");
      assert.deepEqual(bytesOf(operands[0] as Float32Array), expected);
    }
  });

  it("one operand is copied as bytes, signalling NaNs included", () => {
    const send = new Float64Array(2);
    new BigUint64Array(send.buffer).set([0x7ff0000000000001n, 0xfff4dead00000001n]);
    const out = new Float64Array(2);
    fold([send], out, "sum");
    assert.deepEqual(bytesOf(out), bytesOf(send));
  });

  it("NaN bytes do not change when the loop is optimised", () => {
    // V8 changed payloads after 11,426 calls when the rule was not applied.
    const a = new Float64Array(4);
    const b = new Float64Array(4);
    new BigUint64Array(a.buffer).set(SPECIAL64.slice(0, 4));
    new BigUint64Array(b.buffer).set(SPECIAL64.slice(1, 5));
    const out = new Float64Array(4);
    const bits = new BigUint64Array(out.buffer);
    for (let call = 0; call < 200_000; call++) {
      fold([a, b], out, OPS[call % 3] as ReduceOp);
      if (bits.some((word) => word !== 0x7ff8000000000000n)) {
        assert.fail(`call ${call}: ${Array.from(bits, (word) => word.toString(16))}`);
      }
    }
  });

  it("float32 rounds at each step", () => {
    // In float64 the sum would be 16777218; rounded at each step each 1 is lost.
    const operands = [16777216, 1, 1].map((value) => Float32Array.of(value));
    const out = new Float32Array(1);
    fold(operands, out, "sum");
    assert.equal(out[0], 16777216);
  });
});
