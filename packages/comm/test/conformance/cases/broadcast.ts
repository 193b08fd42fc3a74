import assert from "node:assert/strict";
import { ARRAY_TYPES, type ArrayType } from "#internal";
import { assertSameBytes, bytesOf, contribution } from "../../bits.js";
import { type Backend, type ConformanceCase, interestingLengths } from "../case.js";

function checkBroadcast(comm: Backend, type: ArrayType, length: number, root: number): void {
  const around = new type.constructorFunction(length + 2);
  bytesOf(around).fill(0x5a);
  const buf = new type.constructorFunction(around.buffer, type.bytesPerElement, length);
  const expected = bytesOf(contribution(type, length, length, root));
  if (comm.rank === root) bytesOf(buf).set(expected);
  comm.broadcast(buf, root);
  assertSameBytes(bytesOf(buf), expected, `${length} × ${type.name} from ${root}`);
  const edges = [bytesOf(around)[0], bytesOf(around).at(-1)];
  assert.deepEqual(edges, [0x5a, 0x5a], "neighbours were changed");
}

const everyType = Object.values(ARRAY_TYPES).map(
  (type): ConformanceCase => ({
    name: `broadcast of ${type.name}: every root, lengths around every boundary`,
    run(comm) {
      for (let root = 0; root < comm.size; root++) {
        checkBroadcast(comm, type, 0, root);
        for (const length of interestingLengths(comm.size)) {
          checkBroadcast(comm, type, length, root);
        }
      }
    },
  }),
);

export const broadcastCases: readonly ConformanceCase[] = [
  ...everyType,
  {
    name: "broadcast of long arrays: around one and three chunks, from every root",
    run(comm) {
      for (let root = 0; root < comm.size; root++) {
        for (const kib of [64, 128, 256, 768, 1024]) {
          for (const odd of [-1, 0, 1]) {
            checkBroadcast(comm, ARRAY_TYPES.Float64Array, kib * 128 + odd, root);
          }
        }
      }
    },
  },
  {
    name: "an array is the caller's again when a broadcast of any length returns",
    run(comm) {
      for (const length of [100, 9000, 20_000, 131_072, 400_000]) {
        const buf = new Float64Array(length);
        for (let round = 0; round < 20; round++) {
          const root = (round >> 2) % comm.size;
          if (comm.rank === root) buf.fill(round);
          comm.broadcast(buf, root);
          const wrong = buf.findIndex((value) => value !== round);
          assert.equal(wrong, -1, `round ${round} of ${length}: ${buf[wrong]} at ${wrong}`);
          buf.fill(-1);
        }
      }
    },
  },
  {
    name: "a broadcast that only its root fills, many in a row, is never overtaken",
    run(comm) {
      const buf = new Int32Array(4);
      for (let round = 0; round < 500; round++) {
        const root = round % comm.size;
        if (comm.rank === root) buf.fill(round);
        else buf.fill(-1);
        comm.broadcast(buf, root);
        assert.deepEqual([...buf], [round, round, round, round]);
      }
    },
  },
];
