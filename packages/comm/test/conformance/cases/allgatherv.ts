import assert from "node:assert/strict";
import type { CommArray } from "@cobre/comm";
import { ARRAY_TYPES, type ArrayType } from "#internal";
import { assertSameBytes, bytesOf, contribution } from "../../bits.js";
import type { Backend, ConformanceCase } from "../case.js";

/** How many elements each rank gives: six shapes, some with nothing from some ranks. */
export const SHAPES: Readonly<Record<string, (size: number, scale: number) => number[]>> = {
  regular: (size, scale) => perRank(size, () => scale),
  onlyFirst: (size, scale) => perRank(size, (r) => (r === 0 ? scale : 0)),
  spike: (size, scale) => perRank(size, (r) => (r === size >> 1 ? 4 * scale : 1)),
  halfFull: (size, scale) => perRank(size, (r) => (r % 2 === 0 ? scale : 0)),
  decreasing: (size, scale) => perRank(size, (r) => (size - 1 - r) * scale),
  bell: (size, scale) => perRank(size, (r) => Math.min(r, size - 1 - r) * scale + 1),
};

function perRank(size: number, count: (rank: number) => number): number[] {
  return Array.from({ length: size }, (_, r) => count(r));
}

/** Where the pieces go: in rank order or backwards, with or without gaps. */
function place(counts: readonly number[], backwards: boolean, gap: number) {
  const displs = new Array<number>(counts.length).fill(0);
  let at = gap;
  const order = counts.map((_, r) => (backwards ? counts.length - 1 - r : r));
  for (const r of order) {
    displs[r] = at;
    at += (counts[r] as number) + gap;
  }
  return { displs, length: at };
}

function checkAllgatherv(
  comm: Backend,
  type: ArrayType,
  counts: readonly number[],
  backwards: boolean,
  gap: number,
  /** Ranks that place the pieces in different ways must give the same one. */
  seed?: number,
): void {
  const { displs, length } = place(counts, backwards, gap);
  const inputs = counts.map((count, r) => contribution(type, count, seed ?? length + gap, r));
  const send = inputs[comm.rank] as CommArray;
  const before = bytesOf(send).slice();
  const recv = new type.constructorFunction(length);
  bytesOf(recv).fill(0xa5);
  const expected = new type.constructorFunction(length);
  bytesOf(expected).fill(0xa5);
  inputs.forEach((input, r) => {
    bytesOf(expected).set(bytesOf(input), (displs[r] as number) * type.bytesPerElement);
  });
  comm.allgatherv(send, recv, counts, displs);
  assertSameBytes(bytesOf(recv), bytesOf(expected), `${counts} at ${displs}`);
  assertSameBytes(bytesOf(send), before, "send was changed");
}

const everyType = Object.values(ARRAY_TYPES).map(
  (type): ConformanceCase => ({
    name: `allgatherv of ${type.name}: six shapes, in and against rank order, gaps untouched`,
    run(comm) {
      for (const shape of Object.values(SHAPES)) {
        for (const scale of [1, 3, 1000]) {
          const counts = shape(comm.size, scale);
          checkAllgatherv(comm, type, counts, false, 0);
          checkAllgatherv(comm, type, counts, true, 3);
        }
      }
    },
  }),
);

export const allgathervCases: readonly ConformanceCase[] = [
  ...everyType,
  {
    name: "allgatherv of long pieces: around one and three chunks, unequal",
    run(comm) {
      for (const kib of [64, 128, 256, 1024]) {
        for (const shape of ["regular", "onlyFirst", "decreasing", "spike"]) {
          for (const odd of [-1, 0, 1]) {
            const counts = (SHAPES[shape] as (size: number, scale: number) => number[])(
              comm.size,
              kib * 128 + odd,
            );
            checkAllgatherv(comm, ARRAY_TYPES.Float64Array, counts, odd === 0, odd + 1);
          }
        }
      }
    },
  },
  {
    name: "allgatherv of very long pieces, among short ones",
    run(comm) {
      const long = 2 ** 21 + 5;
      const counts = Array.from({ length: comm.size }, (_, r) => (r === comm.size - 1 ? long : r));
      checkAllgatherv(comm, ARRAY_TYPES.Float64Array, counts, false, 1);
      checkAllgatherv(comm, ARRAY_TYPES.Float64Array, counts.reverse(), true, 0);
    },
  },
  {
    name: "allgatherv to places that differ from rank to rank",
    run(comm) {
      for (const scale of [1, 10, 1000, 100_000]) {
        for (const shape of Object.values(SHAPES)) {
          const counts = shape(comm.size, scale);
          const isOdd = comm.rank % 2 === 1;
          checkAllgatherv(comm, ARRAY_TYPES.Float64Array, counts, isOdd, 40 * comm.rank, scale);
        }
      }
    },
  },
  {
    name: "arrays are the caller's again when an allgatherv of any length returns",
    run(comm) {
      for (const length of [100, 9000, 131_072, 300_000]) {
        const counts = new Array(comm.size).fill(length);
        const displs = counts.map((_, r) => r * length);
        const send = new Float64Array(length);
        const recv = new Float64Array(length * comm.size);
        for (let round = 0; round < 10; round++) {
          send.fill(100 * round + comm.rank);
          comm.allgatherv(send, recv, counts, displs);
          const wrong = recv.findIndex(
            (value, i) => value !== 100 * round + Math.floor(i / length),
          );
          assert.equal(wrong, -1, `round ${round} of ${length}: ${recv[wrong]} at ${wrong}`);
          send.fill(-1);
          recv.fill(-1);
        }
      }
    },
  },
  {
    name: "allgatherv of nothing from anybody is a meeting",
    run(comm) {
      const none = new Array(comm.size).fill(0);
      const recv = Float64Array.of(5);
      for (let round = 0; round < 3; round++) {
        comm.allgatherv(new Float64Array(0), recv, none, none);
      }
      assert.equal(recv[0], 5);
    },
  },
  {
    name: "allgatherv of small arrays that come again, alone and by turns, some inside larger ones",
    run(comm) {
      const counts = new Array(comm.size).fill(1);
      const displs = counts.map((_, r) => r);
      const sends = [new Float64Array(1), new Float64Array(9).subarray(5, 6)];
      const recvs = [new Float64Array(comm.size), new Float64Array(40).subarray(3, 3 + comm.size)];
      let garbage: number[][] = [];
      for (let round = 0; round < 400; round++) {
        const which = round < 200 ? round >> 5 : round;
        const send = sends[which & 1] as Float64Array;
        const recv = recvs[which & 1] as Float64Array;
        send[0] = 10 * round + comm.rank;
        garbage.push(new Array(1000).fill(round));
        if (round % 50 === 0) garbage = [];
        comm.allgatherv(send, recv, counts, displs);
        assert.deepEqual(
          [...recv],
          displs.map((r) => 10 * round + r),
        );
        comm.broadcast(send, comm.size - 1);
        assert.equal(send[0], 10 * round + comm.size - 1);
      }
    },
  },
  {
    name: "allgatherv takes typed arrays as counts and displs",
    run(comm) {
      const counts = new Int32Array(comm.size).fill(1);
      const displs = Uint32Array.from(counts, (_, r) => r);
      const recv = new BigInt64Array(comm.size);
      comm.allgatherv(BigInt64Array.of(BigInt(comm.rank) - 5n), recv, counts, displs);
      assert.deepEqual(
        [...recv],
        Array.from(displs, (r) => BigInt(r) - 5n),
      );
    },
  },
];
