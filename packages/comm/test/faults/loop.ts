import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { LoopScenario, Operation } from "./scenario.js";

/** Rounds before a rank counts as running. */
const WARM_UP = 3;

/** The round before which ranks that are to sleep stop themselves: rank 2 repeats a broadcast there. */
const NAP = 5;

/** Performs one collective for ever, and throws if ever a result is wrong. */
export function loop(
  comm: Communicator & SharedMemoryProvider,
  { operation, bytes, nappers = [] }: LoopScenario,
  ready: () => void,
): void {
  const arrays = makeArrays(comm.size, bytes / 8);
  const round = makeRound(comm, operation, arrays);
  try {
    for (let i = 0; ; i++) {
      if (i === WARM_UP) ready();
      if (i === NAP && nappers.includes(comm.rank)) process.kill(process.pid, "SIGSTOP");
      round(i);
    }
  } finally {
    // The memory is this rank's again: nobody else may come to see what happens to it from here on.
    for (const array of Object.values(arrays)) array.fill(Number.NaN);
  }
}

type Arrays = Readonly<Record<"send" | "recv" | "gathered", Float64Array>>;

function makeArrays(size: number, n: number): Arrays {
  return {
    send: new Float64Array(n),
    recv: new Float64Array(n),
    gathered: new Float64Array(n * size),
  };
}

function makeRound(
  comm: Communicator & SharedMemoryProvider,
  operation: Operation,
  { send, recv, gathered }: Arrays,
): (i: number) => void {
  const { rank, size } = comm;
  const n = send.length;
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
        // Each root twice: who repeats a broadcast does not wait for the others first.
        const root = (i >> 1) % size;
        if (rank === root) recv.fill(i);
        comm.broadcast(recv, root);
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
