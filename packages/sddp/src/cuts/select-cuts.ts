import type { CutSelection } from "@cobre/io";
import type { CutPool } from "./cut-pool.js";
import type { CutSelectionPlugin, VisitedStates } from "./selection/cut-selection.js";

/**
 * Which cuts of a stage belong in its programs: 1 or 0 for each slot. A cut is judged by its height at the states that training has visited,
 * by the method. A budget then keeps, of these, the cuts that are highest at the most states, the newer ones first. Cuts of this iteration, and those that training
 * started with, always stay: the first have not had a chance, and the states they were made for are not known of the others.
 *
 * @param method the plug-in of the method; `undefined` if only the budget counts, as it does for one that keeps none out
 */
export function selectCuts(
  selection: CutSelection,
  method: CutSelectionPlugin | undefined,
  pool: CutPool,
  archive: VisitedStates,
  iteration: number,
): Uint8Array {
  const { maxActivePerStage } = selection;
  const flags = new Uint8Array(pool.count);
  const wins = new Int32Array(pool.count);
  for (let state = 0; state < archive.count; state++) wins[archive.bestSlot(state)]++;
  if (method?.keep === undefined) flags.fill(1);
  else method.keep(selection, pool, archive, flags);
  const mustStay = (slot: number) =>
    pool.iteration(slot) === iteration || pool.iteration(slot) === 0;
  for (let slot = 0; slot < pool.count; slot++) if (mustStay(slot)) flags[slot] = 1;
  if (maxActivePerStage !== undefined) {
    const kept = Array.from(flags.keys()).filter((slot) => flags[slot] === 1);
    const byUse = kept.filter((slot) => !mustStay(slot)).sort((a, b) => wins[b] - wins[a] || b - a);
    const room = Math.max(0, maxActivePerStage - (kept.length - byUse.length));
    for (const slot of byUse.slice(room)) flags[slot] = 0;
  }
  return flags;
}
