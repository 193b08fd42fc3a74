import { describe } from "node:test";
import { columns, goodCase, hydro, hydroPenalties, stage } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const good = goodCase();
const json = (file: string) => good[file] as Record<string, unknown>;

function config(training: object, rest: object = {}): Changes {
  const base = json("config.json").training as object;
  return { "config.json": { training: { ...base, ...training }, ...rest } };
}

function withField(file: string, field: object): Changes {
  return { [file]: { ...json(file), ...field } };
}

function thermal(fields: object): Changes {
  const [plant] = json("system/thermals.json").thermals as object[];
  return { "system/thermals.json": { thermals: [{ ...plant, ...fields }] } };
}

function hydroBounds(values: Readonly<Record<string, readonly (number | null)[]>>): Changes {
  return {
    "constraints/hydro_bounds.parquet": columns({ hydro_id: [2], stage_id: [0], ...values }),
  };
}

const compat = { compat: "cobre-0.5" };

const cyclic = (...transitions: readonly (readonly [source: number, target: number])[]) => ({
  type: "cyclic",
  annual_discount_rate: 0.1,
  transitions: transitions.map(([source_id, target_id]) => ({
    source_id,
    target_id,
    probability: 1,
  })),
});

// Settings of the configuration.
const settings: readonly Fault[] = [
  [
    "several cuts for a trial point",
    config({ cut_formulation: "multi" }),
    /^error config\.json: training\.cut_formulation: asks for a cut for each opening; this version cannot/,
  ],
  ["one cut for a trial point", config({ cut_formulation: "single" })],
  [
    "another forward pass",
    config({ forward_pass: { type: "risk_adjusted" } }),
    /^error .*training\.forward_pass\.type: asks for the forward pass "risk_adjusted"/,
  ],
  [
    "an upper bound by inner approximation",
    config({}, { upper_bound_evaluation: { enabled: true } }),
    /^error .*upper_bound_evaluation\.enabled: asks for an upper bound by inner approximation/,
  ],
  ["no upper bound", config({}, { upper_bound_evaluation: { enabled: false, lipschitz: {} } })],
  [
    "a policy by inner approximation",
    config({}, { simulation: { policy_type: "inner" } }),
    /^error .*simulation\.policy_type: asks for a policy by inner approximation/,
  ],
  [
    "policies that are not checked",
    config({}, { policy: { validate_compatibility: false } }),
    /^error .*policy\.validate_compatibility: is false; policies are always checked/,
  ],
  [
    "results in another place",
    config({}, { simulation: { output_path: "elsewhere" } }),
    /^error .*simulation\.output_path: is "elsewhere"; results are in simulation\//,
  ],
  ["results in their place", config({}, { simulation: { output_path: "./simulation" } })],
  [
    "a seed of the simulation that nothing uses",
    config({}, { simulation: { scenario_source: { seed: 7 } } }),
    /^warning config\.json: simulation\.scenario_source\.seed: has no effect with in_sample; paths come from training\.tree_seed, which is 42/,
  ],
  [
    "a seed of training that nothing uses",
    config({ scenario_source: { seed: 7 } }),
    /^warning config\.json: training\.scenario_source\.seed: has no effect with in_sample/,
  ],
  ["a seed that is that of the tree", config({ tree_seed: -7, scenario_source: { seed: 7 } })],
  [
    "a scheme of the simulation that is not there",
    config({}, { simulation: { scenario_source: { seed: 7, inflow: { scheme: "historical" } } } }),
    /^error .*simulation\.scenario_source\.inflow\.scheme: asks for historical/,
  ],
  ["a limit on cuts", config({ cut_selection: { max_active_per_stage: 5 } })],
  [
    "cuts that are judged by how often they were tight",
    config({ cut_selection: { enabled: true, method: "lml1", memory_window: 5 } }),
    /^warning .*cut_selection\.memory_window: has no effect; cuts are judged by their height/,
  ],
  [
    "a cost of added water that the penalties contradict",
    config({}, { modeling: { inflow_non_negativity: { penalty_cost: 7 } } }),
    /^warning .*penalty_cost: is 7 and has no effect: the penalties say 1000; set hydro\.inflow_nonnegativity_cost/,
  ],
  ["the same cost", config({}, { modeling: { inflow_non_negativity: { penalty_cost: 1000 } } })],
  [
    "a sampling method that is only a word",
    withField("stages.json", { stages: [stage(0, { sampling_method: "selective" })] }),
    /^error .*stage 0: sampling_method: asks for selective/,
  ],
];

