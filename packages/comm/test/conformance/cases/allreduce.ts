import assert from "node:assert/strict";
import type { CommArray, ReduceOp } from "@cobre/comm";
import { ARRAY_TYPES, type ArrayType, foldInLoop } from "#internal";
import { assertSameBytes, bytesOf, contribution } from "../../bits.js";
import { type Backend, type ConformanceCase, interestingLengths } from "../case.js";

const OPS: readonly ReduceOp[] = ["sum", "min", "max"];

/** What the rule gives for the ranks' inputs, worked out by this rank alone. */
export function expectedReduction(
  type: ArrayType,
  inputs: readonly CommArray[],
  op: ReduceOp,
): CommArray {
  const first = inputs[0] as CommArray;
  if (inputs.length === 1) return first;
  const out = new type.constructorFunction(first.length);
  foldInLoop(type, inputs, out, op);
  return out;
}

function checkAllreduce(comm: Backend, type: ArrayType, length: number, op: ReduceOp): void {
  const seed = length * 31 + type.code;
  const inputs = Array.from({ length: comm.size }, (_, r) => contribution(type, length, seed, r));
  const send = inputs[comm.rank] as CommArray;
  const before = bytesOf(send).slice();
  const recv = new type.constructorFunction(length);
  comm.allreduce(send, recv, op);
  const expected = bytesOf(expectedReduction(type, inputs, op));
  assertSameBytes(bytesOf(recv), expected, `${op} of ${length} × ${type.name}`);
  assertSameBytes(bytesOf(send), before, "send was changed");
}

const everyType = Object.values(ARRAY_TYPES).map(
  (type): ConformanceCase => ({
    name: `allreduce of ${type.name}: all operations, lengths around every boundary`,
    run(comm) {
      for (const op of OPS) {
        for (const length of interestingLengths(comm.size)) checkAllreduce(comm, type, length, op);
      }
    },
  }),
);

export const allreduceCases: readonly ConformanceCase[] = [
  ...everyType,
  {
    name: "allreduce of long vectors: around one and three chunks, and a million",
    run(comm) {
      for (const kib of [64, 128, 256, 512, 1024]) {
        for (const odd of [-1, 0, 1]) {
          checkAllreduce(comm, ARRAY_TYPES.Float64Array, kib * 128 + odd, "sum");
          checkAllreduce(comm, ARRAY_TYPES.Int8Array, 3 * kib * 1024 + odd, "sum");
        }
      }
      checkAllreduce(comm, ARRAY_TYPES.Float32Array, 1_000_003, "sum");
    },
  },
  {
    name: "allreduce folds in rank order: big, -big and tiny at all pairs of ranks",
    run(comm) {
      for (let plus = 0; plus < comm.size; plus++) {
        for (let minus = 0; minus < comm.size; minus++) {
          const values = Array.from({ length: comm.size }, (_, r) =>
            r === plus ? 1e6 : r === minus ? -1e6 : 1e-2 / 3,
          );
          const recv = new Float64Array(3);
          comm.allreduce(new Float64Array(3).fill(values[comm.rank] as number), recv, "sum");
          const inOrder = values.reduce((acc, value) => acc + value);
          assert.deepEqual([...recv], [inOrder, inOrder, inOrder]);
        }
      }
    },
  },
  {
    name: "allreduce into parts of larger arrays leaves their neighbours alone",
    run(comm) {
      const around = new Float64Array(12).fill(-7);
      const recv = around.subarray(3, 8);
      comm.allreduce(new Float64Array(9).fill(1).subarray(2, 7), recv, "sum");
      const n = comm.size;
      assert.deepEqual([...around], [-7, -7, -7, n, n, n, n, n, -7, -7, -7, -7]);
    },
  },
  {
    name: "allreduce of one array again and again uses its newest values",
    run(comm) {
      const send = new Float64Array(2);
      const recv = new Float64Array(2);
      for (let round = 0; round < 300; round++) {
        send.fill(round + comm.rank);
        comm.allreduce(send, recv, "min");
        assert.deepEqual([...recv], [round, round]);
      }
    },
  },
];
