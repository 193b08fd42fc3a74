import assert from "node:assert/strict";
import type { CommArray } from "@cobre/comm";
import type { ArrayType } from "#internal";
import { Random } from "./random.js";

/** Bits that matter more often than chance gives them: NaNs of all kinds, zeros, infinities, limits. */
export const SPECIAL64 = [
  0x7ff8000000000000n, // canonical NaN
  0xfff8000000000000n, // the NaN that x86 makes
  0x7ff0000000000001n, // signalling
  0xfff4dead00000001n,
  0x7ffcafebabe12345n,
  0x0000000000000000n,
  0x8000000000000000n,
  0x7ff0000000000000n,
  0xfff0000000000000n,
  0x0000000000000001n, // smallest denormal
  0x7fefffffffffffffn,
  0xffffffffffffffffn,
];

const SPECIAL64_HALVES = new Uint32Array(BigUint64Array.from(SPECIAL64).buffer);

const SPECIAL32 = [
  0x7fc00000, 0xffc00000, 0x7f800001, 0xffa0dead, 0, 0x80000000, 0x7f800000, 0xff800000, 1,
  0x7f7fffff, 0xffffffff,
];

/** The bytes of an array, without a copy. */
export function bytesOf(array: CommArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Like `deepEqual` on bytes, but quick where they are equal. */
export function assertSameBytes(actual: Uint8Array, expected: Uint8Array, message: string): void {
  if (Buffer.compare(actual, expected) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== actual[i]);
  const show = (bytes: Uint8Array) => Buffer.from(bytes.subarray(at, at + 16)).toString("hex");
  assert.equal(actual.length, expected.length, message);
  assert.fail(`${message}: from byte ${at} on ${show(actual)} instead of ${show(expected)}`);
}

/** An array of random bits, a third of them special. */
export function randomBits(type: ArrayType, length: number, random: Random): CommArray {
  const array = new type.constructorFunction(length);
  random.fill(bytesOf(array));
  if (type.bytesPerElement === 8) {
    // Halves of words: to make numbers of 64 bits takes ten times as long.
    const halves = new Uint32Array(array.buffer);
    for (let i = 0; i < length; i++) {
      if (random.below(3) !== 0) continue;
      const special = 2 * random.below(SPECIAL64.length);
      halves[2 * i] = SPECIAL64_HALVES[special] as number;
      halves[2 * i + 1] = SPECIAL64_HALVES[special + 1] as number;
    }
  } else if (type.bytesPerElement === 4) {
    const words = new Uint32Array(array.buffer);
    for (let i = 0; i < length; i++) if (random.below(3) === 0) words[i] = random.pick(SPECIAL32);
  }
  return array;
}

/**
 * After so many elements a contribution repeats itself, for to draw millions takes longer than to send them. It is a prime: no piece of a
 * message has a multiple of this length, so whatever lands in a wrong place is still found.
 */
const PERIOD = 65_521;

/** What `rank` contributes to the step called `seed`; every rank can work out any other's input. */
export function contribution(
  type: ArrayType,
  length: number,
  seed: number,
  rank: number,
): CommArray {
  const random = new Random(Math.imul(seed, 0x01000193) ^ (rank * 0x9e3779b1));
  if (length <= PERIOD) return randomBits(type, length, random);
  const array = new type.constructorFunction(length);
  const bytes = bytesOf(array);
  const first = bytesOf(randomBits(type, PERIOD, random));
  for (let at = 0; at < bytes.length; at += first.length) {
    bytes.set(first.subarray(0, bytes.length - at), at);
  }
  return array;
}