// Data of Cobre 0.5 that this version does not model.
const data: readonly Fault[] = [
  ["no withdrawal", hydroBounds({ water_withdrawal_m3s: [0], min_storage_hm3: [1] })],
  [
    "a bound of a single block, as Cobre 0.5 takes it",
    { ...config({}, compat), ...hydroBounds({ max_turbined_m3s: [5], block_id: [0] }) },
    /^warning .*block_id: 1 rows of a single block have no effect; as in Cobre 0\.5/,
  ],
  [
    "a history beside statistics without coefficients",
    { "scenarios/inflow_history.parquet": columns({ hydro_id: [2], value_m3s: [5] }) },
    /^error scenarios\/inflow_history\.parquet: asks for coefficients fitted to the history; this version cannot do that yet; give them in scenarios\/inflow_ar_coefficients\.parquet, or remove the history if/,
  ],
  [
    "a history in a text",
    { "scenarios/inflow_history.csv": "hydro_id,date,value_m3s\n" },
    /^error scenarios\/inflow_history\.csv: asks for coefficients fitted to the history/,
  ],
  [
    "a history beside coefficients, which are used",
    {
      "scenarios/inflow_history.parquet": columns({ hydro_id: [2], value_m3s: [5] }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [2],
        lag: [1],
        coefficient: [0.5],
        residual_std_ratio: [0.9],
      }),
    },
  ],
  [
    "a history alone",
    {
      "scenarios/inflow_history.parquet": columns({ hydro_id: [2], value_m3s: [5] }),
      "scenarios/inflow_seasonal_stats.parquet": undefined,
    },
    /^error scenarios\/inflow_history\.parquet: asks for a model estimated from the history/,
  ],
  [
    "contracts, as Cobre 0.5 takes them",
    { ...config({}, compat), "system/energy_contracts.json": { contracts: [{ id: 1 }] } },
    /^warning system\/energy_contracts\.json: contracts: has no effect; as in Cobre 0\.5/,
  ],
  [
    "parameters of another version",
    { "system/scalar_parameters.json": {} },
    /^error system\/scalar_parameters\.json: asks for parameters of generic constraints; this version cannot/,
  ],
  [
    "chronological blocks, as Cobre 0.5 takes them",
    {
      ...config({}, compat),
      ...withField("stages.json", {
        stages: [stage(0), stage(1, { block_mode: "chronological" }), stage(2)],
      }),
    },
    /^warning stages\.json: stage 1: block_mode: chronological has no effect; as in Cobre 0\.5$/,
  ],
  [
    "cuts behind the end of a horizon that has none",
    {
      ...config({}, { policy: { boundary: { path: "b" } } }),
      ...withField("stages.json", { policy_graph: cyclic() }),
    },
    /^error config\.json: policy\.boundary: gives a value to the end of a cyclic horizon, which has none; remove it, or set policy_graph\.type to finite_horizon in stages\.json$/,
  ],
  [
    "nothing: transitions of a cyclic horizon",
    withField("stages.json", { policy_graph: cyclic([0, 1], [1, 2], [2, 0]) }),
  ],
  [
    "transitions of a cyclic horizon that do not go round",
    withField("stages.json", { policy_graph: cyclic([1, 0], [2, 1]) }),
    /transition from stage 1 to 0, which is not the next/,
    /transition from stage 2 to 1, which is not the next/,
  ],
  [
    "a number of passes beside every path",
    config({ selection: { method: "enumerated" } }),
    /^error config\.json: training\.forward_passes: stands beside the enumerated selection; leave it out: as many passes are made as there are paths/,
  ],
  [
    "nothing: a file without contracts, as Cobre 0.5 takes it",
    { ...config({}, compat), "system/energy_contracts.json": {} },
  ],
  ["no contracts", { "system/energy_contracts.json": { contracts: [] } }],
  ["nothing: a plant that enters", thermal({ entry_stage_id: 1, exit_stage_id: 3 })],
  [
    "a plant that leaves before it comes",
    {
      "system/hydros.json": {
        hydros: [hydro(2), hydro(4, { entry_stage_id: 2, exit_stage_id: 2 })],
      },
    },
    /^error system\/hydros\.json: hydro 4: exit_stage_id: is 2, and entry_stage_id is 2; the exit must be after the entry/,
  ],
  [
    "a plant that leaves, as Cobre 0.5 takes it",
    { ...config({}, compat), ...thermal({ exit_stage_id: 2 }) },
    /^warning .*thermal 0: exit_stage_id: has no effect; as in Cobre 0\.5/,
  ],
  ["a plant that exists in all stages", thermal({ entry_stage_id: 0, exit_stage_id: 3 })],
  ...["system/tailrace_curves.parquet", "scenarios/external_inflow_scenarios.parquet"].map(
    (file): Fault => [
      `${file}, which nothing here uses`,
      { [file]: columns({ stage_id: [0] }) },
      new RegExp(`^warning ${file}: has no effect; `),
    ],
  ),
  [
    "a file with a misspelt name",
    { "scenarios/load_season_stats.parquet": columns({ stage_id: [0] }) },
    /^warning scenarios\/load_season_stats\.parquet: is not a file of a case; it is not read/,
  ],
];

