import type { Communicator, SharedMemoryProvider, SharedRegion } from "@cobre/comm";

/**
 * Shared memory through which ranks take work whenever they are free and publish their results. Which rank does which item varies from
 * run to run. The results do not, because an item's result depends on nothing that was done before it.
 *
 * Tickets and results have two places each, used in turn. When a rank returns to a place, all ranks have met at a fence since, so all
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
   * @param capacity the largest number of values that the items of one call have together
   * @returns `undefined` on all ranks unless all of them share memory
   */
  static open(comm: Communicator & SharedMemoryProvider, capacity: number): WorkBoard | undefined {
    if (comm.size === 1) return undefined;
    const tickets = comm.createSharedRegion(Int32Array, 2);
    const results = comm.createSharedRegion(Float64Array, 2 * capacity);
    // Each rank that shares this memory adds one. A rank that then reads less than the number of ranks does not share it with all.
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

  /** The next item that no rank has taken. A number past the last item means that none is left. */
  take(): number {
    return Atomics.add(this.tickets.asMutSlice(), this.turn, 1);
  }

  /** Publishes the results of an item. */
  leave(offset: number, values: Float64Array): void {
    this.results.asMutSlice().set(values, this.turn * this.capacity + offset);
  }

  /** Collective: waits until all items are done and copies the results of all ranks. */
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
