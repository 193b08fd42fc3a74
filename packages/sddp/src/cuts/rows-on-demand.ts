import type { Basis } from "@cobre/solver";
import type { CutPool } from "./cut-pool.js";
import type { CutColumns, CutRows } from "./cut-rows.js";
import { HeightsInParts } from "./heights-in-parts.js";

/** Which cuts a program starts with, and which ones it takes in. They are plain values, as the settings of a method are. */
export type DemandRules = {
  /** All cuts are rows until there are cuts of the iteration before this one. */
  readonly startIteration: number;
  /** The cuts of this many iterations, the newest, are rows from the beginning; `undefined`: as many as have a few cuts. */
  readonly seedWindow?: number | undefined;
  /** Only cuts of this many iterations, the newest, are taken in; `undefined`: all. */
  readonly candidateRecency?: number | undefined;
  /** So many cuts are added before the program is solved again. */
  readonly maxAddedPerRound: number;
  /** A cut is violated if it lies above θ by more than this part of it, or of 1 if θ is smaller. */
  readonly violationTolerance: number;
};

/** After so many rounds all violated cuts are added at once. */
const MOST_ROUNDS = 50;

/**
 * Without a seed window, the cuts of the newest iteration are rows from the beginning, and those of the iterations before it as long as there are
 * no more than these. A program that begins with 250 cuts, those of five iterations of 50 passes, takes a quarter longer.
 */
const MOST_SEEDS = 20;
const MOST_SEED_ITERATIONS = 5;

/**
 * A program that has rows only for cuts that it needs: those that are tight in the basis from which it starts, the newest ones, and those that turn out
 * to be violated. It is solved again until none is. So its optimum is that of the program with all cuts, but for the tolerance.
 *
 * The rows at the start follow from the pool and the basis. So a result does not depend on what was solved before.
 */
export class RowsOnDemand {
  private readonly rows: CutRows;
  private readonly columns: CutColumns;
  private readonly rules: DemandRules;
  private pool: CutPool | undefined;
  private readonly state: Float64Array;
  private readonly parts: HeightsInParts;
  private heights = new Float64Array(0);

  constructor(rows: CutRows, columns: CutColumns, rules: DemandRules) {
    this.rows = rows;
    this.columns = columns;
    this.rules = rules;
    this.parts = new HeightsInParts(columns);
    this.state = new Float64Array(columns.outgoing.length);
  }

  /** Takes note of new cuts, and of those that were taken out of the programs for good. */
  follow(pool: CutPool): void {
    this.pool = pool;
    this.rows.show(pool, this.rows.shown);
  }

  /** Makes the rows those from which the first solve after this stored basis starts. */
  begin(basis: Basis): void {
    const { pool, rows } = this;
    if (pool === undefined || pool.count === 0) return;
    const newest = pool.iteration(pool.count - 1);
    const hasAll = newest + 1 < this.rules.startIteration;
    const firstSeed = this.firstSeedIteration(pool);
    const slots: number[] = [];
    for (let slot = 0; slot < pool.count; slot++) {
      if (!pool.isActive(slot)) continue;
      // Cuts from before training have no age.
      const iteration = pool.iteration(slot);
      const isNew = iteration > 0 && iteration >= firstSeed;
      if (hasAll || isNew || rows.isTight(basis, slot)) slots.push(slot);
    }
    rows.show(pool, Int32Array.from(slots));
  }

  /** The cuts of this iteration, and of all after it, are rows from the beginning. */
  private firstSeedIteration(pool: CutPool): number {
    const newest = pool.iteration(pool.count - 1);
    const { seedWindow } = this.rules;
    if (seedWindow !== undefined) return newest - seedWindow + 1;
    // The first of the newest cuts may be one of several of its iteration.
    const before = pool.count - 1 - MOST_SEEDS;
    const firstWhole = before < 0 ? 1 : pool.iteration(before) + 1;
    return Math.min(newest, Math.max(firstWhole, newest - MOST_SEED_ITERATIONS + 1));
  }

  /**
   * Adds rows for the cuts that a solution violates most.
   *
   * @param round how often this has been asked before for the same state and opening
   * @returns whether there were any, so that the program has to be solved again
   */
  addViolated(primal: Float64Array, round: number): boolean {
    const { pool, rows } = this;
    if (pool === undefined || rows.active === pool.count) return false;
    const { maxAddedPerRound, violationTolerance } = this.rules;
    const { theta, outgoing } = this.columns;
    if (this.heights.length < pool.count) this.heights = new Float64Array(2 * pool.count);
    const { heights, state } = this;
    for (let i = 0; i < state.length; i++) state[i] = primal[outgoing[i]];
    const least = primal[theta] + violationTolerance * Math.max(1, Math.abs(primal[theta]));
    if (this.parts.compute(pool, state, heights) <= least) return false;
    const violated: number[] = [];
    for (let slot = 0; slot < pool.count; slot++) {
      if (heights[slot] > least && this.isCandidate(pool, slot)) violated.push(slot);
    }
    if (violated.length === 0) return false;
    if (round < MOST_ROUNDS && violated.length > maxAddedPerRound) {
      violated.sort((a, b) => heights[b] - heights[a] || a - b);
      violated.length = maxAddedPerRound;
    }
    rows.append(pool, Int32Array.from(violated));
    return true;
  }

  private isCandidate(pool: CutPool, slot: number): boolean {
    if (this.rows.isActive(slot) || !pool.isActive(slot)) return false;
    const { candidateRecency } = this.rules;
    const iteration = pool.iteration(slot);
    if (candidateRecency === undefined || iteration === 0) return true;
    return pool.iteration(pool.count - 1) - iteration < candidateRecency;
  }
}
