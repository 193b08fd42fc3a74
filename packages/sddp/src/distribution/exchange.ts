import type { CommArray, Communicator } from "@cobre/comm";
import type { Deal } from "./deal.js";
import { SnakeDeal } from "./snake-deal.js";
import type { WorkBoard } from "./work-board.js";

/** The collectives of training and simulation, with the time spent in them. */
export class Exchange<C extends Communicator> {
  readonly comm: C;
  /** Milliseconds until the others had come, if it is measured apart. */
  waitingMs = 0;
  /** Milliseconds in collectives, without `waitingMs`. */
  movingMs = 0;
  private readonly splitsWaiting: boolean;
  private readonly board: WorkBoard | undefined;

  /**
   * @param splitsWaiting whether a barrier before each collective tells waiting from moving; it costs a little
   * @param board of the ranks, if all of them share memory
   */
  constructor(comm: C, splitsWaiting = false, board?: WorkBoard) {
    this.comm = comm;
    this.board = board;
    this.splitsWaiting = splitsWaiting && comm.size > 1;
  }

  /** Everybody's items, of which item i stands at `starts(i)` to `starts(i + 1)` of `all`. This rank's are in their place. */
  gather<T extends CommArray>(all: T, deal: Deal, starts: (item: number) => number): void {
    const { comm } = this;
    if (comm.size === 1) return;
    const { counts, displs } = deal.pieces(starts);
    const begin = displs[comm.rank];
    // A copy: what is sent must not overlap with what is received.
    const mine = all.slice(begin, begin + counts[comm.rank]) as T;
    this.timed(() => comm.allgatherv(mine, all, counts, displs));
  }

  /**
   * Does all items, each on one rank; every rank returns with the results of all. `work` puts those of item i at `starts(i)` to
   * `starts(i + 1)` of `all`, and must not depend on what the rank did before. Ranks that share memory take items as they come free, others have
   * them dealt.
   */
  share(
    items: number,
    all: Float64Array,
    starts: (item: number) => number,
    work: (item: number) => void,
  ): void {
    const { board, comm } = this;
    if (board === undefined) {
      const deal = new SnakeDeal(items, comm.size);
      for (const item of deal.of(comm.rank)) work(item);
      this.gatherSnake(all, deal, starts);
      return;
    }
    for (let item = board.take(); item < items; item = board.take()) {
      work(item);
      board.leave(starts(item), all.subarray(starts(item), starts(item + 1)));
    }
    this.timed(() => board.collect(all));
  }

  /** The same as {@link gather} for items that are dealt as a snake goes. */
  private gatherSnake(all: Float64Array, deal: SnakeDeal, starts: (item: number) => number): void {
    const { comm } = this;
    if (comm.size === 1) return;
    const counts = new Int32Array(comm.size);
    const displs = new Int32Array(comm.size);
    const total = starts(deal.items) - starts(0);
    /** Everybody's items as they travel: those of rank 0, those of rank 1 … */
    const packed = new Float64Array(total);
    let length = 0;
    for (let rank = 0; rank < comm.size; rank++) {
      displs[rank] = length;
      for (const item of deal.of(rank)) {
        const piece = all.subarray(starts(item), starts(item + 1));
        if (rank === comm.rank) packed.set(piece, length);
        length += piece.length;
      }
      counts[rank] = length - displs[rank];
    }
    const begin = displs[comm.rank];
    const mine = packed.slice(begin, begin + counts[comm.rank]);
    this.timed(() => comm.allgatherv(mine, packed, counts, displs));
    let from = 0;
    for (let rank = 0; rank < comm.size; rank++) {
      for (const item of deal.of(rank)) {
        const piece = all.subarray(starts(item), starts(item + 1));
        piece.set(packed.subarray(from, from + piece.length));
        from += piece.length;
      }
    }
  }

  /** The largest of everybody's numbers, one by one. */
  max(values: Int32Array): Int32Array {
    const result = new Int32Array(values.length);
    this.timed(() => this.comm.allreduce(values, result, "max"));
    return result;
  }

  private timed(collective: () => void): void {
    let start = performance.now();
    if (this.splitsWaiting) {
      this.comm.barrier();
      const met = performance.now();
      this.waitingMs += met - start;
      start = met;
    }
    collective();
    this.movingMs += performance.now() - start;
  }
}
