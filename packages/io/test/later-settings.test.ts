/** The settings of a case for Cobre 0.18, with and without their defaults, and what is said of those that do nothing here. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { columns } from "./case-folder.js";
import { type Changes, judgeLater as judge } from "./judge-case.js";
import { laterCase, laterHydro } from "./later-case.js";

const LIMIT = { type: "iteration_limit", limit: 20 };
const training = { selection: { method: "sampled", forward_passes: 2 }, stopping_rules: [LIMIT] };
const configured = (ofTraining: object, rest: object = {}) =>
  judge({ "config.json": { training: { ...training, ...ofTraining }, ...rest } });

const IN_SAMPLE = { inflow: "in_sample", load: "in_sample", ncs: "in_sample" };
const DEFAULTS = {
  dialect: "0.18",
  compat: undefined,
  training: {
    isEnabled: true,
    forwardPasses: 2,
    stoppingRules: [LIMIT],
    stoppingMode: "any",
    treeSeed: 42,
    scenarioSource: IN_SAMPLE,
    retryMaxAttempts: 5,
  },
  inflowNonNegativity: { method: "penalty", penaltyCost: undefined },
  simulation: { isEnabled: false, scenarios: 2000, scenarioSource: IN_SAMPLE },
  policy: { path: "./policy", mode: "fresh", boundary: undefined, checkpointInterval: undefined },
  exports: { states: false, stochastic: false, hive: false },
};

describe("the settings of a case for Cobre 0.18", () => {
  it("are what it says", async () => {
    const { found, issues } = await judge({});
    assert.deepEqual(issues, []);
    const source = { seed: 42, ...IN_SAMPLE, openings: "generated" };
    assert.deepEqual(found?.config, {
      ...DEFAULTS,
      training: {
        ...DEFAULTS.training,
        stoppingRules: [LIMIT, { type: "bound_stalling", iterations: 5, tolerance: 0 }],
        stoppingMode: "all_within_limit",
        scenarioSource: source,
        cutSelection: {
          method: "level1",
          checkFrequency: 3,
          tolerance: 1e-9,
          maxActivePerStage: 50,
        },
        retryMaxAttempts: 7,
      },
      simulation: { isEnabled: true, scenarios: 9, scenarioSource: source },
      policy: { ...DEFAULTS.policy, path: "elsewhere", checkpointInterval: 4 },
      exports: { ...DEFAULTS.exports, states: true, stochastic: true },
    });
  });

  it("have defaults where it says nothing, or has empty sections", async () => {
    const sections = { simulation: {}, policy: {}, exports: {}, modeling: {} };
    for (const rest of [{}, sections]) {
      const { found, issues } = await configured({}, rest);
      assert.deepEqual(issues, []);
      const { cutSelection: _, ...ofTraining } = found?.config.training ?? assert.fail();
      assert.deepEqual({ ...found?.config, training: ofTraining }, DEFAULTS);
    }
  });

  it("select cuts by a method, by a budget, or not at all", async () => {
    const selected = async (section: object) => {
      const { found, issues } = await configured({ cut_selection: section });
      assert.deepEqual(issues, []);
      return found?.config.training.cutSelection;
    };
    assert.equal(await selected({}), undefined);
    assert.deepEqual(await selected({ max_active_per_stage: 1 }), {
      method: undefined,
      checkFrequency: 1,
      maxActivePerStage: 1,
    });
    assert.deepEqual(await selected({ selection: { method: "level1" } }), {
      method: "level1",
      checkFrequency: 5,
      tolerance: 1e-10,
      maxActivePerStage: undefined,
    });
  });

  it("have a simulation and a boundary of their own", async () => {
    const { found } = await configured(
      { stopping_mode: "all", tree_seed: 7, enabled: false },
      {
        simulation: {
          selection: { method: "sampled", num_scenarios: 3 },
          scenario_source: { seed: 7 },
        },
        policy: { boundary: { path: "behind" }, mode: "warm_start" },
      },
    );
    const { config } = found ?? assert.fail();
    assert.deepEqual(config.policy.boundary, { path: "behind", sourceStage: undefined });
    assert.deepEqual(config.simulation, {
      isEnabled: false,
      scenarios: 3,
      scenarioSource: { seed: 7, ...IN_SAMPLE },
    });
    assert.deepEqual(
      [config.training.stoppingMode, config.training.treeSeed, config.training.isEnabled],
      ["all_within_limit", 7, false],
    );
  });

  it("are told if they do nothing here", async () => {
    const solver = "has no effect; programs are solved as docs/solvers.md tells";
    const { found, issues } = await configured(
      { solver: { backward: {}, forward: {} } },
      { simulation: { solver: {} }, exports: { fpha_deviation_points: true } },
    );
    assert.ok(found);
    assert.deepEqual(issues, [
      `warning config.json: training.solver.backward: ${solver}`,
      `warning config.json: training.solver.forward: ${solver}`,
      `warning config.json: simulation.solver: ${solver}`,
      "warning config.json: exports.fpha_deviation_points: has no effect; hydro_models/fpha_hyperplanes.parquet tells how well planes fit",
    ]);
  });
});

describe("what a case for Cobre 0.18 cannot ask for", () => {
  const OLD =
    "is a field of Cobre 0.5; the case is written for Cobre 0.18, see training.selection in config.json";
  const hydros = (fields: object): Changes => ({
    "system/hydros.json": {
      hydros: [laterHydro(4), laterHydro(2, { downstream_id: 4, ...fields })],
    },
  });
  const changed = (file: string, change: (document: Record<string, unknown>) => void): Changes => {
    const document = structuredClone(laterCase()[file]) as Record<string, unknown>;
    change(document);
    return { [file]: document };
  };
  const models = "system/hydro_production_models.json";
  const choice = (fields: object) =>
    changed(models, ({ production_models }) => {
      const [model] = production_models as { stage_ranges: object[] }[];
      Object.assign(model?.stage_ranges[0] ?? {}, fields);
    });

  const FAULTS: readonly [changes: Changes, ...told: string[]][] = [
    [
      hydros({ entry_stage_id: 1, filling: { start_stage_id: 0, filling_inflow_m3s: 3 } }),
      `error system/hydros.json: hydro 2: filling.filling_inflow_m3s: ${OLD}: give filling_min_rate_m3s, the least that is kept`,
    ],
    [
      changed("config.json", (config) => {
        config.policy = { boundary: { path: "b", source_stage: 1 } };
      }),
      `error config.json: policy.boundary.source_stage: ${OLD}: leave it out, the stage is found by its date`,
    ],
    [
      choice({ reference_volume: { volume_hm3: 1, percentile: 0.5 } }),
      `error ${models}: hydro 4: stage_ranges[0].reference_volume.percentile: is given beside volume_hm3; keep one of them`,
    ],
    [
      choice({ model: "linearized_head" }),
      `warning ${models}: hydro 4: stage_ranges[0].model: linearized_head is taken as constant_productivity; give fpha where the head matters`,
    ],
    [
      changed("stages.json", ({ stages }) => {
        Object.assign((stages as object[])[0] ?? {}, {
          state_variables: { storage: false, inflow_lags: true },
        });
      }),
      "error stages.json: stage 0: state_variables.storage: asks for cuts without storages; this version cannot do that yet",
    ],
    [
      changed("scenarios/correlation.json", (correlation) => {
        correlation.method = "cholesky";
      }),
      "error scenarios/correlation.json: method: asks for the method cholesky; this version cannot do that yet",
    ],
    [
      changed("constraints/generic_parameters.json", ({ scalar_parameters }) => {
        const [perStage, , , perBlock] = scalar_parameters as Record<string, unknown>[];
        Object.assign(perStage ?? {}, { values: [[0, 1, 2]] });
        Object.assign(perBlock ?? {}, { block_values: [[0, 1]] });
      }),
      "error constraints/generic_parameters.json: scalar_parameters[0].values: has rows of another length; each must be [id, value]",
      "error constraints/generic_parameters.json: scalar_parameters[3].block_values: has rows of another length; each must be [stage_id, block_id, value]",
      'error constraints/generic_constraint_bounds.parquet: constraint 2, stage 1: the parameter "limit" has no value in stage 1, block 0; give it one there, or remove the row',
    ],
    [
      changed("config.json", (config) => {
        config.training = { ...training, scenario_source: { openings: { source: "file" } } };
      }),
      'error scenarios/noise_openings.parquet: is missing; training.scenario_source.openings asks for it: add it, or give {"source": "generated"}',
    ],
    [
      changed(models, (document) => {
        document.fpha_plane_reduction = {};
      }),
      `error ${models}: fpha_plane_reduction: is a field of Cobre 0.18 and asks for fewer planes by their angle or distance; this version cannot do that yet; without it the result would be another`,
    ],
  ];
  FAULTS.forEach(([changes, ...told]) => {
    it(told[0]?.replace(/^(\w+ [^;]{0,90}).*$/, "$1") ?? "", async () => {
      const { issues } = await judge(changes);
      assert.deepEqual(issues, told);
    });
  });
});

describe("a model with an annual component", () => {
  it("looks back a year, however few lags it has", async () => {
    const months = Array.from({ length: 12 }, (_, i) => i);
    const past = (i: number) => new Date(Date.UTC(2024, 11 - i, 1)).toISOString().slice(0, 10);
    const ids = months.map((i) => -1 - i);
    const { found, issues } = await judge({
      "initial_conditions.json": {
        storage: [
          { hydro_id: 4, value_hm3: 700 },
          { hydro_id: 2, value_hm3: 100 },
        ],
        filling_storage: [],
        recent_observations: months.map((i) => ({
          hydro_id: 2,
          start_date: past(i),
          end_date: i === 0 ? "2025-01-01" : past(i - 1),
          value_m3s: 10 + i,
        })),
      },
      "scenarios/inflow_history.csv": undefined,
      "scenarios/inflow_seasonal_stats.parquet": columns({
        hydro_id: [2, 4].flatMap((id) => new Array(15).fill(id)),
        stage_id: [2, 4].flatMap(() => [0, 1, 2, ...ids]),
        mean_m3s: new Array(30).fill(10),
        std_m3s: new Array(30).fill(1),
      }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [1],
        lag: [1],
        coefficient: [0.3],
      }),
      "scenarios/inflow_annual_component.parquet": columns({
        hydro_id: [2],
        stage_id: [1],
        annual_coefficient: [0.25],
        annual_mean_m3s: [10],
        annual_std_m3s: [0.75],
      }),
    });
    assert.deepEqual(issues, []);
    const { system, initialConditions } = found?.study ?? assert.fail();
    const plant = system.hydros.findIndex(({ id }) => id === 2);
    assert.deepEqual(
      initialConditions.pastInflowsM3s[plant],
      months.map((i) => 10 + i),
    );
  });
});
