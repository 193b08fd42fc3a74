import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { validateCase } from "@cobre/sddp";
import { columns, goodCase, hydro, parquetBytes, withCase } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const good = goodCase();

const STATS = "scenarios/inflow_seasonal_stats.parquet";
const stats = (data: Readonly<Record<string, readonly (number | null)[]>>): Changes => ({
  [STATS]: columns({
    hydro_id: [2, 2, 2, 4, 4, 4],
    stage_id: [0, 1, 2, 0, 1, 2],
    mean_m3s: [10, 20, 30, 40, 50, 60],
    std_m3s: [1, 2, 3, 4, 5, 6],
    ...data,
  }),
});
const statsBytes = parquetBytes(good[STATS] as ReturnType<typeof columns>);

const ar = (data: Readonly<Record<string, readonly number[]>>): Changes => ({
  "scenarios/inflow_ar_coefficients.parquet": columns({
    hydro_id: [2],
    stage_id: [1],
    lag: [1],
    coefficient: [0.5],
    residual_std_ratio: [0.9],
    ...data,
  }),
});

const correlation = (entities: object[], matrix: unknown): Changes => ({
  "scenarios/correlation.json": {
    method: "spectral",
    profiles: { default: { correlation_groups: [{ name: "g", entities, matrix }] } },
  },
});

