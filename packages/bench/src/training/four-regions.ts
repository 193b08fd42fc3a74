import { fileURLToPath } from "node:url";
import type { Case } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { type Selection, selectionSettings } from "./selection.js";

const DIRECTORY = fileURLToPath(
  new URL("../../../../examples/cases/four-regions", import.meta.url),
);

/** The four-regions example, with this number of iterations. */
export function fourRegions(iterations: number, selection: Selection = "default"): Promise<Case> {
  return fourRegionsWith(iterations, selectionSettings(selection));
}

/** The same, with these settings of `training`. */
export function fourRegionsWith(iterations: number, settings: object): Promise<Case> {
  const stopping_rules = [{ type: "iteration_limit", limit: iterations }];
  return loadCase(DIRECTORY, { training: { stopping_rules, ...settings } });
}
