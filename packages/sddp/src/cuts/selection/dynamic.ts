import type { DemandRules } from "../rows-on-demand.js";
import type { CutSelectionPlugin } from "./cut-selection.js";

/** Keeps no cut in the programs but the newest ones: a program takes in the cuts that its solution violates, until there are none. */
export const dynamic: CutSelectionPlugin<DemandRules> = {
  method: "dynamic",
  read: (selection) => ({
    startIteration: selection.optionalInteger("start_iteration", { min: 1 }) ?? 2,
    seedWindow: selection.optionalInteger("seed_window", { min: 0 }),
    candidateRecency: selection.optionalInteger("candidate_recency", { min: 1 }),
    maxAddedPerRound: selection.optionalInteger("max_added_per_round", { min: 1 }) ?? 10,
    violationTolerance: selection.optionalNumber("violation_tolerance", { min: 0 }) ?? 1e-10,
  }),
  demand: (rules) => rules,
};
