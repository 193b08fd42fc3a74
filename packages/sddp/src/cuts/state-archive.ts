import type { CutPool } from "./cut-pool.js";

/** Room for this many states at first. */
const FIRST_ROOM = 64;

/**
 * The states in which a stage ended during training, and the highest cut of its pool at each. Of cuts that are equally high, the oldest
 * counts. Everything follows from the states and the cuts, so it is the same on all ranks and after a resumption.
 */
export class StateArchive {
  readonly dimension: number;
  count = 0;
  private values: Float64Array;
  private bestSlots = new Int32Array(FIRST_ROOM);
  private bestHeights = new Float64Array(FIRST_ROOM);
  /** Every state has been compared with the cuts before this slot. */
  private compared = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.values = new Float64Array(FIRST_ROOM * dimension);
  }

  /** The states again, one after the other. */
  static from(dimension: number, values: Float64Array, pool: CutPool): StateArchive {
    const archive = new StateArchive(dimension);
    const count = dimension === 0 ? 0 : values.length / dimension;
    for (let state = 0; state < count; state++) archive.append(values, state * dimension);
    archive.compare(pool, 0);
    return archive;
  }

  /** A copy of the states, one after the other. */
  packedValues(): Float64Array {
    return this.values.slice(0, this.count * this.dimension);
  }

  /** Adds states, which begin at the offsets in `values`, after cuts have been added to the pool. */
  add(pool: CutPool, values: Float64Array, offsets: readonly number[]): void {
    this.compare(pool, this.compared);
    const first = this.count;
    for (const offset of offsets) this.append(values, offset);
    this.compareStates(pool, first, 0);
  }

  /** The slot of the highest cut at a state. */
  bestSlot(state: number): number {
    return this.bestSlots[state];
  }

  /** The height of that cut, in thousands of $. */
  bestHeight(state: number): number {
    return this.bestHeights[state];
  }

  /** The heights of all cuts at a state. */
  heights(pool: CutPool, state: number, heights: Float64Array): void {
    pool.heights(0, this.values, state * this.dimension, heights);
  }

  private append(values: Float64Array, offset: number): void {
    const { dimension } = this;
    if (this.count === this.bestSlots.length) {
      this.values = grown(this.values, Float64Array);
      this.bestSlots = grown(this.bestSlots, Int32Array);
      this.bestHeights = grown(this.bestHeights, Float64Array);
    }
    this.values.set(values.subarray(offset, offset + dimension), this.count * dimension);
    this.bestHeights[this.count] = Number.NEGATIVE_INFINITY;
    this.count++;
  }

  /** Compares all states with the cuts from slot `first` on. */
  private compare(pool: CutPool, first: number): void {
    if (first < pool.count) this.compareStates(pool, 0, first);
    this.compared = pool.count;
  }

  private compareStates(pool: CutPool, firstState: number, firstSlot: number): void {
    const heights = new Float64Array(pool.count - firstSlot);
    for (let state = firstState; state < this.count; state++) {
      pool.heights(firstSlot, this.values, state * this.dimension, heights);
      let best = this.bestHeights[state];
      for (let i = 0; i < heights.length; i++) {
        if (heights[i] <= best) continue;
        best = heights[i];
        this.bestSlots[state] = firstSlot + i;
      }
      this.bestHeights[state] = best;
    }
  }
}

function grown<T extends Float64Array | Int32Array>(array: T, type: new (length: number) => T): T {
  const larger = new type(2 * array.length);
  larger.set(array);
  return larger;
}
