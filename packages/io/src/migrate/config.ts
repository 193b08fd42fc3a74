import { CASE_FILES } from "@cobre/core";
import { isObject, type Json, without } from "./json.js";
import type { MigrationNotes } from "./notes.js";

const FILE = CASE_FILES.config;

/** `config.json` in the words of Cobre 0.18. */
export function migrateConfig(config: Json, usesOpenings: boolean, notes: MigrationNotes): Json {
  const { training, simulation, policy, modeling, exports, estimation } = config;
  if (typeof config.compat === "string") {
    notes.add(FILE, "compat", "the new case has the rules of Cobre 0.18");
  }
  return {
    ...without(config, "version", "compat"),
    training: trainingOf(isObject(training) ? training : {}, usesOpenings, notes),
    ...(isObject(simulation) && { simulation: simulationOf(simulation, notes) }),
    ...(isObject(policy) && { policy: policyOf(policy, notes) }),
    ...(isObject(modeling) && { modeling: modelingOf(modeling) }),
    ...(isObject(exports) && { exports: exportsOf(exports, notes) }),
    // Cobre 0.5 takes "fixed" for "pacf".
    ...(isObject(estimation) &&
      estimation.order_selection === "fixed" && {
        estimation: { ...estimation, order_selection: "pacf" },
      }),
  };
}

function trainingOf(training: Json, usesOpenings: boolean, notes: MigrationNotes): Json {
  const rest = without(training, "forward_passes", "forward_pass", "cut_formulation");
  const source = isObject(training.scenario_source) ? training.scenario_source : {};
  const { cut_selection: selection, stopping_rules: rules, forward_passes: count } = training;
  return {
    ...rest,
    // Enumerated paths are a selection in both.
    ...(count !== undefined && { selection: { method: "sampled", forward_passes: count } }),
    ...(Array.isArray(rules) && { stopping_rules: rulesOf(rules, training, notes) }),
    ...(isObject(selection) && { cut_selection: selectionOf(selection) }),
    ...(usesOpenings && { scenario_source: { ...source, openings: { source: "file" } } }),
  };
}

function rulesOf(rules: readonly unknown[], training: Json, notes: MigrationNotes) {
  const kept = rules.filter((rule) => !isObject(rule) || rule.type !== "simulation");
  const what = "training.stopping_rules";
  if (kept.length < rules.length) {
    notes.add(FILE, what, "Cobre 0.18 has no rule simulation; it was left out");
  }
  if (training.stopping_mode === "all" && kept.length > 1) {
    notes.add(
      FILE,
      "training.stopping_mode",
      "in Cobre 0.18 a limit of iterations ends training even if the other rules do not hold",
    );
  }
  return kept;
}

function selectionOf(selection: Json): Json {
  const budget = selection.max_active_per_stage;
  const tolerance = selection.domination_epsilon;
  const method = selection.method ?? "dynamic";
  return {
    ...(budget !== undefined && { max_active_per_stage: budget }),
    ...(selection.enabled === true && {
      selection: {
        method,
        ...(selection.check_frequency !== undefined && {
          check_frequency: selection.check_frequency,
        }),
        ...(method === "domination" && { domination_tolerance: tolerance ?? 1e-10 }),
        ...(method === "dynamic" && onlyOf(selection, DYNAMIC)),
      },
    }),
  };
}

/** Settings of the method dynamic, which have the same names in Cobre 0.18. */
const DYNAMIC = [
  "start_iteration",
  "seed_window",
  "candidate_recency",
  "max_added_per_round",
  "violation_tolerance",
];

function onlyOf(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function simulationOf(simulation: Json, notes: MigrationNotes): Json {
  const rest = without(simulation, "num_scenarios", "policy_type", "output_path", "output_mode");
  const { num_scenarios: count } = simulation;
  if (simulation.enabled === true && simulation.selection === undefined) {
    notes.add(FILE, "simulation", "Cobre 0.18 counts scenarios otherwise, so it simulates others");
  }
  return {
    ...rest,
    ...(count !== undefined && { selection: { method: "sampled", num_scenarios: count } }),
  };
}

function policyOf(policy: Json, notes: MigrationNotes): Json {
  const { boundary } = policy;
  if (isObject(boundary) && boundary.source_stage !== undefined) {
    const problem = "Cobre 0.18 finds the stage of a boundary by its date, not by source_stage";
    notes.add(FILE, "policy.boundary", problem);
  }
  return {
    ...without(policy, "validate_compatibility"),
    ...(isObject(boundary) && { boundary: without(boundary, "source_stage") }),
  };
}

function modelingOf(modeling: Json): Json {
  const { inflow_non_negativity: section } = modeling;
  return {
    ...modeling,
    ...(isObject(section) && { inflow_non_negativity: without(section, "penalty_cost") }),
  };
}

function exportsOf(exports: Json, notes: MigrationNotes): Json {
  if (exports.hive === true) {
    notes.add(FILE, "exports.hive", "Cobre 0.18 does not know it; it was left out");
  }
  return without(exports, "hive");
}
