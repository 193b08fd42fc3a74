/** What a run tells of its model: codes, where the model comes from, the components of the state, the planes that were fitted. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Study } from "@cobre/core";
import {
  type Case,
  hasHydroModels,
  modelProvenance,
  OutputDirectory,
  readOutputTable,
  stateVariables,
  writeDictionaries,
  writeHydroModels,
} from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { withCase } from "./case-folder.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-run-files-"));
after(() => rmSync(folder, { recursive: true }));

describe("the codes in tables", () => {
  it("are those of the dictionary, number by number", async () => {
    const output = new OutputDirectory(join(folder, "codes"));
    await withCase({}, async (directory) => writeDictionaries(output, await loadCase(directory)));
    const path = join(folder, "codes/training/dictionaries/codes.json");
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), {
      version: "1.0",
      operative_state: { 0: "deactivated", 1: "maintenance", 2: "operating", 3: "saturated" },
      storage_binding: { 0: "none", 1: "at_minimum", 2: "at_maximum", 3: "both" },
      entity_type: {
        0: "hydro",
        1: "thermal",
        2: "bus",
        3: "line",
        4: "pumping_station",
        5: "contract",
        7: "non_controllable",
      },
      bound_type: {
        0: "storage_min",
        1: "storage_max",
        2: "turbined_min",
        3: "turbined_max",
        4: "outflow_min",
        5: "outflow_max",
        6: "generation_min",
        7: "generation_max",
        8: "flow_min",
        9: "flow_max",
      },
      contract_type: { 0: "import", 1: "export" },
    });
  });
});

describe("where the model of a case comes from", () => {
  const told = (input: object, openings?: object) => {
    const none = { inflowStatistics: [], autoregressions: [], annualComponents: [] };
    const uncertainty = { input: { ...none, ...input }, openings };
    const study = { system: { hydros: [{}, {}] } };
    return modelProvenance({ study, uncertainty } as unknown as Case);
  };
  const lags = (...coefficients: number[]) => ({ coefficients });

  it("is told part by part", () => {
    const nothing = {
      version: "1.0",
      estimation_path: "deterministic",
      seasonal_stats_source: "none",
      ar_coefficients_source: "none",
      annual_component_source: "none",
      correlation_source: "none",
      opening_tree_source: "sampled",
      n_hydros: 2,
      ar_method: null,
      ar_max_order: 0,
      white_noise_fallbacks: [],
    };
    assert.deepEqual(told({}), nothing);
    const statistics = { inflowStatistics: [{}] };
    const file = "user_file";
    assert.deepEqual(told({ ...statistics, correlation: {} }, {}), {
      ...nothing,
      estimation_path: "user_stats_white_noise",
      seasonal_stats_source: file,
      correlation_source: file,
      opening_tree_source: file,
    });
    const model = {
      ...statistics,
      autoregressions: [lags(0.5), lags(0.5, 0.1, 0), lags(0, 0, 0, 0)],
      annualComponents: [{}],
    };
    assert.deepEqual(told(model), {
      ...nothing,
      estimation_path: "user_provided_no_history",
      seasonal_stats_source: file,
      ar_coefficients_source: file,
      annual_component_source: file,
      ar_max_order: 2,
    });
  });
});

describe("the components of the state", () => {
  it("are storages, lags, water on its way and commitments", () => {
    const study = {
      system: { hydros: [{ id: 7 }, { id: 3 }], thermals: [{ id: 5 }, { id: 6 }] },
      travel: { states: [{ plant: 1, ahead: 2 }] },
      commitments: {
        states: [
          { plant: 1, ahead: 1 },
          { plant: 0, ahead: 3 },
        ],
      },
    };
    const uncertainty = { inflow: { lags: 2 } };
    const found = stateVariables({ study, uncertainty } as unknown as Case);
    assert.deepEqual(
      found.map((one) => Object.values(one).join(" ")),
      [
        "storage hydro 7 hm3",
        "storage hydro 3 hm3",
        "inflow_lag hydro 7 1 m3/s",
        "inflow_lag hydro 3 1 m3/s",
        "inflow_lag hydro 7 2 m3/s",
        "inflow_lag hydro 3 2 m3/s",
        "in_transit hydro 3 2 hm3",
        "commitment thermal 6 1 MW",
        "commitment thermal 5 3 MW",
      ],
    );
  });
});

describe("planes that were fitted", () => {
  const fit = (hydroId: number, stageIds: number[], kappa: number, planes: number) => ({
    hydroId,
    stageIds,
    kappa,
    window: [10, 20],
    correction: 0.9,
    meanErrorMw: 1,
    maxErrorMw: 2,
    planes: Array.from({ length: planes }, (_, i) => ({
      constant: 6 + i,
      volume: 0.5,
      turbined: 0.25,
      spilled: -0.125,
    })),
  });
  const studyOf = (...fits: object[]) =>
    ({
      production: { fits },
      system: {
        hydros: [
          { id: 1, maxTurbinedM3s: 100 },
          { id: 2, maxTurbinedM3s: 200 },
        ],
      },
    }) as unknown as Study;

  it("are written once for all stages, or stage by stage where a plant has several fits", async () => {
    const study = studyOf(fit(1, [0, 1], 2, 2), fit(2, [0], 1, 1), fit(2, [1, 2], 0.5, 1));
    const output = new OutputDirectory(join(folder, "planes"));
    writeHydroModels(output, study);
    const path = join(folder, "planes/hydro_models/fpha_hyperplanes.parquet");
    const rest = (kappa: number, most: number) => [
      0.5,
      0.25,
      -0.125,
      kappa,
      10,
      20,
      most,
      0.9,
      1,
      2,
    ];
    assert.deepEqual(
      (await readOutputTable(path)).map((row) => Object.values(row)),
      [
        [1, null, 0, 3, ...rest(2, 100)],
        [1, null, 1, 3.5, ...rest(2, 100)],
        [2, 0, 0, 6, ...rest(1, 200)],
        [2, 1, 0, 12, ...rest(0.5, 200)],
        [2, 2, 0, 12, ...rest(0.5, 200)],
      ],
    );
    assert.deepEqual([hasHydroModels(study), hasHydroModels(studyOf())], [true, false]);
  });
});

describe("an output directory that does not exist", () => {
  it("is made with the folders above it when it is prepared", () => {
    const path = join(folder, "not/yet/there");
    const output = new OutputDirectory(path);
    assert.equal(output.prepare("refuse", undefined), false);
    output.close();
    assert.ok(existsSync(join(path, ".cobre-run")));
  });
});
