import { CASE_FILES } from "@cobre/core";
import type { FileMeanings } from "./meaning.js";

const NO_EFFECT = "read and without effect";

/** Fields that only cases for Cobre 0.18 have. */
export const LATER: Readonly<Record<string, FileMeanings>> = {
  [CASE_FILES.config]: {
    selection: "which paths are taken",
    "training.selection.method": "`sampled` draws paths, `enumerated` takes every path of a tree",
    "training.selection.forward_passes":
      "paths that are tried in an iteration, each of which gives a cut to every stage",
    "training.cut_selection.selection": "the method by which cuts are judged, with its settings",
    "training.cut_selection.selection.method":
      "how cuts are judged at the states that were visited",
    "training.cut_selection.selection.check_frequency": {
      text: "iterations between two selections",
      otherwise: "5",
    },
    row_activity_tolerance: NO_EFFECT,
    backward: NO_EFFECT,
    forward: NO_EFFECT,
    parallelism: NO_EFFECT,
    cost_scale_factor: NO_EFFECT,
    "simulation.solver": NO_EFFECT,
    "simulation.selection.method":
      "`sampled` draws scenarios, `enumerated` takes every path of a tree",
    "simulation.selection.num_scenarios": "scenarios that are simulated",
    tie_tolerance: { text: "how close cuts are that count as equally high", otherwise: "1e-10" },
    domination_tolerance: "how far below the highest cut a cut may be, relative",
    start_iteration: {
      text: "first iteration whose programs get cuts on demand",
      otherwise: "2",
    },
    seed_window: {
      text: "programs begin with the cuts of so many last iterations",
      otherwise: "at most 5, of 20 cuts in all; at least 1",
    },
    candidate_recency: {
      text: "older cuts than those of so many last iterations are not added",
      otherwise: "all may be",
    },
    max_added_per_round: {
      text: "most cuts that are added before a program is solved again",
      otherwise: "10",
    },
    violation_tolerance: {
      text: "how far below a cut the cost may be, relative",
      otherwise: "1e-10",
    },
    openings: { text: "where openings come from", otherwise: "generated" },
    source: "`file`: those of scenarios/noise_openings",
    fpha_deviation_points: NO_EFFECT,
  },
  [CASE_FILES.stages]: {
    num_openings: "number of openings",
    "stages[].annual_discount_rate_override": {
      text: "discount rate from this stage to the next",
      otherwise: "that of the graph",
    },
    state_variables: "what cuts depend on; here always on storages and lags",
    storage: "must not be false",
    inflow_lags: "whether cuts have lags; they always have, and false gives a warning",
  },
  [CASE_FILES.penalties]: {
    turbined_cost: { text: "turbined water of every plant", unit: "$ per m³/s and h" },
  },
  [CASE_FILES.hydroPenalties]: {
    turbined_cost: {
      text: "turbined water",
      unit: "$ per m³/s and h",
      otherwise: "that of the plant or of all",
    },
  },
  [CASE_FILES.hydros]: {
    turbined_cost: {
      text: "turbined water",
      unit: "$ per m³/s and h",
      otherwise: "that of the plant or of all",
    },
    specific_productivity_mw_per_m3s_per_m: {
      text: "power of 1 m³/s for each metre of head, for energies that are reckoned from water",
      unit: "MW per m³/s and m",
      otherwise: "none",
    },
    unit_groups: "the units of the plant, by the bus that they feed",
  },
  [CASE_FILES.productionModels]: {
    productivity_mw_per_m3s: "productivity; 0: the plant does not generate",
    reference_volume:
      "the volume for which the productivity of planes is reckoned; default: at 0.65 of the range of storage",
    volume_hm3: "the volume",
    percentile: "the volume as a share of the range of storage",
  },
  [CASE_FILES.initialConditions]: {
    recent_observations: "inflows of days before the study; they go before the history",
    start_date: "first day",
    end_date: "the day after the last one",
    value_m3s: "mean inflow of these days",
  },
  [CASE_FILES.genericConstraints]: {
    expressions: "sums of variables with names, written as @name in other expressions",
    "expressions[].name": "name of the sum",
    "expressions[].expression": "the sum",
  },
  [CASE_FILES.pumpingBounds]: {
    pumping_station_id: "id of a station of `system/pumping_stations.json`",
  },
  [CASE_FILES.genericBounds]: {
    bound_lower: { text: "added to the lower bound of the text", otherwise: "none" },
    bound_upper: { text: "added to the upper bound of the text", otherwise: "none" },
  },
  [CASE_FILES.inflowHistory]: {
    start_date: "first day of the window",
    end_date: "the day after the last one",
    value_m3s: "mean inflow of the window, for the lags before the study",
  },
  "system/hydro_energy_productivity.parquet": {
    stage_id: { text: "id of a stage", otherwise: "all stages" },
    equivalent_productivity_mw_per_m3s: {
      text: "productivity",
      unit: "MW per m³/s",
      otherwise: "that of the production models",
    },
    reference_volume_hm3: NO_EFFECT,
    reference_outflow_m3s: {
      text: "the parameter `reference_turbine` of generic constraints",
      unit: "m³/s",
      otherwise: "max_turbined_m3s of the plant",
    },
    specific_productivity_mw_per_m3s_per_m: {
      text: "power of 1 m³/s for each metre of head",
      unit: "MW per m³/s and m",
      otherwise: "that of the plant",
    },
  },
  [CASE_FILES.genericParameters]: {
    scalar_parameters: "numbers that constraints name, as coefficients or in a relation",
    id: "id of the parameter",
    name: "name of the parameter, written as @name",
    kind: "by what its value changes",
    value: "its value",
    values: "pairs of a stage or season and a value",
    block_values: "stage, block and value",
    computed_spec: "what is reckoned of a plant and is the value",
    tag: "what it is: a limit of storage, a productivity, an energy, or what they are reckoned from",
    hydro_id: "id of the plant",
  },
};

/** Of every entity. */
export const LATER_SHARED: FileMeanings = {
  operational_start_date: "gives the order of entities, before their ids; nothing else",
};
