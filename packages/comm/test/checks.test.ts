/** The preconditions of the collectives, at their very limits. The conformance suite has them on every backend. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommArrayConstructor, ReduceOp } from "@cobre/comm";
import {
  ARRAY_TYPES,
  CallChecks,
  checkPieces,
  checkRegionRequest,
  REMEMBERED_BYTES,
} from "#internal";

const f64 = (length: number) => new Float64Array(length);
/** For arguments that the type system already refuses. */
const wrong = <T>(value: unknown) => value as T;
const checks = () => new CallChecks(1, 3);

describe("checks of an allreduce", () => {
  it("returns the type of the arrays, also for another pair than before", () => {
    const check = checks();
    const [a, b, c] = [f64(2), f64(2), new Int32Array(2)];
    assert.equal(check.allreduce(a, b, "sum"), ARRAY_TYPES.Float64Array);
    assert.equal(check.allreduce(a, b, "min"), ARRAY_TYPES.Float64Array);
    const d = new Int32Array(2);
    for (let time = 0; time < 2; time++)
      assert.equal(check.allreduce(c, d, "max"), ARRAY_TYPES.Int32Array);
    assert.equal(check.allreduce(b, a, "max"), ARRAY_TYPES.Float64Array);
  });

  it("an array of a remembered pair is looked at again with another partner", () => {
    const check = checks();
    const [a, b] = [f64(2), f64(2)];
    check.allreduce(a, b, "sum");
    const other = new Float32Array(2);
    for (const [send, recv] of [
      [a, other],
      [other, b],
      [a, a],
    ] as const)
      assert.throws(() => check.allreduce(send, recv, "sum"), {
        kind: "InvalidArgument",
        argument: "recv",
      });
  });

  it("lengths of a remembered pair are looked at each time", () => {
    const check = checks();
    const [a, b] = [f64(2), f64(2)];
    check.allreduce(a, b, "sum");
    structuredClone(b.buffer, { transfer: [b.buffer] });
    assert.throws(() => check.allreduce(a, b, "sum"), { expected: 2, actual: 0 });
    structuredClone(a.buffer, { transfer: [a.buffer] });
    assert.throws(() => check.allreduce(a, b, "sum"), /detached/);
  });

  it("says which array has which length, and which it should have", () => {
    assert.throws(() => checks().allreduce(f64(3), f64(4), "sum"), {
      kind: "InvalidBufferSize",
      message:
        "allreduce: recv has length 4, but 3 is needed. send and recv must have the same length.",
    });
    for (const [length, expected] of [
      [0, 1],
      [1, 1],
      [5, 5],
    ] as const)
      assert.throws(() => checks().allreduce(f64(0), f64(length), "sum"), {
        message: `allreduce: send has length 0, but ${expected} is needed. There is nothing to reduce (or the array was detached).`,
      });
  });

  it("names an operation that there is not, text as text", () => {
    for (const [op, told] of [
      ["prod", '"prod"'],
      ["1", '"1"'],
      [1, "1"],
      [undefined, "undefined"],
    ] as const)
      assert.throws(() => checks().allreduce(f64(1), f64(1), wrong<ReduceOp>(op)), {
        kind: "InvalidArgument",
        message: `allreduce: op is ${told}; it must be "sum", "min" or "max".`,
      });
  });

  it("names both types if they differ", () => {
    assert.throws(() => checks().allreduce(f64(1), new Int8Array(1), "sum"), {
      message:
        "allreduce: recv is a Int8Array, but send is a Float64Array; both must have the same type.",
    });
  });

  it("names what is no array of the ten", () => {
    assert.throws(() => checks().allreduce(wrong<Float64Array>([1]), f64(1), "sum"), {
      argument: "send",
      reason: `is a Array; it must be one of ${Object.keys(ARRAY_TYPES).join(", ")}.`,
    });
    assert.throws(() => checks().allreduce(f64(1), wrong<Float64Array>(null), "sum"), {
      argument: "recv",
      reason: /^is a Null; /,
    });
  });
});

describe("arrays of one buffer", () => {
  const buffer = new ArrayBuffer(80);
  const part = (at: number, length: number) => new Float64Array(buffer, 8 * at, length);

  it("may touch, in either order, and may be empty", () => {
    const check = checks();
    assert.equal(check.allreduce(part(0, 4), part(4, 4), "sum"), ARRAY_TYPES.Float64Array);
    assert.equal(check.allreduce(part(4, 4), part(0, 4), "sum"), ARRAY_TYPES.Float64Array);
    check.allgatherv(part(2, 0), part(0, 4), [4, 0, 0], [0, 0, 0]);
    check.allgatherv(part(0, 0), part(0, 0), [0, 0, 0], [0, 0, 0]);
    new CallChecks(0, 1).allgatherv(part(1, 0), part(1, 0), [0], [0]);
  });

  it("may not share a byte, and are not remembered as a good pair", () => {
    const check = checks();
    for (const [send, recv] of [
      [part(0, 4), part(3, 4)],
      [part(3, 4), part(0, 4)],
      [part(2, 1), part(0, 4)],
      [part(0, 4), part(0, 4)],
      [new Uint8Array(buffer, 2, 1), new Uint8Array(buffer, 2, 1)],
    ] as const)
      for (let time = 0; time < 2; time++)
        assert.throws(() => check.allreduce(send, recv, "sum"), {
          message: "allreduce: recv overlaps send; give it memory of its own.",
        });
  });
});

