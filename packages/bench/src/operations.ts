import type { Communicator } from "@cobre/comm";
import type { Cell } from "./plan.js";

/** The arrays of one cell; `length` is in doubles, per rank. */
export interface Buffers {
  readonly length: number;
  readonly send: Float64Array;
  readonly recv: Float64Array;
  readonly counts: readonly number[];
  readonly displs: readonly number[];
}

/** One operation. Each has its own loop, so that V8 compiles it for this call alone. */
interface Operation {
  /** Makes `calls` calls in a row. */
  run(comm: Communicator, buffers: Buffers, calls: number): void;
  /** The number of elements that it writes to `recv`. */
  produced(length: number, size: number): number;
  /** The expected value of `recv[i]`, so that no wrong result is timed. */
  result(i: number, length: number, size: number): number;
}

/** Element i of the contribution of rank r: small integers, whose sums are exact. */
function contribution(r: number, i: number): number {
  return (r + 1) * (1 + (i % 7));
}

const perRank = (length: number): number => length;
const pieceOfRank0 = (i: number): number => contribution(0, i);
const piecesOfAll = (i: number, length: number): number =>
  contribution(Math.floor(i / length), i % length);

const OPERATION: Readonly<Record<Cell["op"], Operation>> = {
  barrier: {
    run(comm, _buffers, calls) {
      for (let i = 0; i < calls; i++) comm.barrier();
    },
    produced: () => 0,
    result: () => 0,
  },
  allreduce: {
    run(comm, { send, recv }, calls) {
      for (let i = 0; i < calls; i++) comm.allreduce(send, recv, "sum");
    },
    produced: perRank,
    result: (i, _length, size) => ((size * (size + 1)) / 2) * contribution(0, i),
  },
  allgatherv: {
    run(comm, { send, recv, counts, displs }, calls) {
      for (let i = 0; i < calls; i++) comm.allgatherv(send, recv, counts, displs);
    },
    produced: (length, size) => length * size,
    result: piecesOfAll,
  },
  broadcast: {
    run(comm, { recv }, calls) {
      for (let i = 0; i < calls; i++) comm.broadcast(recv, 0);
    },
    produced: perRank,
    result: pieceOfRank0,
  },
  "broadcast-rotating": {
    run(comm, { recv }, calls) {
      const { size } = comm;
      for (let i = 0; i < calls; i++) comm.broadcast(recv, i % size);
    },
    produced: perRank,
    result: pieceOfRank0,
  },
  // The best that an allgatherv can do: every rank copies as many bytes as it delivers.
  copy: {
    run(_comm, { send, recv }, calls) {
      for (let i = 0; i < calls; i++) recv.set(send);
    },
    produced: (length, size) => length * size,
    result: piecesOfAll,
  },
  // The same bytes piece by piece, as an allgatherv has to place them. That is slower, because the C
  // library bypasses the caches only for a single very long copy.
  "copy-pieces": {
    run(_comm, { send, recv, length, displs }, calls) {
      for (let i = 0; i < calls; i++) {
        for (const displ of displs) recv.set(send.subarray(displ, displ + length), displ);
      }
    },
    produced: (length, size) => length * size,
    result: piecesOfAll,
  },
};

/** The buffers of a cell. Writing every element also touches every page before the measurement. */
export function makeBuffers(cell: Cell, comm: Communicator): Buffers {
  const { rank, size } = comm;
  const length = cell.bytes / Float64Array.BYTES_PER_ELEMENT;
  const produced = OPERATION[cell.op].produced(length, size);
  const isCopy = cell.op === "copy" || cell.op === "copy-pieces";
  const send = new Float64Array(isCopy ? produced : length);
  const value = isCopy ? piecesOfAll : contribution.bind(undefined, rank);
  for (let i = 0; i < send.length; i++) send[i] = value(i, length);
  const recv = new Float64Array(produced).fill(-1);
  const isRoot = cell.op.startsWith("broadcast") && rank === 0;
  if (isRoot) recv.set(send);
  return {
    length,
    send,
    recv,
    counts: new Array<number>(size).fill(length),
    displs: Array.from({ length: size }, (_, r) => r * length),
  };
}

/** Throws unless `recv` holds the result of the cell's operation. */
export function check(cell: Cell, { length, recv }: Buffers, comm: Communicator): void {
  const { result } = OPERATION[cell.op];
  for (let i = 0; i < recv.length; i++) {
    if (recv[i] === result(i, length, comm.size)) continue;
    throw new Error(`rank ${comm.rank}: wrong result: ${cell.op} of ${cell.bytes} bytes at ${i}`);
  }
}

/** Makes one batch of calls and returns the microseconds per call. */
export function timeBatch({ op, calls }: Cell, buffers: Buffers, comm: Communicator): number {
  const { run } = OPERATION[op];
  comm.barrier();
  const start = performance.now();
  run(comm, buffers, calls);
  comm.barrier();
  return ((performance.now() - start) * 1000) / calls;
}

/** Measures one cell: microseconds per call, one figure per batch. */
export function measure(cell: Cell, comm: Communicator): number[] {
  const { run } = OPERATION[cell.op];
  const buffers = makeBuffers(cell, comm);
  run(comm, buffers, 1);
  check(cell, buffers, comm);
  for (let i = 0; i < cell.warmup; i++) run(comm, buffers, cell.calls);

  const times = new Array<number>(cell.batches).fill(0);
  for (let i = 0; i < cell.batches; i++) times[i] = timeBatch(cell, buffers, comm);
  check(cell, buffers, comm);
  return times;
}
