import assert from "node:assert/strict";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { ValidationError } from "@cobre/core";
import { type Case, fillOpeningTree, openingTreeLength } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { columns, goodCase, hydro, stage, withCase } from "./case-folder.js";

type Place = "name" | "path" | "directory";

/** Loads the good case with changes; `deepEqual` of two cases ignores where they were. */
async function load(changes: Parameters<typeof withCase>[0] = {}): Promise<Omit<Case, Place>> {
  let found: Omit<Case, Place> | undefined;
  await withCase(changes, async (folder) => {
    const { name, path, directory, ...rest } = await loadCase(folder);
    assert.deepEqual([name, path, directory], [basename(folder), folder, folder]);
    found = rest;
  });
  return found as Omit<Case, Place>;
}

describe("a case directory", () => {
  it("becomes a study", async () => {
    const { study, config, uncertainty, warnings } = await load();
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      study.system.hydros.map(({ id }) => id),
      [2, 4],
    );
    assert.deepEqual([...study.system.cascade.downstream], [1, -1]);
    assert.deepEqual(
      study.time.stages.map(({ id }) => id),
      [0, 1, 2],
    );
    assert.equal(study.time.stages[0]?.start, Date.UTC(2025, 0, 1) / 86_400_000);
    assert.equal(study.time.stages[2]?.end, Date.UTC(2025, 3, 1) / 86_400_000);
    assert.deepEqual([...study.initialConditions.storageHm3], [100, 700]);
    assert.equal(study.hydros.maxOutflowM3s.at(0, 0), Number.POSITIVE_INFINITY);
    assert.equal(study.hydroPenalties.inflowNonnegativityCost.at(0, 0), 1000);
    assert.deepEqual([...uncertainty.inflow.base], [10, 40, 20, 50, 30, 60]);
    assert.deepEqual([...uncertainty.inflow.sigma], [1, 4, 2, 5, 3, 6]);
    assert.deepEqual(uncertainty.layout.load, [1], "uncertain in stage 1");
    assert.equal(uncertainty.layout.dimension, 3);
    assert.deepEqual(uncertainty.treeStages[2], {
      id: 2,
      openings: 3,
      seasonId: undefined,
      startYear: 2025,
    });
    assert.deepEqual(config.training.stoppingRules, [{ type: "iteration_limit", limit: 20 }]);
    assert.deepEqual(
      [
        config.training.treeSeed,
        config.training.scenarioSource.inflow,
        config.inflowNonNegativity.method,
        config.simulation.isEnabled,
      ],
      [42, "in_sample", "penalty", false],
    );
  });

  it("is the same whatever the order in its files", async () => {
    const good = goodCase();
    const changes = {
      "system/hydros.json": { hydros: [hydro(2, { downstream_id: 4 }), hydro(4)] },
      "stages.json": { ...(good["stages.json"] as object), stages: [stage(2), stage(1), stage(0)] },
      "scenarios/inflow_seasonal_stats.parquet": columns({
        std_m3s: [6, 5, 4, 3, 2, 1],
        stage_id: [2, 1, 0, 2, 1, 0],
        mean_m3s: [60, 50, 40, 30, 20, 10],
        hydro_id: [4, 4, 4, 2, 2, 2],
      }),
    };
    assert.deepEqual(await load(changes), await load());
  });

  it("takes overrides, factors, autoregression and past inflows", async () => {
    const { study, uncertainty, warnings } = await load({
      "constraints/thermal_bounds.parquet": columns({
        thermal_id: [0, 0],
        stage_id: [1, 2],
        cost_per_mwh: [100, null],
        max_generation_mw: [null, 900],
        block_id: [null, null],
      }),
      "constraints/penalty_overrides_hydro.parquet": columns({
        hydro_id: [4],
        stage_id: [0],
        spillage_cost: [0.5],
      }),
      "scenarios/load_factors.json": {
        load_factors: [{ bus_id: 1, stage_id: 2, block_factors: [{ block_id: 0, factor: 0.9 }] }],
      },
      "scenarios/inflow_seasonal_stats.parquet": columns({
        hydro_id: [2, 2, 2, 4, 4, 4, 2, 2],
        stage_id: [0, 1, 2, 0, 1, 2, -1, -2],
        mean_m3s: [10, 20, 30, 40, 50, 60, 5, 5],
        std_m3s: [1, 2, 3, 4, 5, 6, 2, 4],
      }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2, 2],
        stage_id: [0, 0],
        lag: [2, 1],
        coefficient: [0.4, 0.5],
        residual_std_ratio: [0.8, 0.8],
      }),
      "initial_conditions.json": {
        storage: [
          { hydro_id: 4, value_hm3: 0 },
          { hydro_id: 2, value_hm3: 0 },
        ],
        filling_storage: [],
        past_inflows: [{ hydro_id: 2, values_m3s: [7, 8] }],
      },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual([...study.thermals.costPerMwh.values], [50, 100, 50]);
    assert.deepEqual([...study.thermals.maxGenerationMw.values], [1000, 1000, 900]);
    assert.equal(study.hydroPenalties.spillageCost.at(0, 1), 0.5);
    assert.deepEqual(
      study.loadFactors.map(([factor]) => factor),
      [1, 1, 0.9],
    );
    assert.equal(uncertainty.inflow.lags, 2);
    assert.deepEqual([...uncertainty.inflow.psi.subarray(0, 2)], [0.25, 0.1]);
    assert.equal(uncertainty.inflow.base[0], 10 - 0.25 * 5 - 0.1 * 5);
    assert.equal(uncertainty.inflow.sigma[0], 0.8);
    assert.deepEqual(study.initialConditions.pastInflowsM3s, [[7, 8], []]);
  });

  it("fills its opening tree by drawing or as given", async () => {
    const drawn = (await load()) as Case;
    const tree = fillOpeningTree(drawn, new Float64Array(openingTreeLength(drawn)));
    assert.equal(tree.values.length, 3 * 3 * 3);
    assert.equal(tree.values[0], 0.40098936496495646, "opening 0 of stage 0 with the seed 42");
    const cells = Array.from({ length: 27 }, (_, i) => i);
    const given = (await load({
      "scenarios/noise_openings.parquet": columns({
        stage_id: cells.map((i) => Math.floor(i / 9)),
        opening_index: cells.map((i) => Math.floor(i / 3) % 3),
        entity_index: cells.map((i) => i % 3),
        value: cells.map((i) => i / 2),
      }),
    })) as Case;
    const filled = fillOpeningTree(given, new Float64Array(openingTreeLength(given)));
    assert.deepEqual(
      [...filled.values],
      cells.map((i) => i / 2),
    );
  });

  it("reads every setting of the configuration", async () => {
    const { config } = await load({
      "config.json": {
        $schema: "anything",
        compat: "cobre-0.5",
        training: {
          enabled: false,
          forward_passes: 7,
          stopping_mode: "all",
          tree_seed: -3,
          stopping_rules: [
            { type: "iteration_limit", limit: 5 },
            { type: "time_limit", seconds: 1.5 },
            { type: "bound_stalling", iterations: 10, tolerance: 1e-4 },
            {
              type: "simulation",
              replications: 9,
              period: 8,
              bound_window: 7,
              distance_tol: 0.1,
              bound_tol: 0.2,
            },
          ],
          scenario_source: { seed: 11, inflow: { scheme: "in_sample" } },
          cut_selection: { enabled: true, method: "lml1", memory_window: 4, check_frequency: 5 },
          solver: { retry_max_attempts: 3, retry_time_budget_seconds: 1 },
        },
        modeling: { inflow_non_negativity: { method: "truncation", penalty_cost: 10 } },
        simulation: { enabled: true, num_scenarios: 10, scenario_source: { seed: 12 } },
        policy: {
          path: "p",
          mode: "resume",
          validate_compatibility: true,
          checkpointing: { enabled: true, interval_iterations: 10 },
        },
        exports: { states: true },
      },
    });
    assert.equal(config.compat, "cobre-0.5");
    const { training } = config;
    assert.deepEqual(
      [
        training.isEnabled,
        training.forwardPasses,
        training.stoppingMode,
        training.treeSeed,
        training.scenarioSource.seed,
        training.retryMaxAttempts,
      ],
      [false, 7, "all", -3, 11, 3],
    );
    assert.deepEqual(
      training.stoppingRules.map(({ type }) => type),
      ["iteration_limit", "time_limit", "bound_stalling", "simulation"],
    );
    assert.deepEqual(training.cutSelection, {
      method: "lml1",
      checkFrequency: 5,
      tolerance: 1e-10,
      maxActivePerStage: undefined,
    });
    assert.deepEqual(config.inflowNonNegativity, { method: "truncation", penaltyCost: 10 });
    assert.deepEqual(
      [config.simulation.scenarios, config.simulation.scenarioSource.seed],
      [10, 12],
    );
    assert.deepEqual([config.policy.mode, config.policy.checkpointInterval], ["resume", 10]);
    assert.deepEqual(config.exports, { states: true, stochastic: false, hive: false });
  });

  it("has the data of its models in the order of ids and stages, whatever that of its tables", async () => {
    const rows = [
      [10, 1],
      [9, 2],
      [10, 0],
      [9, 0],
      [9, 1],
      [10, 2],
    ] as const;
    const ids = rows.map(([id]) => id);
    const stages = rows.map(([, id]) => id);
    const sorted = [9, 9, 9, 10, 10, 10].map((id, i) => [id, i % 3]);
    const source = (id: number) => ({ id, name: `S${id}`, bus_id: 1, max_generation_mw: 5 });
    const { uncertainty, warnings } = await load({
      "system/buses.json": { buses: [1, 9, 10].map((id) => ({ id, name: `B${id}` })) },
      "system/hydros.json": { hydros: [hydro(10), hydro(9)] },
      "system/non_controllable_sources.json": {
        non_controllable_sources: [source(10), source(9)],
      },
      "initial_conditions.json": {
        storage: [9, 10].map((hydro_id) => ({ hydro_id, value_hm3: 0 })),
        filling_storage: [],
        past_inflows: [9, 10].map((hydro_id) => ({ hydro_id, values_m3s: new Array(12).fill(1) })),
      },
      "scenarios/inflow_seasonal_stats.parquet": columns({
        hydro_id: [...ids, ...[9, 10].flatMap((id) => new Array(12).fill(id))],
        stage_id: [
          ...stages,
          ...[9, 10].flatMap(() => Array.from({ length: 12 }, (_, i) => -1 - i)),
        ],
        mean_m3s: new Array(30).fill(10),
        std_m3s: new Array(30).fill(1),
      }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: ids,
        stage_id: stages,
        lag: ids.map(() => 1),
        coefficient: ids.map(() => 0.5),
        residual_std_ratio: ids.map(() => 0.8),
      }),
      "scenarios/inflow_annual_component.parquet": columns({
        hydro_id: ids,
        stage_id: stages,
        annual_coefficient: ids.map(() => 0.1),
        annual_mean_m3s: ids.map(() => 10),
        annual_std_m3s: ids.map(() => 1),
      }),
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: ids,
        stage_id: stages,
        mean_mw: ids.map(() => 1),
        std_mw: ids.map(() => 0),
      }),
      "scenarios/non_controllable_stats.parquet": columns({
        ncs_id: ids,
        stage_id: stages,
        mean: ids.map(() => 0.5),
        std: ids.map(() => 0.1),
      }),
    });
    assert.deepEqual(warnings, []);
    const { input } = uncertainty;
    const past = [9, 10].flatMap((id) => Array.from({ length: 15 }, (_, i) => [id, i - 12]));
    const keys = <T extends { readonly stageId: number }>(list: readonly T[], id: keyof T) =>
      list.map((row) => [row[id], row.stageId]);
    assert.deepEqual(keys(input.inflowStatistics, "hydroId"), past);
    assert.deepEqual(keys(input.autoregressions, "hydroId"), sorted);
    assert.deepEqual(keys(input.annualComponents, "hydroId"), sorted);
    assert.deepEqual(keys(input.loadStatistics, "busId"), sorted);
    assert.deepEqual(keys(input.availability, "sourceId"), sorted);
  });

  it("has as many forward passes as a tree has paths, if it takes every one", async () => {
    const branch = (target_id: number) => ({ source_id: 0, target_id, probability: 0.25 });
    const { config, uncertainty } = await load({
      "config.json": {
        training: {
          selection: { method: "enumerated" },
          stopping_rules: [{ type: "iteration_limit", limit: 1 }],
        },
      },
      "stages.json": {
        policy_graph: {
          type: "finite_horizon",
          annual_discount_rate: 0,
          nodes: [
            { id: 0, stage_id: 0 },
            ...[1, 2, 3, 4].map((id) => ({ id, stage_id: 1 })),
            ...[5, 6, 7, 8].map((id) => ({ id, stage_id: 2 })),
          ],
          transitions: [
            ...[1, 2, 3, 4].map(branch),
            ...[1, 2, 3, 4].map((id) => ({ source_id: id, target_id: id + 4, probability: 1 })),
          ],
        },
        stages: [0, 1, 2].map((id) => stage(id, { num_scenarios: 1 })),
      },
    });
    assert.deepEqual([config.training.isEnumerated, config.training.forwardPasses], [true, 4]);
    assert.deepEqual(
      uncertainty.treeStages.map(({ openings }) => openings),
      [1, 4, 4],
    );
  });

  it("is refused with all that is wrong", async () => {
    await withCase(
      { "config.json": "{", "penalties.json": undefined, "system/lines.json": [] },
      async (folder) => {
        await assert.rejects(loadCase(folder), (error) => {
          assert.ok(error instanceof ValidationError);
          assert.match(
            error.message,
            /the case has 3 errors:\n- config\.json: is not JSON.*\n- penalties\.json: is missing.*\n- system\/lines\.json: is a list; must be an object/,
          );
          return true;
        });
      },
    );
    await assert.rejects(loadCase("/nowhere"), /\/nowhere: is not a directory/);
  });
});
