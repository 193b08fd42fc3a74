import type { CutSelection } from "@cobre/io";
import type { CutPool } from "./cut-pool.js";
import type { StateArchive } from "./state-archive.js";

/**
 * Which cuts of a stage belong in its programs: 1 or 0 for each slot. A cut is judged by its height at the states that training has visited.
 *
 * - `lml1` keeps the highest cut at each state; of equally high ones, the oldest
 * - `level1` and `domination` keep every cut that comes within the tolerance of the highest one at some state
 *
 * A budget then keeps, of these, the cuts that are highest at the most states, the newer ones first. Cuts of this iteration, and those that training
 * started with, always stay: the first have not had a chance, and the states they were made for are not known of the others.
 */
export function selectCuts(
  { method, tolerance, maxActivePerStage }: CutSelection,
  pool: CutPool,
  archive: StateArchive,
  iteration: number,
): Uint8Array {
  const flags = new Uint8Array(pool.count);
  const wins = new Int32Array(pool.count);
  for (let state = 0; state < archive.count; state++) wins[archive.bestSlot(state)]++;
  if (method === "lml1") flags.set(wins.map((count) => Math.min(count, 1)));
  else if (method !== undefined) keepHigh(flags, pool, archive, tolerance);
  else flags.fill(1);
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

/** Keeps the cuts that come within the tolerance, relative to heights above 1, of the highest one at some state. */
function keepHigh(
  flags: Uint8Array,
  pool: CutPool,
  archive: StateArchive,
  tolerance: number,
): void {
  const heights = new Float64Array(pool.count);
  for (let state = 0; state < archive.count; state++) {
    archive.heights(pool, state, heights);
    const best = archive.bestHeight(state);
    const least = best - tolerance * Math.max(1, Math.abs(best));
    for (let slot = 0; slot < heights.length; slot++) if (heights[slot] >= least) flags[slot] = 1;
  }
}
