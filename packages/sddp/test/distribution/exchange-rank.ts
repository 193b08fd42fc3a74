/** A rank that gives, shares and compares with others, and prints what it has then. */
import { createCommunicator, type SharedRegion } from "@cobre/comm";
import { agreeOnSolver, CutPool } from "@cobre/sddp";
import { Deal, Exchange, ranksByText, SharedCutMemory, WorkBoard } from "#internal";
import { ROUNDS, startsOf, valuesOf } from "./uneven-items.js";

/** What stands where nothing has been written. */
const NOTHING = 255;
const SLEEP_MS = 20;

using comm = await createCommunicator();
const { rank, size } = comm;
const isLast = rank === size - 1;

function sleep(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS);
}

/** All regions that were made. Where the last rank passes a fence, the others are far ahead when it goes on. */
const regions: SharedRegion<Float64Array>[] = [];
const createRegion = comm.createSharedRegion.bind(comm);
comm.createSharedRegion = (type, count) => {
  const region = createRegion(type, count);
  regions.push(region as unknown as SharedRegion<Float64Array>);
  const meet = region.fence.bind(region);
  region.fence = () => {
    meet();
    if (isLast) sleep();
  };
  return region;
};
const areClosed = () =>
  regions.splice(0).map((region) => {
    try {
      region.asSlice();
      return false;
    } catch {
      return true;
    }
  });

/** What each round gives if ranks have blocks of the items. */
function gathered<T extends Float64Array | Uint8Array>(type: new (length: number) => T) {
  const exchange = new Exchange(comm);
  return ROUNDS.map((lengths, round) => {
    const starts = startsOf(lengths);
    const deal = new Deal(lengths.length, size, rank);
    const all = new type(starts(lengths.length)).fill(NOTHING) as T;
    for (let item = deal.first; item < deal.end; item++) {
      all.set(valuesOf(round, item), starts(item));
    }
    exchange.gather(all, deal, starts);
    return [...all];
  });
}

/** What each round gives if ranks work on one item after the other, and on which ones this rank has worked. */
function shared(board: WorkBoard | undefined) {
  const exchange = new Exchange(comm, false, board);
  return ROUNDS.map((lengths, round) => {
    const starts = startsOf(lengths);
    const all = new Float64Array(starts(lengths.length)).fill(NOTHING);
    const worked: number[] = [];
    exchange.share(lengths.length, all, starts, (item) => {
      worked.push(item);
      // So that the others are done before.
      if (item === 0) sleep();
      all.set(valuesOf(round, item), starts(item));
    });
    return { worked, all: [...all] };
  });
}

/** The cuts that the leader writes, as this rank reads them after the fence. More of them than one piece of memory holds. */
function cuts() {
  using memory = new SharedCutMemory(comm);
  memory.fence(); // there is no memory yet
  const pool = new CutPool(1, memory);
  if (memory.isWriter) sleep();
  for (let i = 0; i < 20; i++) {
    if (memory.isWriter) pool.add(1, i, i + 0.5, Float64Array.of(-i));
    else pool.addUnwritten(1, i);
  }
  memory.fence();
  return { isWriter: memory.isWriter, values: [...pool.packedValues()] };
}

/** The error of a comparison, `undefined` if there is none. */
function disagreement(fingerprint: string) {
  try {
    agreeOnSolver(comm, { fingerprint } as Parameters<typeof agreeOnSolver>[1]);
    return undefined;
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return { kind, message };
  }
}

const largest = Math.max(...ROUNDS.map((lengths) => startsOf(lengths)(lengths.length)));
const board = WorkBoard.open(comm, largest);
const hasBoard = board !== undefined;
const taken = shared(board);
board?.close();
// A group whose memory is not shared closes the regions of its own accord.
const boardClosed = areClosed();
WorkBoard.open(comm, 1)?.[Symbol.dispose]();
const disposedClosed = areClosed();

console.log(
  JSON.stringify({
    hasBoard,
    taken,
    dealt: shared(undefined),
    gathered: gathered(Float64Array),
    bytes: gathered(Uint8Array),
    most: [...new Exchange(comm).max(Int32Array.of(rank, -rank, 7))],
    texts: [
      rank % 2 === 0 ? "even" : "odd",
      "",
      "é".repeat(100) + rank,
      "a".repeat(255) + rank,
      "a".repeat(256) + rank,
    ].map((text) => [...ranksByText(comm, text)]),
    disagreement: disagreement(rank === 1 ? "other 2" : "solver 1"),
    agreement: disagreement("solver 1") ?? null,
    cuts: cuts(),
    closed: [boardClosed, disposedClosed, areClosed()],
  }),
);