// Each fault, and everything that must be said about it.
const faults: readonly Fault[] = [
  [
    "bounds of an unknown plant",
    {
      "constraints/hydro_bounds.parquet": columns({
        hydro_id: [9],
        stage_id: [0],
        max_storage_hm3: [5],
      }),
    },
    /hydro_bounds\.parquet: hydro 9, stage 0: hydro_id: hydro 9 does not exist/,
  ],
  [
    "no statistics",
    { [STATS]: undefined },
    /^error scenarios\/inflow_seasonal_stats\.parquet: is missing; hydro plants need/,
  ],
  ["an empty table", { [STATS]: new Uint8Array(0) }, /inflow_seasonal_stats\.parquet: is empty/],
  [
    "a truncated table",
    { [STATS]: statsBytes.subarray(0, statsBytes.length - 30) },
    /inflow_seasonal_stats\.parquet: is not a Parquet file that can be read/,
  ],
  [
    "a table that is a text",
    { [STATS]: "hydro_id,stage_id" },
    /is not a Parquet file that can be read/,
  ],
  [
    "a missing column",
    { [STATS]: columns({ hydro_id: [2], stage_id: [0], mean: [1], std_m3s: [1] }) },
    /mean_m3s: this column is missing; is it the one named "mean"\?|mean_m3s: this column is missing/,
    /^warning .*mean: is not a known column/,
  ],
  [
    "an extra column",
    stats({ comment: [1, 1, 1, 1, 1, 1] }),
    /^warning .*: comment: is not a known column; remove it/,
  ],
  [
    "NaN",
    stats({ mean_m3s: [10, Number.NaN, 30, 40, 50, 60] }),
    /row 2: mean_m3s: is NaN; must be a finite number/,
  ],
  [
    "a missing value",
    stats({ mean_m3s: [10, null, 30, 40, 50, 60] }),
    /row 2: mean_m3s: is null; must be given/,
  ],
  [
    "a negative deviation",
    stats({ std_m3s: [1, 2, -3, 4, 5, 6] }),
    /row 3: std_m3s: is -3; must be at least 0/,
  ],
  [
    "many faults of a column",
    stats({ std_m3s: [-1, -2, -3, -4, -5, -6] }),
    /row 1/,
    /row 2/,
    /row 3/,
    /row 4/,
    /row 5/,
    /std_m3s: 1 more rows are wrong/,
  ],
  [
    "a row given twice",
    stats({ stage_id: [0, 1, 1, 0, 1, 2] }),
    /row 3: hydro_id 2, stage_id 1 is already given in row 2/,
  ],
  [
    "statistics of an unknown plant",
    stats({ hydro_id: [2, 2, 2, 9, 9, 9] }),
    /hydro 9: hydro_id: hydro 9 does not exist/,
    /hydro 4: stage_id: there is no row for stage 0, 1, 2/,
  ],
  [
    "loads of some stages only, and of one that is none",
    {
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: [1, 1, 1],
        stage_id: [0, 2, 3],
        mean_mw: [1, 1, 1],
        std_mw: [0, 0, 0],
      }),
    },
    /^warning .*stage_id: stage 3 does not exist; these rows have no effect/,
    /bus 1: stage_id: there is no row for stage 1;/,
  ],
  [
    "statistics of a bus that does not exist",
    {
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: [8],
        stage_id: [0],
        mean_mw: [1],
        std_mw: [0],
      }),
    },
    /load_seasonal_stats\.parquet: bus 8: bus_id: bus 8 does not exist/,
  ],
  [
    "a past without statistics",
    ar({ stage_id: [0] }),
    /hydro 2 in stage 0: lag 1 needs the mean and standard deviation of stage -1; add a row for it to inflow_seasonal_stats/,
  ],
  [
    "a ratio of 0",
    ar({ residual_std_ratio: [0] }),
    /hydro 2, stage 1: residual_std_ratio: is 0; must be above 0/,
  ],
  [
    "two ratios",
    ar({
      hydro_id: [2, 2],
      stage_id: [2, 2],
      lag: [1, 2],
      coefficient: [0.1, 0.1],
      residual_std_ratio: [0.8, 0.9],
    }),
    /residual_std_ratio: is 0\.8 and 0\.9; must be the same/,
  ],
  ["a lag of 0", ar({ lag: [0] }), /row 1: lag: is 0; must be at least 1/],
  [
    "a past that is not given",
    {
      ...ar({ lag: [2], stage_id: [1] }),
      ...stats({
        hydro_id: [2, 2, 2, 4, 4, 4, 2],
        stage_id: [0, 1, 2, 0, 1, 2, -1],
        mean_m3s: [1, 1, 1, 1, 1, 1, 1],
        std_m3s: [1, 1, 1, 1, 1, 1, 1],
      }),
    },
    /^warning initial_conditions\.json: hydro 2: past_inflows: has 0 of the 1 past inflows/,
  ],
  [
    "a correlation that is no matrix",
    correlation([{ type: "inflow", id: 2 }], [["1"]]),
    /matrix: is not a matrix/,
  ],
  [
    "a correlation above 1",
    correlation(
      [
        { type: "inflow", id: 2 },
        { type: "inflow", id: 4 },
      ],
      [
        [1, 2],
        [2, 1],
      ],
    ),
    /correlation\.json: .*entry \(1, 2\) is 2; a correlation must be between/,
  ],
  [
    "a correlation of an unknown plant",
    correlation([{ type: "inflow", id: 7 }], [[1]]),
    /correlation\.json: hydro 7: id: hydro 7 does not exist/,
  ],
  [
    "an opening given twice",
    {
      "scenarios/noise_openings.parquet": columns({
        stage_id: [0, 0],
        opening_index: [1, 1],
        entity_index: [2, 2],
        value: [0, 0],
      }),
    },
    /row 2: entity_index: stage 0, opening 1, entity 2 was given before/,
  ],
  [
    "openings that do not cover the tree",
    {
      "scenarios/noise_openings.parquet": columns({
        stage_id: [0],
        opening_index: [0],
        entity_index: [0],
        value: [0],
      }),
    },
    /noise_openings: 26 values are missing, the first one for stage 0, opening 0, entity 1; every stage needs num_scenarios × 3/,
  ],
];

describe("what is wrong with the tables of a case", () => {
  testFaults(faults);
});

describe("what is wrong with a case", () => {
  it("is nothing", () =>
    withCase({}, async (directory) => {
      assert.deepEqual((await validateCase(directory)).issues, []);
    }));

  it("is told of several layers at once", () =>
    withCase(
      {
        "system/hydros.json": {
          hydros: [
            hydro(2, { bus_id: 9 }),
            hydro(4, { reservoir: { min_storage_hm3: 5, max_storage_hm3: 4 } }),
          ],
        },
        ...stats({ hydro_id: [2, 2, 2, 4, 4, 3] }),
        "scenarios/noise_openings.parquet": columns({
          stage_id: [7],
          opening_index: [0],
          entity_index: [0],
          value: [0],
        }),
      },
      async (directory) => {
        const { issues } = await validateCase(directory);
        const layers = new Set(
          issues.filter(({ severity }) => severity === "error").map(({ layer }) => layer),
        );
        assert.deepEqual(layers, new Set(["references", "physics", "stochastic", "dimensions"]));
      },
    ));
});
