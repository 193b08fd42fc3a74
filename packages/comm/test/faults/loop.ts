import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Operation } from "./scenario.js";

/** Rounds before a rank counts as running. */
const WARM_UP = 3;

/** Performs one collective for ever, and throws if ever a result is wrong. */
export function loop(
  comm: Communicator & SharedMemoryProvider,
  { operation, bytes }: { operation: Operation; bytes: number },
  ready: () => void,
): void {
  const round = makeRound(comm, operation, bytes / 8);
  for (let i = 0; ; i++) {
    if (i === WARM_UP) ready();
    round(i);
  }
}

function makeRound(
  comm: Communicator & SharedMemoryProvider,
  operation: Operation,
  n: number,
): (i: number) => void {
  const { rank, size } = comm;
  const send = new Float64Array(n);
  const recv = new Float64Array(n);
  const gathered = new Float64Array(n * size);
  const counts = new Array<number>(size).fill(n);
  const displs = counts.map((_, r) => r * n);
  switch (operation) {
    case "barrier":
      return () => comm.barrier();
    case "allreduce":
      return (i) => {
        send.fill(i + rank);
        comm.allreduce(send, recv, "sum");
        expect(recv, size * i + (size * (size - 1)) / 2);
      };
    case "broadcast":
      return (i) => {
        if (rank === i % size) recv.fill(i);
        comm.broadcast(recv, i % size);
        expect(recv, i);
      };
    case "allgatherv":
      return (i) => {
        send.fill(i + rank);
        comm.allgatherv(send, gathered, counts, displs);
        counts.forEach((_, r) => {
          expect(gathered.subarray(r * n, (r + 1) * n), i + r);
        });
      };
    case "region":
      return (i) => {
        using region = comm.createSharedRegion(Float64Array, n);
        if (comm.isLeader) region.asMutSlice().fill(i);
        region.fence();
        expect(region.asMutSlice(), i);
      };
  }
}

function expect(values: Float64Array, expected: number): void {
  if (values.some((value) => value !== expected)) {
    throw new Error(`wrong result: ${values.find((value) => value !== expected)}, not ${expected}`);
  }
}
