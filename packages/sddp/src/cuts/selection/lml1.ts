import type { CutSelectionPlugin } from "./cut-selection.js";
import { readTies, type Tolerance } from "./keep-high.js";

/** Keeps the highest cut at each state; of equally high ones, the oldest. */
export const lml1: CutSelectionPlugin<Tolerance> = {
  method: "lml1",
  // Not used here; it is in the fingerprints of policies that were trained with it.
  read: readTies,
  keep: (_, __, visited, flags) => {
    for (let state = 0; state < visited.count; state++) flags[visited.bestSlot(state)] = 1;
  },
};
