import {
  CASE_FILES,
  type IssueCollector,
  type Study,
  type SystemInput,
  type TimeInput,
} from "@cobre/core";
import { NON_NEGATIVITY } from "@cobre/stochastic";
import type { Config } from "./files/config.js";
import type { Life } from "./files/entities.js";
import type { ScenarioSource } from "./files/scenario-source.js";
import { unsupported } from "./unsupported.js";

/** Reports settings of features that this version does not support, and settings without effect. */
export function checkSettings(config: Config, issues: IssueCollector): void {
  const { training, simulation } = config;
  const check = (source: ScenarioSource, field: string) => {
    const classes = (["inflow", "load", "ncs"] as const).filter(
      (noiseClass) => source[noiseClass] !== "in_sample",
    );
    for (const noiseClass of classes) {
      const what = source[noiseClass];
      unsupported(issues, CASE_FILES.config, `${field}.${noiseClass}.scheme`, what);
    }
    const { seed } = source;
    if (classes.length > 0 || seed === undefined || Math.abs(seed) === Math.abs(training.treeSeed))
      return;
    issues.warning(
      "schema",
      { file: CASE_FILES.config, field: `${field}.seed` },
      "has no effect with in_sample",
      `paths come from training.tree_seed, which is ${training.treeSeed}; change that one to draw others`,
    );
  };
  check(training.scenarioSource, "training.scenario_source");
  if (simulation.scenarioSource !== training.scenarioSource) {
    check(simulation.scenarioSource, "simulation.scenario_source");
  }
}

/** Warns of entities that come or go within the study, which Cobre 0.5 does not look at. */
export function checkLives(
  lives: readonly Life[],
  { stages }: TimeInput,
  issues: IssueCollector,
  compat: Config["compat"],
): void {
  if (compat === undefined) return;
  const ids = stages.map(({ id }) => id);
  for (const { file, entity, entry, exit } of lives) {
    const limits = [
      ["entry_stage_id", entry, (id: number) => id < (entry ?? id)],
      ["exit_stage_id", exit, (id: number) => id >= (exit ?? Number.POSITIVE_INFINITY)],
    ] as const;
    for (const [field, limit, isOutside] of limits) {
      if (limit === undefined || !ids.some(isOutside)) continue;
      const remedy = "as in Cobre 0.5; set the bounds of the stages without it to 0";
      issues.warning("schema", { file, entity, field }, "has no effect", remedy);
    }
  }
}

/** Warns of what Cobre 0.5 does not look at: reservoirs that are filled, water that takes time, plants that are committed ahead, losses. */
export function checkIgnored(
  { hydros, thermals, lines }: SystemInput,
  issues: IssueCollector,
  compat: Config["compat"],
): void {
  if (compat === undefined) return;
  const warn = (file: string, entity: string, field: string, value: unknown) => {
    if (value === undefined) return;
    issues.warning("schema", { file, entity, field }, "has no effect", "as in Cobre 0.5");
  };
  for (const { id, filling, travelTimeHours } of hydros) {
    warn(CASE_FILES.hydros, `hydro ${id}`, "filling", filling);
    warn(CASE_FILES.hydros, `hydro ${id}`, "travel_time_hours", travelTimeHours);
  }
  for (const { id, lead } of thermals) {
    warn(CASE_FILES.thermals, `thermal ${id}`, "gnl_config", lead);
  }
  for (const { id, lossesPercent = 0 } of lines) {
    if (lossesPercent === 0) continue;
    const place = { file: CASE_FILES.lines, entity: `line ${id}`, field: "losses_percent" };
    const remedy = "as in Cobre: the whole flow arrives, and results report the losses";
    issues.warning("schema", place, "does not change the flow", remedy);
  }
}

/** Warns of chronological stages, which Cobre 0.5 takes as parallel. */
export function checkBlockModes(
  { stages }: TimeInput,
  issues: IssueCollector,
  compat: Config["compat"],
): void {
  if (compat === undefined) return;
  for (const { id, isChronological } of stages) {
    if (isChronological !== true) continue;
    const place = { file: CASE_FILES.stages, entity: `stage ${id}`, field: "block_mode" };
    issues.warning("schema", place, "chronological has no effect", "as in Cobre 0.5");
  }
}

/** Warns if the configuration gives another cost of added water than the penalties, which are what counts. */
export function checkInflowPenalty(
  { inflowNonNegativity }: Config,
  { hydroPenalties }: Study,
  issues: IssueCollector,
): void {
  const { method, penaltyCost } = inflowNonNegativity;
  if (penaltyCost === undefined || !NON_NEGATIVITY[method].hasSlack) return;
  const costs = hydroPenalties.inflowNonnegativityCost.values;
  const other = costs.find((cost) => cost !== penaltyCost);
  if (other === undefined) return;
  issues.warning(
    "schema",
    { file: CASE_FILES.config, field: "modeling.inflow_non_negativity.penalty_cost" },
    `is ${penaltyCost} and has no effect: the penalties say ${other}`,
    `set hydro.inflow_nonnegativity_cost in ${CASE_FILES.penalties}, and remove it here`,
  );
}

/** Refuses terminal values of a study that has no end. */
export function checkBoundary({ policy }: Config, { time }: Study, issues: IssueCollector): void {
  if (policy.boundary === undefined || !time.graph.isCyclic) return;
  issues.error(
    "references",
    { file: CASE_FILES.config, field: "policy.boundary" },
    "gives a value to the end of a cyclic horizon, which has none",
    `remove it, or set policy_graph.type to finite_horizon in ${CASE_FILES.stages}`,
  );
}
