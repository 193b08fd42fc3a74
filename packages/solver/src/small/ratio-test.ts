import { BasisState } from "../linear-program.js";
import { NOWHERE } from "./kernel.js";
import { grown } from "./sparse-rows.js";

/** An entry of the pivot row below this is taken for 0. */
const LEAST_ENTRY = 1e-9;
/** A pivot must be at least this large. */
const LEAST_PIVOT = 1e-7;
/** By so much a reduced cost may get the wrong sign, if that allows for a larger pivot. */
const SLACK = 1e-9;
/** What is left of the gap, as a part of it beyond 1, must be more than this. Less is rounding, and what leaves is at its bound already. */
const LEAST_REST = 1e-9;

/**
 * Chooses what enters the basis. Along the edge, reduced costs become 0 one after the other. What has two bounds can be flipped there to the other
 * one and be passed, as long as that leaves a part of the gap. The first that cannot be passed enters. Among those that are reached at the same
 * time, but for a small tolerance, the largest entry wins (Harris).
 */
export class RatioTest {
  /** What was passed, by name. */
  flipped = new Int32Array(16);
  flippedCount = 0;
  /** The entry of the pivot row for what enters. */
  pivot = 0;
  private gap = 0;
  private count = 0;
  private names = new Int32Array(16);
  private entries = new Float64Array(16);
  private costs = new Float64Array(16);
  private ranges = new Float64Array(16);

  /** @param gap what the leaving variable lacks to its bound; negative if it has too much */
  begin(gap: number): void {
    this.gap = gap;
    this.count = 0;
    this.flippedCount = 0;
  }

  /** Something that is not basic, with its entry in the pivot row, its reduced cost and the distance of its bounds. */
  offer(name: number, entry: number, reducedCost: number, state: number, range: number): void {
    if (Math.abs(entry) < LEAST_ENTRY) return;
    // What leaves grows by the entry times what this one loses.
    const helpsByGrowing = this.gap > 0 === entry < 0;
    if (state === BasisState.lower && !helpsByGrowing) return;
    if (state === BasisState.upper && helpsByGrowing) return;
    const { count } = this;
    if (count === this.names.length) this.grow();
    this.names[count] = name;
    this.entries[count] = entry;
    const cost = state === BasisState.upper ? -reducedCost : reducedCost;
    this.costs[count] = state === BasisState.zero || cost < 0 ? 0 : cost;
    this.ranges[count] = range;
    this.count++;
  }

  /** The name of what enters, or `NOWHERE`. */
  choose(): number {
    const { names, entries, costs, ranges } = this;
    let left = Math.abs(this.gap);
    const leastRest = LEAST_REST * Math.max(1, left);
    while (this.count > 0) {
      let most = Number.POSITIVE_INFINITY;
      for (let i = 0; i < this.count; i++) {
        const ratio = (costs[i] + SLACK) / Math.abs(entries[i]);
        if (ratio < most) most = ratio;
      }
      let chosen = NOWHERE;
      let largest = 0;
      let passed = 0;
      for (let i = 0; i < this.count; i++) {
        const size = Math.abs(entries[i]);
        // Divided as above: the smallest ratio must count as reached, however it is rounded.
        if (costs[i] / size > most) continue;
        passed += size * ranges[i];
        if (size > largest) {
          largest = size;
          chosen = i;
        }
      }
      // Nothing is reached if a number is none.
      if (chosen === NOWHERE) return NOWHERE;
      if (left - passed > leastRest) {
        left -= passed;
        this.pass(most);
        continue;
      }
      if (largest < LEAST_PIVOT) return NOWHERE;
      this.pivot = entries[chosen];
      return names[chosen];
    }
    return NOWHERE;
  }

  /** Flips all that are reached by this step. */
  private pass(step: number): void {
    const { names, entries, costs, ranges } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (costs[i] / Math.abs(entries[i]) <= step) {
        if (this.flippedCount === this.flipped.length) {
          this.flipped = grown(this.flipped, new Int32Array(2 * this.flippedCount));
        }
        this.flipped[this.flippedCount++] = names[i];
        continue;
      }
      names[kept] = names[i];
      entries[kept] = entries[i];
      costs[kept] = costs[i];
      ranges[kept++] = ranges[i];
    }
    this.count = kept;
  }

  private grow(): void {
    const room = 2 * this.names.length;
    this.names = grown(this.names, new Int32Array(room));
    this.entries = grown(this.entries, new Float64Array(room));
    this.costs = grown(this.costs, new Float64Array(room));
    this.ranges = grown(this.ranges, new Float64Array(room));
  }
}