describe("what a communicator remembers of its callers' arrays", () => {
  const limit = REMEMBERED_BYTES / 8;
  const remembered = (check: CallChecks) => {
    const { pairSend, pairRecv, single } = check as unknown as Record<string, unknown>;
    return { pairSend, pairRecv, single };
  };

  it("is a pair of small arrays, and none of a large one", () => {
    for (const [sent, received, isKept] of [
      [limit, limit, true],
      [limit + 1, limit, false],
      [limit, limit + 1, false],
    ] as const) {
      const check = new CallChecks(0, 1);
      const [send, recv] = [f64(sent), f64(received)];
      check.allgatherv(send, recv.length < sent ? f64(sent) : recv, [sent], [0]);
      const { pairSend, pairRecv } = remembered(check);
      const expected = isKept ? [send, recv] : [undefined, undefined];
      assert.deepEqual([pairSend, pairRecv], expected, `${sent}, ${received}`);
    }
  });

  it("is a small array, and no large one", () => {
    for (const [length, isKept] of [
      [limit, true],
      [limit + 1, false],
    ] as const) {
      const check = checks();
      const buf = f64(length);
      check.broadcast(buf, 0);
      assert.equal(remembered(check).single === buf, isKept);
    }
  });
});

describe("checks of a broadcast", () => {
  it("returns the type of the array, also for another one than before", () => {
    const check = checks();
    const buf = new Uint16Array(1);
    assert.equal(check.broadcast(buf, 0), ARRAY_TYPES.Uint16Array);
    assert.equal(check.broadcast(buf, 2), ARRAY_TYPES.Uint16Array);
    assert.equal(check.broadcast(new BigInt64Array(1), 1), ARRAY_TYPES.BigInt64Array);
    assert.equal(check.broadcast(buf, 0), ARRAY_TYPES.Uint16Array);
  });

  it("takes every rank for the root, and nothing else", () => {
    for (const root of [-1, 3, 0.5, Number.NaN, wrong<number>("1")])
      assert.throws(() => checks().broadcast(f64(1), root), { kind: "InvalidRoot", root, size: 3 });
    assert.throws(() => checks().broadcast(f64(1), 3), /the ranks are 0 to 2\.$/);
    assert.throws(() => new CallChecks(0, 1).broadcast(f64(1), 1), /the only rank is 0\.$/);
  });
});

