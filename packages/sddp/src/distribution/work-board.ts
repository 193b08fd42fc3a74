import type { Communicator, SharedMemoryProvider, SharedRegion } from "@cobre/comm";

/**
 * Where the ranks of one machine take work as they come free, and leave what they found. Who does what changes from run to run with the
 * moods of the machine; what comes out does not, since an item's result depends on nothing that was done before it.
 *
 * Tickets and results have two places each, used in turn: when a rank comes back to a place, all have met in between, and so all
 * have read what was there.
 */
export class WorkBoard implements Disposable {
  private readonly tickets: SharedRegion<Int32Array>;
  private readonly results: SharedRegion<Float64Array>;
  private readonly capacity: number;
  private readonly isFirst: boolean;
  private turn = 0;

  /**
   * Collective.
   *
   * @param capacity how many numbers all items of a call have at most
   * @returns `undefined` on all ranks if not all of them share memory: the work is then dealt beforehand
   */
  static open(comm: Communicator & SharedMemoryProvider, capacity: number): WorkBoard | undefined {
    if (comm.size === 1) return undefined;
    const tickets = comm.createSharedRegion(Int32Array, 2);
    const results = comm.createSharedRegion(Float64Array, 2 * capacity);
    // Everybody who shares this memory leaves a mark; who finds fewer than there are ranks is not alone with them.
    Atomics.add(tickets.asMutSlice(), 0, 1);
    tickets.fence();
    const met = Int32Array.of(Atomics.load(tickets.asMutSlice(), 0));
    const fewest = new Int32Array(1);
    comm.allreduce(met, fewest, "min");
    if (comm.rank === 0) Atomics.store(tickets.asMutSlice(), 0, 0);
    tickets.fence();
    const board = new WorkBoard(tickets, results, capacity, comm.rank === 0);
    if (fewest[0] === comm.size) return board;
    board.close();
    return undefined;
  }

  private constructor(
    tickets: SharedRegion<Int32Array>,
    results: SharedRegion<Float64Array>,
    capacity: number,
    isFirst: boolean,
  ) {
    this.tickets = tickets;
    this.results = results;
    this.capacity = capacity;
    this.isFirst = isFirst;
  }

  /** The next item that nobody has taken; `items` or more when there is none. */
  take(): number {
    return Atomics.add(this.tickets.asMutSlice(), this.turn, 1);
  }

  /** Leaves the results of an item that was taken. */
  leave(offset: number, values: Float64Array): void {
    this.results.asMutSlice().set(values, this.turn * this.capacity + offset);
  }

  /** Collective: when all items are done, copies what everybody left. */
  collect(all: Float64Array): void {
    const { results, turn, capacity } = this;
    results.fence();
    all.set(results.asMutSlice().subarray(turn * capacity, turn * capacity + all.length));
    if (this.isFirst) Atomics.store(this.tickets.asMutSlice(), turn, 0);
    this.turn = 1 - turn;
  }

  close(): void {
    this.tickets.close();
    this.results.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
