import assert from "node:assert/strict";
import { CommError, type CommErrorKind } from "@cobre/comm";
import type { Backend, ConformanceCase } from "../case.js";

interface Misuse {
  readonly name: string;
  readonly kind: CommErrorKind;
  /** Fields the error must have, besides its kind. */
  readonly fields?: (comm: Backend) => Record<string, unknown>;
  readonly call: (comm: Backend) => void;
}

const list = (comm: Backend, value: unknown) => new Array(comm.size).fill(value) as number[];
const inOrder = (comm: Backend) => list(comm, 0).map((_, r) => r);
const f64 = (length: number) => new Float64Array(length);
/** For arguments that the type system already refuses. */
const wrong = (value: unknown) => value as Float64Array;

const MISUSES: readonly Misuse[] = [
  {
    name: "allreduce of unequal lengths",
    kind: "InvalidBufferSize",
    fields: () => ({ operation: "allreduce", expected: 3, actual: 4 }),
    call: (comm) => comm.allreduce(f64(3), f64(4), "sum"),
  },
  {
    name: "allreduce of nothing",
    kind: "InvalidBufferSize",
    fields: () => ({ operation: "allreduce", expected: 1, actual: 0 }),
    call: (comm) => comm.allreduce(f64(0), f64(0), "sum"),
  },
  {
    name: "allreduce of a detached array",
    kind: "InvalidBufferSize",
    call: (comm) => {
      const send = f64(4);
      structuredClone(send.buffer, { transfer: [send.buffer] });
      comm.allreduce(send, f64(4), "sum");
    },
  },
  ...(["prod", "", "toString", "Sum", 1, undefined, null] as const).map(
    (op): Misuse => ({
      name: `allreduce with op ${JSON.stringify(op)}`,
      kind: "InvalidArgument",
      fields: () => ({ operation: "allreduce", argument: "op" }),
      call: (comm) => comm.allreduce(f64(1), f64(1), op as unknown as "sum"),
    }),
  ),
  {
    name: "allreduce of two types",
    kind: "InvalidArgument",
    fields: () => ({ operation: "allreduce", argument: "recv" }),
    call: (comm) => comm.allreduce<Float64Array | Float32Array>(f64(1), new Float32Array(1), "sum"),
  },
  ...[
    new DataView(new ArrayBuffer(8)),
    new ArrayBuffer(8),
    new Uint8ClampedArray(8),
    [1, 2],
    "12",
    7,
    null,
    undefined,
    {},
    ...("Float16Array" in globalThis
      ? [new (globalThis as unknown as { Float16Array: Float32ArrayConstructor }).Float16Array(1)]
      : []),
  ].flatMap((value): Misuse[] => {
    const what = Object.prototype.toString.call(value);
    return [
      {
        name: `allreduce from ${what}`,
        kind: "InvalidArgument",
        fields: () => ({ operation: "allreduce", argument: "send" }),
        call: (comm) => comm.allreduce(wrong(value), f64(1), "sum"),
      },
      {
        name: `allgatherv into ${what}`,
        kind: "InvalidArgument",
        fields: () => ({ operation: "allgatherv", argument: "recv" }),
        call: (comm) => comm.allgatherv(f64(1), wrong(value), list(comm, 1), inOrder(comm)),
      },
      {
        name: `broadcast of ${what}`,
        kind: "InvalidArgument",
        fields: () => ({ operation: "broadcast", argument: "buf" }),
        call: (comm) => comm.broadcast(wrong(value), 0),
      },
    ];
  }),
  {
    name: "allreduce in place",
    kind: "InvalidArgument",
    fields: () => ({ argument: "recv" }),
    call: (comm) => {
      const both = f64(4);
      comm.allreduce(both, both, "sum");
    },
  },
  {
    name: "allreduce between overlapping parts of one buffer",
    kind: "InvalidArgument",
    call: (comm) => {
      const whole = f64(8);
      comm.allreduce(whole.subarray(0, 4), whole.subarray(3, 7), "sum");
    },
  },
  {
    name: "allgatherv whose send lies in recv",
    kind: "InvalidArgument",
    call: (comm) => {
      const recv = f64(comm.size);
      comm.allgatherv(recv.subarray(0, 1), recv, list(comm, 1), inOrder(comm));
    },
  },
  {
    name: "allgatherv whose send is not what counts say",
    kind: "InvalidBufferSize",
    fields: () => ({ operation: "allgatherv", expected: 1, actual: 2 }),
    call: (comm) => comm.allgatherv(f64(2), f64(comm.size), list(comm, 1), inOrder(comm)),
  },
  {
    name: "allgatherv with too few counts",
    kind: "InvalidBufferSize",
    fields: (comm) => ({ expected: comm.size, actual: comm.size - 1 }),
    call: (comm) => comm.allgatherv(f64(1), f64(9), list(comm, 1).slice(1), inOrder(comm)),
  },
  {
    name: "allgatherv with too many displs",
    kind: "InvalidBufferSize",
    fields: (comm) => ({ expected: comm.size, actual: comm.size + 1 }),
    call: (comm) => comm.allgatherv(f64(1), f64(9), list(comm, 1), [...inOrder(comm), 0]),
  },
  {
    name: "allgatherv past the end of recv",
    kind: "InvalidBufferSize",
    fields: (comm) => ({ expected: comm.size, actual: comm.size - 1 }),
    call: (comm) => comm.allgatherv(f64(1), f64(comm.size - 1), list(comm, 1), inOrder(comm)),
  },
  ...[-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", 1n, null, undefined].flatMap(
    (value): Misuse[] => [
      {
        name: `allgatherv with the count ${String(value)}`,
        kind: "InvalidArgument",
        fields: () => ({ argument: "counts[0]" }),
        call: (comm) => comm.allgatherv(f64(1), f64(9), list(comm, value), inOrder(comm)),
      },
      {
        name: `allgatherv with the displacement ${String(value)}`,
        kind: "InvalidArgument",
        fields: () => ({ argument: "displs[0]" }),
        call: (comm) => comm.allgatherv(f64(1), f64(9), list(comm, 1), list(comm, value)),
      },
    ],
  ),
  ...[undefined, null, 3, "12"].map(
    (value): Misuse => ({
      name: `allgatherv with ${String(value)} for counts`,
      kind: "InvalidArgument",
      fields: () => ({ argument: "counts" }),
      call: (comm) => comm.allgatherv(f64(1), f64(9), value as unknown as number[], inOrder(comm)),
    }),
  ),
  ...[-1, 0.5, Number.NaN, 1e9, "0", undefined].map(
    (root): Misuse => ({
      name: `broadcast from root ${String(root)}`,
      kind: "InvalidRoot",
      fields: (comm) => ({ root, size: comm.size }),
      call: (comm) => comm.broadcast(f64(1), root as number),
    }),
  ),
  {
    name: "broadcast from root size",
    kind: "InvalidRoot",
    fields: (comm) => ({ root: comm.size, size: comm.size }),
    call: (comm) => comm.broadcast(f64(1), comm.size),
  },
  ...[-1, 0.5, Number.NaN, 2 ** 60, "4"].map(
    (count): Misuse => ({
      name: `a region of ${String(count)} elements`,
      kind: "InvalidArgument",
      fields: () => ({ operation: "createSharedRegion", argument: "count" }),
      call: (comm) => comm.createSharedRegion(Float64Array, count as number),
    }),
  ),
  {
    name: "a region of DataView",
    kind: "InvalidArgument",
    fields: () => ({ operation: "createSharedRegion", argument: "type" }),
    call: (comm) => comm.createSharedRegion(DataView as unknown as Float64ArrayConstructor, 1),
  },
];