describe("checks of an allgatherv", () => {
  const check = (counts: unknown, displs: unknown, recv = 6, size = 3) =>
    checkPieces(wrong<number[]>(counts), wrong<number[]>(displs), size, recv);

  it("takes pieces in any order, with gaps, empty ones anywhere, up to the end of recv", () => {
    check([1, 2, 3], [0, 1, 3]);
    check([1, 2, 3], [5, 3, 0]);
    check([1, 1, 1], [4, 0, 2]);
    check([0, 6, 0], [3, 0, 6]);
    check([2, 0, 2], [4, 5, 2]);
    check([2, 0, 2], [0, 1, 2]);
    check([0, 0, 0], [6, 6, 6]);
    check(new Int32Array([6]), new Int32Array(1), 6, 1);
    check({ length: 1, 0: 6 }, { length: 1, 0: 0 }, 6, 1);
  });

  it("names two ranks whose pieces overlap, in the order of their places", () => {
    for (const [counts, displs, left, right] of [
      [[2, 2, 2], [0, 1, 3], 0, 1],
      [[2, 2, 2], [4, 2, 3], 1, 2],
      [[1, 0, 1], [2, 2, 2], 0, 2],
      [[1, 1, 6], [0, 5, 0], 0, 2],
    ] as const)
      assert.throws(() => check(counts, displs), {
        kind: "InvalidArgument",
        argument: "displs",
        reason: `makes the pieces of ranks ${left} and ${right} overlap; they must be disjoint.`,
      });
  });

  it("names the first rank whose piece ends outside recv", () => {
    assert.throws(() => check([1, 3, 9], [0, 4, 0]), {
      kind: "InvalidBufferSize",
      message:
        "allgatherv: recv has length 6, but 7 is needed. The piece of rank 1 ends at displs[1] + counts[1] = 4 + 3.",
    });
    assert.throws(() => check([0, 0, 0], [0, 0, 7]), { expected: 7, actual: 6 });
    assert.throws(() => check([7, 9, 0], [0, 0, 0]), /The piece of rank 0 ends at .* = 0 \+ 7\.$/);
    assert.throws(() => check([6, 3, 0], [0, 4, 0]), /The piece of rank 1 ends at .* = 4 \+ 3\.$/);
  });

  it("names a list that is none, counts before displs", () => {
    for (const list of [7, "123", null, undefined, {}]) {
      const fault = {
        kind: "InvalidArgument",
        reason: "must be an array of numbers, one per rank.",
      };
      assert.throws(() => check(list, [0, 0, 0]), { ...fault, argument: "counts" });
      assert.throws(() => check([0, 0, 0], list), { ...fault, argument: "displs" });
      assert.throws(() => check(list, list), { ...fault, argument: "counts" });
    }
  });

  it("names a list of another length than the number of ranks", () => {
    for (const list of [
      [0, 0],
      [0, 0, 0, 0],
    ])
      for (const [counts, displs, name] of [
        [list, [0, 0, 0], "counts"],
        [[0, 0, 0], list, "displs"],
      ] as const)
        assert.throws(() => check(counts, displs), {
          kind: "InvalidBufferSize",
          message: `allgatherv: ${name} has length ${list.length}, but 3 is needed. It has one entry per rank.`,
        });
  });

  it("names an entry that is no whole number, before anything outside recv", () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53, "1", undefined]) {
      const reason = `is ${String(value)}; it must be a whole number, 0 or more.`;
      assert.throws(() => check([9, 1, value], [0, 0, 0]), { argument: "counts[2]", reason });
      assert.throws(() => check([9, 1, 1], [value, 0, 0]), { argument: "displs[0]", reason });
    }
  });

  it("says how many elements this rank must send", () => {
    const all = (send: number) => checks().allgatherv(f64(send), f64(6), [1, 2, 3], [0, 1, 3]);
    assert.equal(all(2), ARRAY_TYPES.Float64Array);
    for (const length of [1, 3])
      assert.throws(() => all(length), {
        message: `allgatherv: send has length ${length}, but 2 is needed. It must have counts[1] elements, the count of this rank.`,
      });
  });

  it("looks at the pieces of every call, also with arrays that it remembers", () => {
    const check = checks();
    const [send, recv] = [f64(2), f64(6)];
    check.allgatherv(send, recv, [1, 2, 3], [0, 1, 3]);
    assert.throws(() => check.allgatherv(send, recv, [1, 2, 3], [0, 1, 2]), {
      argument: "displs",
    });
  });

  it("looks at the types of every other pair than the last", () => {
    const check = checks();
    const [send, recv] = [f64(1), f64(3)];
    const pieces = [
      [1, 1, 1],
      [0, 1, 2],
    ] as const;
    assert.equal(check.allgatherv(send, recv, ...pieces), ARRAY_TYPES.Float64Array);
    assert.equal(check.allgatherv(send, recv, ...pieces), ARRAY_TYPES.Float64Array);
    for (const [a, b] of [
      [send, new Int8Array(3)],
      [new Int8Array(1), recv],
    ] as const)
      assert.throws(() => check.allgatherv(a, b, ...pieces), {
        operation: "allgatherv",
        argument: "recv",
      });
  });
});

describe("checks of createSharedRegion", () => {
  const check = (count: unknown, type: unknown = Float64Array) =>
    checkRegionRequest(wrong<CommArrayConstructor<Float64Array>>(type), wrong<number>(count));

  it("returns the size in bytes, from 0 up to what a number can count", () => {
    assert.equal(check(0), 0);
    assert.equal(check(3), 24);
    assert.equal(check(3, Int16Array), 6);
    assert.equal(check(2 ** 50 - 1), 2 ** 53 - 8);
  });

  it("refuses any other count, and names it", () => {
    for (const count of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 50, "3", undefined])
      assert.throws(() => check(count), {
        kind: "InvalidArgument",
        operation: "createSharedRegion",
        argument: "count",
        reason: `is ${String(count)}; it must be a whole number of elements, 0 or more.`,
      });
    // 2.5 elements of one byte, and 0.5 of two, which would be a whole number of bytes.
    assert.throws(() => check(2.5, Int8Array), { argument: "count" });
    assert.throws(() => check(0.5, Int16Array), { argument: "count" });
  });

  it("refuses any other type", () => {
    for (const type of [Uint8ClampedArray, DataView, Array, "Float64Array", null])
      assert.throws(() => check(1, type), {
        argument: "type",
        reason: `must be one of ${Object.keys(ARRAY_TYPES).join(", ")}.`,
      });
  });
});
