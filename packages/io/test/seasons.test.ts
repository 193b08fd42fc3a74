import { describe } from "node:test";
import { columns, goodCase, stage } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const stagesFile = goodCase()["stages.json"] as object;

/** January, February and March, with changes. */
function stages(changes: readonly object[], definitions?: object): Changes {
  const list = changes.map((fields, id) => stage(id, { season_id: id, ...fields }));
  return { "stages.json": { ...stagesFile, stages: list, season_definitions: definitions } };
}

const monthly = {
  cycle_type: "monthly",
  seasons: Array.from({ length: 12 }, (_, id) => ({ id, label: `m${id}`, month_start: id + 1 })),
};

const halves = [
  { end_date: "2025-01-16", season_id: 0 },
  { start_date: "2025-01-16", end_date: "2025-02-01", season_id: 0 },
  { start_date: "2025-02-01", end_date: "2025-03-01", season_id: 1 },
];

/** The inflow of a stage depends on the one before. */
const lag = (stageId: number): Changes => ({
  "scenarios/inflow_ar_coefficients.parquet": columns({
    hydro_id: [2],
    stage_id: [stageId],
    lag: [1],
    coefficient: [0.5],
    residual_std_ratio: [0.9],
  }),
});

const faults: readonly Fault[] = [
  [
    "a lag of January in a study of a quarter",
    { ...stages([{}, {}, {}]), ...lag(0) },
    /^error scenarios\/inflow_ar_coefficients\.parquet: .*lag 1 needs .* stage -1; add a row .*season_definitions to stages\.json/,
  ],
  [
    "a lag of January in a study of a quarter, with the months of a year",
    { ...stages([{}, {}, {}], monthly), ...lag(0) },
    /^error scenarios\/inflow_ar_coefficients\.parquet: .*lag 1 needs .* stage -1/,
  ],
  [
    "lags in halves of a month",
    { ...stages(halves, monthly), ...lag(2) },
    /^error stages\.json: stage 0: season_id: is a part of season 0, which stage 1 continues, and inflows depend on those of past seasons; this version cannot do that yet/,
  ],
  ["halves of a month without lags", stages(halves, monthly)],
  ["lags in halves of a month, without seasons that are defined", { ...stages(halves), ...lag(2) }],
  ["lags in months", { ...stages([{}, {}, {}], monthly), ...lag(2) }],
  [
    "a season that is not defined",
    stages([{ season_id: 12 }, {}, {}], monthly),
    /^error stages\.json: stage 0: season_id: season 12 is not defined/,
  ],
  [
    "a month that is none",
    stages([{}, {}, {}], {
      cycle_type: "custom",
      seasons: [
        { id: 0, label: "a", month_start: 13 },
        { id: 1, label: "b", month_start: 1 },
        { id: 1, label: "b", month_start: 1 },
        { id: 2, label: "c", month_start: 1 },
      ],
    }),
    /^error .*seasons\[0\]\.month_start: is 13; must be a month/,
    /^error .*seasons\[2\]\.id: 1 is the id of two seasons/,
  ],
];

describe("seasons and lags", () => {
  testFaults(faults);
});