function checkMisuse(comm: Backend, misuse: Misuse): void {
  assert.throws(
    () => misuse.call(comm),
    (error: unknown) => {
      assert.ok(error instanceof CommError, `not a CommError: ${error}`);
      assert.equal(error.kind, misuse.kind);
      const json = JSON.parse(JSON.stringify(error)) as Record<string, unknown>;
      const expected = JSON.parse(JSON.stringify(misuse.fields?.(comm) ?? {}));
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(json[field], value);
      assert.equal(json.kind, misuse.kind);
      assert.equal(json.message, error.message);
      return true;
    },
  );
}

export const misuseCases: readonly ConformanceCase[] = [
  ...MISUSES.map((misuse) => ({
    name: `refused: ${misuse.name}`,
    run: (comm: Backend) => checkMisuse(comm, misuse),
  })),
  {
    name: "refused: ranges of displs that overlap",
    leastRanks: 2,
    run(comm) {
      assert.throws(
        () => comm.allgatherv(f64(2), f64(20), list(comm, 2), inOrder(comm)),
        (error: unknown) => error instanceof CommError && error.kind === "InvalidArgument",
      );
    },
  },
  {
    name: "a remembered pair of arrays is checked again when its lengths change",
    run(comm) {
      const buffer = new ArrayBuffer(32);
      const send = new Float64Array(buffer);
      const recv = f64(4);
      comm.allreduce(send, recv, "sum");
      comm.allreduce(send, recv, "sum");
      structuredClone(buffer, { transfer: [buffer] });
      assert.throws(() => comm.allreduce(send, recv, "sum"), { kind: "InvalidBufferSize" });
    },
  },
  {
    name: "after all of that the communicator still works",
    run(comm) {
      const recv = f64(1);
      comm.allreduce(Float64Array.of(1), recv, "sum");
      assert.equal(recv[0], comm.size);
    },
  },
];
