import type { CutSelectionFormat, ObjectReader } from "@cobre/io";
import type { CutPool } from "../cut-pool.js";
import type { DemandRules } from "../rows-on-demand.js";

/** The settings of a method. They are plain values, which JSON can hold. */
export type CutSelectionSettings = { readonly [setting: string]: unknown };

/** The states in which a stage has ended during training. The same on all ranks. */
export interface VisitedStates {
  readonly count: number;
  /** The slot of the highest cut at a state; of equally high ones, that of the oldest. */
  bestSlot(state: number): number;
  /** The height of that cut, in thousands of $. */
  bestHeight(state: number): number;
  /** Fills `heights` with the heights of all cuts at a state. */
  heights(pool: CutPool, state: number, heights: Float64Array): void;
}

/**
 * A method of cut selection: how its settings are written in `training.cut_selection`, and either which cuts it keeps in the programs (`keep`) or how programs
 * take cuts in while they are solved (`demand`). A method may keep any cuts: one that is taken out stays in the policy, and comes back when the method keeps it
 * again. docs/plugins.md tells more.
 *
 * @example
 * ```ts
 * // {"enabled": true, "method": "newest", "newest_cuts": 50}
 * const newest: CutSelectionPlugin<{ readonly cuts: number }> = {
 *   method: "newest",
 *   read: (selection) => ({ cuts: selection.optionalInteger("newest_cuts", { min: 1 }) ?? 100 }),
 *   keep: ({ cuts }, pool, _, flags) => flags.fill(1, Math.max(0, pool.count - cuts)),
 * };
 * ```
 */
export interface CutSelectionPlugin<S extends CutSelectionSettings = CutSelectionSettings>
  extends CutSelectionFormat {
  read(selection: ObjectReader): S;
  /** Sets the flags of the cuts that stay to 1. It follows from what it is given, so that all ranks keep the same. */
  keep?(settings: S, pool: CutPool, visited: VisitedStates, flags: Uint8Array): void;
  /** Has every program take in the cuts that its solution violates, by these rules; all other cuts stay outside. */
  demand?(settings: S): DemandRules;
}
