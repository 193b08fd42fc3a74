import type { Communicator, SharedMemoryProvider } from "@cobre/comm";

type Play = (comm: Communicator & SharedMemoryProvider) => void;

const f64 = (length: number) => new Float64Array(length);

/**
 * Calls that do not belong together: the last rank makes another one than the rest. Each must fail on
 * every rank, and tell both calls.
 */
export const MISMATCHES: Readonly<Record<string, Play>> = {
  operation: (comm) => {
    if (isLast(comm)) comm.barrier();
    else comm.allreduce(f64(1), f64(1), "sum");
  },
  "array type": (comm) => {
    if (isLast(comm)) comm.allreduce(new Float32Array(4), new Float32Array(4), "sum");
    else comm.allreduce(f64(4), f64(4), "sum");
  },
  "reduce operation": (comm) => comm.allreduce(f64(4), f64(4), isLast(comm) ? "max" : "sum"),
  "short length": (comm) => {
    const n = isLast(comm) ? 3 : 4;
    comm.allreduce(f64(n), f64(n), "sum");
  },
  "long length": (comm) => {
    const n = isLast(comm) ? 300_001 : 300_000;
    comm.allreduce(f64(n), f64(n), "sum");
  },
  "short and long": (comm) => {
    const n = isLast(comm) ? 1 : 300_000;
    comm.allreduce(f64(n), f64(n), "sum");
  },
  root: (comm) => comm.broadcast(f64(4), isLast(comm) ? comm.size - 1 : 0),
  "broadcast length": (comm) => comm.broadcast(f64(isLast(comm) ? 5 : 4), 0),
  "long broadcast length": (comm) => comm.broadcast(f64(isLast(comm) ? 50_000 : 40_000), 0),
  "broadcast and barrier": (comm) => {
    if (isLast(comm)) comm.barrier();
    else comm.broadcast(f64(4), 0);
  },
  counts: (comm) => {
    const counts = new Array(comm.size).fill(2);
    if (isLast(comm)) counts[0] = 1;
    comm.allgatherv(
      f64(2),
      f64(2 * comm.size),
      counts,
      counts.map((_, r) => 2 * r),
    );
  },
  "number of calls": (comm) => {
    if (isLast(comm)) comm.barrier();
    comm.allreduce(f64(1), f64(1), "sum");
  },
  "size of a region": (comm) => void comm.createSharedRegion(Float64Array, isLast(comm) ? 3 : 4),
  "the last of many long broadcasts": (comm) => {
    for (let i = 0; i < 3; i++) comm.broadcast(f64(50_000), 0);
    comm.broadcast(f64(isLast(comm) ? 50_001 : 50_000), 0);
    comm.barrier();
  },
  // A repeated short broadcast waits for nobody but its root; the next meeting finds the difference.
  "the last of many broadcasts": (comm) => {
    for (let i = 0; i < 20; i++) comm.broadcast(f64(4), 0);
    comm.broadcast(f64(isLast(comm) ? 5 : 4), 0);
    comm.barrier();
  },
};

function isLast(comm: Communicator): boolean {
  return comm.rank === comm.size - 1;
}
