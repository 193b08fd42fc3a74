import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/io";
import {
  columns,
  type FileContent,
  goodCase,
  hydro,
  hydroPenalties,
  parquetBytes,
  stage,
  withCase,
} from "./case-folder.js";

type Changes = Readonly<Record<string, FileContent>>;
const good = goodCase();
const json = (file: string) => good[file] as Record<string, unknown>;

function config(training: object, rest: object = {}): Changes {
  const base = json("config.json").training as object;
  return { "config.json": { training: { ...base, ...training }, ...rest } };
}

function stages(...list: object[]): Changes {
  return { "stages.json": { ...json("stages.json"), stages: list } };
}

function hydros(...list: object[]): Changes {
  return { "system/hydros.json": { hydros: list } };
}

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
const faults: readonly [string, Changes, ...RegExp[]][] = [
  ...[
    "config.json",
    "penalties.json",
    "stages.json",
    "initial_conditions.json",
    "system/buses.json",
    "system/lines.json",
    "system/thermals.json",
    "system/hydros.json",
  ].flatMap((file): [string, Changes, RegExp][] => [
    [
      `${file} missing`,
      { [file]: undefined },
      new RegExp(`^error ${file}: is missing; every case needs this file$`),
    ],
    [`${file} empty`, { [file]: " \n" }, new RegExp(`^error ${file}: is empty`)],
    [
      `${file} truncated`,
      { [file]: JSON.stringify(good[file]).slice(0, -2) },
      new RegExp(`^error ${file}: is not JSON: .*; look for`),
    ],
    [
      `${file} of another type`,
      { [file]: "7" },
      new RegExp(`^error ${file}: is 7; must be an object$`),
    ],
  ]),
  [
    "an unknown key",
    config({ forward_pases: 2 }),
    /^warning config\.json: training\.forward_pases: is not a known field; remove it/,
  ],
  [
    "a misspelt key",
    {
      "config.json": {
        training: { forward_pases: 2, stopping_rules: [{ type: "iteration_limit", limit: 1 }] },
      },
    },
    /^error config\.json: training\.forward_passes: is missing/,
    /^warning .*forward_pases: is not a known field; did you mean "forward_passes"\?/,
  ],
  [
    "a misspelt key of an entity",
    hydros(hydro(2), hydro(4, { downstream: 2 })),
    /^warning system\/hydros\.json: hydro 4: downstream: is not a known field/,
  ],
  [
    "a text for a number",
    config({ forward_passes: "2" }),
    /training\.forward_passes: is the text "2"; must be a whole number/,
  ],
  [
    "a fraction of a pass",
    config({ forward_passes: 1.5 }),
    /forward_passes: is 1\.5; must be a whole number/,
  ],
  ["no pass", config({ forward_passes: 0 }), /forward_passes: is 0; must be at least 1/],
  [
    "no iteration limit",
    config({ stopping_rules: [{ type: "time_limit", seconds: 3 }] }),
    /stopping_rules: has no iteration_limit/,
  ],
  [
    "an unknown rule",
    config({ stopping_rules: [{ type: "iteration_limt", limit: 3 }] }),
    /stopping_rules\[0\]\.type: is "iteration_limt"; .*did you mean "iteration_limit"\?/,
  ],
  [
    "a seed of 60 bits",
    config({ tree_seed: 2 ** 60 }),
    /tree_seed: is 1152921504606847000; must be a whole number of at most 53 bits/,
  ],
  [
    "a scheme without a seed",
    config({ scenario_source: { inflow: { scheme: "external" } } }),
    /scenario_source\.seed: is missing/,
    /inflow\.scheme: asks for external; this version cannot/,
  ],
  [
    "an unknown method",
    config({}, { modeling: { inflow_non_negativity: { method: "truncate" } } }),
    /inflow_non_negativity\.method: is "truncate"; must be one of: none, penalty, truncation, truncation_with_penalty/,
  ],
  [
    "a date that is none",
    stages(stage(0, { end_date: "2025-02-30" })),
    /stage 0: end_date: is "2025-02-30"; must be a day/,
  ],
  [
    "a month that is none",
    stages(stage(0, { end_date: "2025-13-01" })),
    /stage 0: end_date: is "2025-13-01"; must be a day/,
  ],
  [
    "a date that is a number",
    stages(stage(0, { end_date: 7 })),
    /stage 0: end_date: is 7; must be a text/,
  ],
  [
    "a risk measure that is none",
    stages(stage(0, { risk_measure: "worst" })),
    /risk_measure: is "worst"; must be "expectation" or/,
  ],
  [
    "a sampling method of later",
    stages(stage(0, { sampling_method: "lhs" })),
    /stage 0: sampling_method: asks for lhs/,
  ],
  [
    "a cyclic horizon",
    {
      "stages.json": {
        ...json("stages.json"),
        policy_graph: { type: "cyclic", annual_discount_rate: 0.1 },
      },
    },
    /policy_graph\.type: asks for a cyclic horizon/,
  ],
  [
    "a penalty that is missing",
    {
      "penalties.json": {
        ...json("penalties.json"),
        hydro: { ...hydroPenalties, spillage_cost: undefined },
      },
    },
    /penalties\.json: hydro\.spillage_cost: is missing/,
  ],
  [
    "a thermal that is a list",
    { "system/thermals.json": { thermals: [[]] } },
    /thermals\[0\]: is a list; must be an object/,
  ],
  [
    "a thermal without generation",
    { "system/thermals.json": { thermals: [{ id: 3, name: "T", bus_id: 1, cost_per_mwh: 1 }] } },
    /^error system\/thermals\.json: thermal 3: generation: is missing; must be given$/,
  ],
  [
    "fpha",
    hydros(
      hydro(2),
      hydro(4, {
        generation: {
          model: "fpha",
          min_turbined_m3s: 0,
          max_turbined_m3s: 1,
          min_generation_mw: 0,
          max_generation_mw: 1,
        },
      }),
    ),
    /hydro 4: generation\.model: asks for the production function fpha/,
  ],
  [
    "evaporation",
    hydros(hydro(2), hydro(4, { evaporation: { coefficients_mm: [] } })),
    /hydro 4: evaporation: asks for evaporation/,
  ],
  [
    "sources",
    { "system/non_controllable_sources.json": { non_controllable_sources: [{ id: 1 }] } },
    /asks for non-controllable sources/,
  ],
  [
    "contracts",
    { "system/energy_contracts.json": { contracts: [{ id: 1 }] } },
    /^warning system\/energy_contracts\.json: contracts: has no effect/,
  ],
  [
    "a plant downstream of itself",
    hydros(hydro(2, { downstream_id: 4 }), hydro(4, { downstream_id: 2 })),
    /the water flows in a circle: 2 → 4 → 2/,
  ],
  [
    "a bus that does not exist",
    hydros(hydro(2), hydro(4, { bus_id: 9 })),
    /hydro 4: bus_id: bus 9 does not exist/,
  ],
  [
    "bounds of an unknown plant",
    {
      "constraints/hydro_bounds.parquet": columns({
        hydro_id: [9],
        stage_id: [0],
        max_storage_hm3: [5],
      }),
    },
    /hydro_bounds\.parquet: hydro 9, stage 0: hydro 9 does not exist/,
  ],
  [
    "a withdrawal",
    {
      "constraints/hydro_bounds.parquet": columns({
        hydro_id: [2],
        stage_id: [0],
        water_withdrawal_m3s: [5],
      }),
    },
    /water_withdrawal_m3s: asks for water_withdrawal_m3s/,
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
    /row 3: hydro_id 2, stage_id 1 is given a second time, first in row 2/,
  ],
  [
    "statistics of an unknown plant",
    stats({ hydro_id: [2, 2, 2, 9, 9, 9] }),
    /hydro 9: hydro 9 does not exist/,
    /hydro 4: there is no row for stage 0, 1, 2/,
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
    /load_seasonal_stats\.parquet: bus 8: bus 8 does not exist/,
  ],
  [
    "a past without statistics",
    ar({ stage_id: [0] }),
    /hydro 2 in stage 0: lag 1 needs the mean and standard deviation of stage -1; give inflow_seasonal_stats a row for it/,
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
    /^warning initial_conditions\.json: hydro 2: past_inflows: has 0 of the 1 inflows/,
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
    /correlation\.json: .*entry \(1, 2\) is 2; a correlation is between/,
  ],
  [
    "a correlation of an unknown plant",
    correlation([{ type: "inflow", id: 7 }], [[1]]),
    /correlation\.json: hydro 7: hydro 7 does not exist/,
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
    /noise_openings: 26 of the values are missing, the first is stage 0, opening 0, entity 1; every stage needs num_scenarios × 3/,
  ],
];

describe("what is wrong with a case directory", () => {
  for (const [what, changes, ...messages] of faults) {
    it(`is told: ${what}`, () =>
      withCase(changes, async (directory) => {
        const { issues, case: found } = await validateCase(directory);
        const lines = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
        assert.equal(lines.length, messages.length, lines.join("\n"));
        messages.forEach((message, i) => {
          assert.match(lines[i] as string, message);
        });
        assert.equal(
          found === undefined,
          issues.some(({ severity }) => severity === "error"),
        );
      }));
  }

  it("is nothing", () =>
    withCase({}, async (directory) => {
      assert.deepEqual((await validateCase(directory)).issues, []);
    }));

  it("is told of several layers at once", () =>
    withCase(
      {
        ...hydros(
          hydro(2, { bus_id: 9 }),
          hydro(4, { reservoir: { min_storage_hm3: 5, max_storage_hm3: 4 } }),
        ),
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
