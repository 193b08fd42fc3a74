import type { ObjectReader } from "@cobre/io";
import type { CutPool } from "../cut-pool.js";
import type { VisitedStates } from "./cut-selection.js";

/** Cuts are this close to each other if only rounding sets them apart. */
export const SAME_HEIGHT = 1e-10;

/** How far below the highest cut at a state a cut may be there and still be kept. */
export type Tolerance = { readonly tolerance: number };

/** How close cuts are that count as equally high. Only Cobre 0.18 lets a case say it. */
export function readTies(selection: ObjectReader): Tolerance {
  const given = selection.isLater
    ? selection.optionalNumber("tie_tolerance", { min: 0 })
    : undefined;
  return { tolerance: given ?? SAME_HEIGHT };
}

/** Keeps the cuts that come within the tolerance, relative to heights above 1, of the highest one at some state. */
export function keepHigh(
  { tolerance }: Tolerance,
  pool: CutPool,
  visited: VisitedStates,
  flags: Uint8Array,
): void {
  const heights = new Float64Array(pool.count);
  for (let state = 0; state < visited.count; state++) {
    visited.heights(pool, state, heights);
    const best = visited.bestHeight(state);
    const least = best - tolerance * Math.max(1, Math.abs(best));
    for (let slot = 0; slot < heights.length; slot++) if (heights[slot] >= least) flags[slot] = 1;
  }
}
