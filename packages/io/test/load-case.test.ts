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