const later = (place: string) => new RegExp(`^error .*${place}: is a field of Cobre 0\\.18`);

// What Cobre 0.18 writes, in cases that otherwise have the fields of Cobre 0.5.
const ofCobre18: readonly Fault[] = [
  [
    "a selection of forward passes",
    config({ selection: { method: "sampled", forward_passes: 3 } }),
    /^error config\.json: training\.selection: is a field of Cobre 0\.18; the case is written for Cobre 0\.5, see training\.forward_passes in config\.json: give forward_passes/,
  ],
  [
    "a selection of scenarios",
    config({}, { simulation: { selection: { method: "sampled", num_scenarios: 3 } } }),
    later("simulation\\.selection"),
  ],
  [
    "a number of scenarios beside every path",
    config({}, { simulation: { num_scenarios: 3, selection: { method: "enumerated" } } }),
    /^error config\.json: simulation\.num_scenarios: stands beside the enumerated selection; leave it out/,
  ],
  ["another cost scale", config({}, { modeling: { cost_scale_factor: 1e6 } }), later("modeling.*")],
  [
    "openings of a file",
    config({ scenario_source: { openings: { source: "file" } } }),
    later("scenario_source\\.openings"),
  ],
  [
    "cut selection",
    config({ cut_selection: { selection: { method: "level1" } } }),
    later("cut_selection\\.selection"),
  ],
  [
    "a date",
    {
      "system/hydros.json": {
        hydros: [
          hydro(2),
          hydro(4, { operational_start_date: "2020-01-01", travel_time_hours: null }),
        ],
      },
    },
    later("hydro 4: operational_start_date"),
  ],
  [
    "a cost of turbined water",
    withField("penalties.json", { hydro: { ...hydroPenalties, turbined_cost: 0.05 } }),
    later("hydro\\.turbined_cost"),
  ],
  [
    "a plant's cost of turbined water",
    {
      "system/hydros.json": {
        hydros: [hydro(2), hydro(4, { penalties: { turbined_cost: 0.05 } })],
      },
    },
    later("penalties\\.turbined_cost"),
  ],
  [
    "openings and a rate of a stage",
    withField("stages.json", {
      stages: [stage(0, { num_openings: 3, annual_discount_rate_override: 0.1 }), stage(1)],
    }),
    later("stage 0: num_openings"),
    later("stage 0: annual_discount_rate_override"),
  ],
  [
    "a node with an external scenario",
    withField("stages.json", {
      policy_graph: {
        type: "finite_horizon",
        annual_discount_rate: 0,
        nodes: [{ id: 1, stage_id: 0, scenario_id: 3 }],
      },
    }),
    /policy_graph\.nodes\[0\]\.scenario_id: asks for a node with an external scenario/,
  ],
  [
    "a cost of turbined water in a stage",
    {
      "constraints/penalty_overrides_hydro.parquet": columns({
        hydro_id: [2],
        stage_id: [0],
        turbined_cost: [0.1],
      }),
    },
    /^error .*turbined_cost: asks for turbined_cost/,
  ],
  ...["constraints/generic_parameters.json", "system/hydro_energy_productivity.parquet"].map(
    (file): Fault => [
      file,
      { [file]: file.endsWith("json") ? {} : columns({ hydro_id: [2] }) },
      new RegExp(`^error ${file}: asks for `),
    ],
  ),
];

describe("settings that this version does not have", () => {
  testFaults(settings);
});

describe("data that this version does not model", () => {
  testFaults(data);
});

describe("what only Cobre 0.18 knows", () => {
  testFaults(ofCobre18);
});
