/** Calls as words, and their hash, as docs/wire-protocol.md and docs/shm-protocol.md define them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ARRAY_TYPES,
  CALLS,
  describeCall,
  encodeCall,
  hashCounts,
  operationOf,
  REDUCE_OPS,
  stir,
} from "#internal";

describe("the word of a call", () => {
  it("is call | type << 4 | operation << 8 | root << 12", () => {
    assert.equal(encodeCall(CALLS.barrier, 0, 0, 0), 1);
    assert.equal(encodeCall(CALLS.broadcast, 10, 0, 1023), 2 + 16 * 10 + 4096 * 1023);
    assert.equal(encodeCall(CALLS.allreduce, 1, 3, 0), 3 + 16 + 256 * 3);
    assert.deepEqual(CALLS, {
      barrier: 1,
      broadcast: 2,
      allreduce: 3,
      allgatherv: 4,
      createSharedRegion: 5,
      splitLocal: 6,
      fence: 7,
      close: 8,
    });
  });

  it("is told as a person would write the call", () => {
    const { Float64Array: f64, BigUint64Array: u64, Int16Array: i16 } = ARRAY_TYPES;
    const told = (call: number, type = 0, op = 0, root = 0, length = 0) =>
      describeCall(encodeCall(call, type, op, root), length);
    assert.equal(told(CALLS.barrier), "barrier()");
    assert.equal(
      told(CALLS.allreduce, f64.code, REDUCE_OPS.sum, 0, 4),
      "allreduce(Float64Array, 4 elements, sum)",
    );
    assert.equal(
      told(CALLS.allreduce, u64.code, REDUCE_OPS.max, 0, 1),
      "allreduce(BigUint64Array, 1 element, max)",
    );
    assert.equal(
      told(CALLS.broadcast, i16.code, 0, 1023, 0),
      "broadcast(Int16Array, 0 elements, root 1023)",
    );
    // From a foreign rank, it may be anything; the highest root has the sign bit.
    assert.match(told(CALLS.broadcast, i16.code, 0, 2 ** 20 - 1, 2), /root 1048575\)$/);
  });

  it("names the method, or says that it knows none", () => {
    for (const [name, code] of Object.entries(CALLS))
      assert.equal(operationOf(encodeCall(code, 8, 3, 5)), name);
    assert.equal(operationOf(0), "an unknown call");
    assert.equal(describeCall(15, 3), "an unknown call()");
  });
});

/** `stir` as the protocols write it. */
function documentedStir(hash: bigint, value: bigint): bigint {
  const m = ((hash ^ value) * 0x9e3779b1n) % 2n ** 32n;
  return m ^ (m >> 15n);
}

describe("the hash of calls", () => {
  it("is the documented one", () => {
    for (const [hash, value] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [0xffffffff, 0x12345678],
      [0x80000000, 3],
      [0x9abcdef0, 0xfedcba98],
    ] as const)
      assert.equal(
        BigInt(stir(hash, value) >>> 0),
        documentedStir(BigInt(hash), BigInt(value)),
        `${hash}, ${value}`,
      );
  });

  it("of counts takes both halves of each, in rank order", () => {
    for (const counts of [
      [],
      [0],
      [1, 2, 3],
      [3, 2, 1],
      [2 ** 32, 5],
      [7 * 2 ** 32 + 9, 2 ** 31],
    ]) {
      let expected = 0n;
      for (const count of counts.map(BigInt))
        expected = documentedStir(expected, (count % 2n ** 32n) ^ (count / 2n ** 32n));
      assert.equal(BigInt(hashCounts(counts) >>> 0), expected, String(counts));
    }
  });
});
