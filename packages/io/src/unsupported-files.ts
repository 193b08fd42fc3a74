import { access } from "node:fs/promises";
import { join } from "node:path";
import { CASE_FILES, type IssueCollector } from "@cobre/core";
import type { Config, ScenarioSource } from "./files/config.js";
import { readJson } from "./json/read-json.js";
import { unsupported } from "./unsupported.js";

/** JSON files that hold one list, and what a list that is not empty asks for. */
const LISTS: readonly [file: string, list: string, what: string][] = [
  ["system/non_controllable_sources.json", "non_controllable_sources", "non-controllable sources"],
  ["system/hydro_production_models.json", "production_models", "production models of hydro plants"],
  ["constraints/generic_constraints.json", "constraints", "generic constraints"],
  ["constraints/exchange_factors.json", "exchange_factors", "factors on the capacity of lines"],
];

/** The reference reads these and does nothing with them. */
const WITHOUT_EFFECT: readonly [file: string, list: string][] = [
  ["system/pumping_stations.json", "pumping_stations"],
  ["system/energy_contracts.json", "contracts"],
];

/** Reports files and settings of features that this version does not have. */
export async function checkUnsupportedFiles(
  directory: string,
  issues: IssueCollector,
): Promise<void> {
  for (const [file, list, what] of LISTS) {
    const root = await readJson(directory, file, issues, true);
    if ((root?.optionalList(list) ?? []).length > 0) unsupported(issues, file, list, what);
  }
  for (const [file, list] of WITHOUT_EFFECT) {
    const root = await readJson(directory, file, issues, true);
    if ((root?.optionalList(list) ?? []).length === 0) continue;
    issues.warning("schema", { file, field: list }, "has no effect", "it is not part of the model");
  }
}

/** Reports settings of features that this version does not have. */
export function checkSettings(config: Config, issues: IssueCollector): void {
  if (config.training.cutSelection.isEnabled) {
    issues.warning(
      "schema",
      { file: CASE_FILES.config, field: "training.cut_selection" },
      "has no effect yet",
      "all cuts are kept: the results are right, only slower",
    );
  }
  const check = (source: ScenarioSource, field: string) => {
    for (const noiseClass of ["inflow", "load", "ncs"] as const) {
      const scheme = source[noiseClass];
      if (scheme === "in_sample") continue;
      unsupported(issues, CASE_FILES.config, `${field}.${noiseClass}.scheme`, scheme);
    }
  };
  check(config.training.scenarioSource, "training.scenario_source");
  if (config.simulation.scenarioSource !== config.training.scenarioSource) {
    check(config.simulation.scenarioSource, "simulation.scenario_source");
  }
}

/** Says why there are no statistics of the inflow, where the plants need them. */
export async function reportMissingStatistics(
  directory: string,
  issues: IssueCollector,
): Promise<void> {
  if (await exists(join(directory, CASE_FILES.inflowHistory))) {
    unsupported(issues, CASE_FILES.inflowHistory, undefined, "a model estimated from the history");
    return;
  }
  issues.error(
    "stochastic",
    { file: CASE_FILES.inflowStatistics },
    "is missing",
    "hydro plants need the mean and standard deviation of their inflows",
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
