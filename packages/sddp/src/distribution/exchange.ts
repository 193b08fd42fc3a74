import type { CommArray, Communicator } from "@cobre/comm";
import type { Deal } from "./deal.js";
import { SnakeDeal } from "./snake-deal.js";
import type { WorkBoard } from "./work-board.js";

/** The collectives of training and simulation, with the time spent in them. */
export class Exchange<C extends Communicator> {
  readonly comm: C;
  /** Milliseconds spent waiting for other ranks; 0 unless `splitsWaiting` is set. */
  waitingMs = 0;
  /** Milliseconds in collectives, without `waitingMs`. */
  movingMs = 0;
  private readonly splitsWaiting: boolean;
  private readonly board: WorkBoard | undefined;

  /**
   * @param splitsWaiting puts a barrier before each collective, so that waiting is measured apart from moving data; it costs a little
   * @param board hands out work dynamically; given only if all ranks share memory
   */
  constructor(comm: C, splitsWaiting = false, board?: WorkBoard) {
    this.comm = comm;
    this.board = board;
    this.splitsWaiting = splitsWaiting && comm.size > 1;
  }

  /**
   * Gives every rank the items of all ranks. Item i occupies `starts(i)` to `starts(i + 1)` of `all`; this rank has already put its own
   * items there.
   */
  gather<T extends CommArray>(all: T, deal: Deal, starts: (item: number) => number): void {
    const { comm } = this;
    if (comm.size === 1) return;
    const { counts, displs } = deal.pieces(starts);
    const begin = displs[comm.rank];
    // A copy, because the send buffer must not overlap the receive buffer.
    const mine = all.slice(begin, begin + counts[comm.rank]) as T;
    this.timed(() => comm.allgatherv(mine, all, counts, displs));
  }

  /**
   * Works on all items, each on one rank, and returns with all results on every rank. `work` writes the results of item i to `starts(i)`
   * to `starts(i + 1)` of `all`, which holds nothing else; they must not depend on what the rank did before. Ranks that share memory take
   * the next item whenever they are free. Otherwise the items are dealt beforehand.
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

  /** Like {@link gather}, for items dealt by a {@link SnakeDeal}. */
  private gatherSnake(all: Float64Array, deal: SnakeDeal, starts: (item: number) => number): void {
    const { comm } = this;
    if (comm.size === 1) return;
    const counts = new Int32Array(comm.size);
    const displs = new Int32Array(comm.size);
    /** All items in the order of the ranks that computed them. */
    const packed = new Float64Array(all.length);
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

  /** The maximum over all ranks, element by element. */
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
