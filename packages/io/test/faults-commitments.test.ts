/** What can be wrong with thermal plants that are committed ahead. Stages are the months of 2025, with 1000 hours each. */
import { describe } from "node:test";
import { columns, goodCase } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const good = goodCase();

const thermal = (fields: object): Changes => {
  const { thermals } = good["system/thermals.json"] as { thermals: object[] };
  return { "system/thermals.json": { thermals: thermals.map((one) => ({ ...one, ...fields })) } };
};

const past = (...windows: (readonly [start: string, end: string, mw?: number, id?: number])[]) =>
  ({
    "initial_conditions.json": {
      ...(good["initial_conditions.json"] as object),
      past_anticipated_commitments: windows.map(([start_date, end_date, mw = 50, id = 0]) => ({
        thermal_id: id,
        start_date,
        end_date,
        value_mw: mw,
      })),
    },
  }) satisfies Changes;

const JANUARY = past(["2025-01-01", "2025-02-01"]);
const ONE = { anticipated_config: { lead_stages: 1 } };
const config = good["config.json"] as object;

const behind = (
  stages: readonly (readonly [start: string, hours: number])[],
  bounds: readonly object[] = [],
): Changes => ({
  "post_study_stages.json": {
    stages: stages.map(([start_date, duration_hours]) => ({ start_date, duration_hours })),
    thermal_bounds: bounds,
  },
});

const bound = (fields: object = {}) => ({
  thermal_id: 0,
  post_study_stage_index: 0,
  cost_per_mwh: 5,
  min_mw: 0,
  max_mw: 9,
  ...fields,
});

const faults: readonly Fault[] = [
  ["nothing: a plant that is committed a stage ahead", { ...thermal(ONE), ...JANUARY }],
  [
    "nothing: as Cobre 0.5 spells it",
    { ...thermal({ gnl_config: { lag_stages: 1 } }), ...JANUARY },
  ],
  [
    "nothing: hours, and two windows",
    {
      ...thermal({ anticipated_config: { lead_time_hours: 1500 } }),
      ...past(["2025-01-20", "2025-02-01"], ["2025-01-01", "2025-01-20"]),
    },
  ],
  [
    "nothing: stages behind the study",
    { ...thermal(ONE), ...JANUARY, ...behind([["2025-04-01", 100]], [bound()]) },
  ],
  [
    "neither stages nor hours",
    { ...thermal({ anticipated_config: {} }), ...JANUARY },
    /^error system\/thermals\.json: thermal 0: anticipated_config\.lead_stages: is missing/,
  ],
  [
    "both",
    thermal({ anticipated_config: { lead_stages: 1, lead_time_hours: 5 } }),
    /^error .*thermal 0: anticipated_config\.lead_stages: stands beside lead_time_hours/,
  ],
  [
    "both spellings",
    thermal({ ...ONE, gnl_config: { lag_stages: 1 } }),
    /^error .*thermal 0: gnl_config: stands beside anticipated_config/,
  ],
  [
    "no stages",
    thermal({ anticipated_config: { lead_stages: 0 } }),
    /^error .*anticipated_config\.lead_stages: is 0; must be at least 1/,
  ],
  [
    "more stages than can be meant",
    thermal({ anticipated_config: { lead_stages: 367 } }),
    /^error .*thermal 0: anticipated_config\.lead_stages: is more than 366 stages/,
  ],
  [
    "what was decided before is not known",
    thermal(ONE),
    /^error initial_conditions\.json: thermal 0: past_anticipated_commitments: does not cover all days from 2025-01-01 to 2025-01-31/,
  ],
  [
    "a part of it is not known",
    { ...thermal({ anticipated_config: { lead_stages: 2 } }), ...JANUARY },
    /^error .*thermal 0: past_anticipated_commitments: does not cover all days from 2025-02-01 to 2025-02-28/,
  ],
  [
    "windows that overlap",
    {
      ...thermal(ONE),
      ...past(["2025-01-01", "2025-02-01"], ["2025-01-31", "2025-02-01"]),
    },
    /^error .*thermal 0: past_anticipated_commitments: two windows have the day 2025-01-31/,
  ],
  [
    "more than the plant can",
    { ...thermal(ONE), ...past(["2025-01-01", "2025-02-01", 1001]) },
    /^error .*thermal 0: past_anticipated_commitments: commits 1001 MW to a stage in which the plant has 0 to 1000 MW/,
  ],
  [
    "a plant that is not there",
    { ...thermal(ONE), ...past(["2025-01-01", "2025-02-01"], ["2025-01-01", "2025-02-01", 1, 9]) },
    /^error .*thermal 9: past_anticipated_commitments: thermal 9 does not exist/,
  ],
  [
    "a plant that is not committed",
    JANUARY,
    /^warning .*thermal 0: past_anticipated_commitments: has no effect; the plant is not committed ahead/,
  ],
  [
    "limits of single blocks",
    {
      ...thermal(ONE),
      ...JANUARY,
      "constraints/thermal_bounds.parquet": columns({
        thermal_id: [0],
        stage_id: [1],
        block_id: [0],
        max_generation_mw: [5],
      }),
    },
    /^error constraints\/thermal_bounds\.parquet: thermal 0, stage 1, block 0: block_id: the plant is committed ahead, for whole stages/,
  ],
  [
    "stages behind the study that do not follow it",
    { ...thermal(ONE), ...JANUARY, ...behind([["2025-04-05", 100]], [bound()]) },
    /^error post_study_stages\.json: stage 0: start_date: leaves a gap/,
  ],
  [
    "limits that cannot be",
    {
      ...thermal(ONE),
      ...JANUARY,
      ...behind(
        [["2025-04-01", 100]],
        [
          bound({ min_mw: 10 }),
          bound({ thermal_id: 8 }),
          bound({ post_study_stage_index: 1 }),
          bound(),
        ],
      ),
    },
    /^error post_study_stages\.json: thermal 0, stage 0: max_mw: is 9, below the minimum of 10/,
    /^error post_study_stages\.json: thermal 8, stage 0: thermal 8 does not exist/,
    /^error post_study_stages\.json: thermal 0, stage 1: there is no stage 1 in stages/,
    /^error post_study_stages\.json: thermal 0, stage 0: is given twice/,
  ],
  [
    "no hours",
    { ...thermal(ONE), ...JANUARY, ...behind([["2025-04-01", 0]]) },
    /^error post_study_stages\.json: stages\[0\]\.duration_hours: is 0; must be above 0/,
  ],
  [
    "a plant that is committed ahead in a cyclic horizon",
    {
      ...thermal(ONE),
      ...JANUARY,
      "stages.json": {
        ...(good["stages.json"] as object),
        policy_graph: { type: "cyclic", annual_discount_rate: 0.1 },
      },
    },
    /^error .*thermal 0: anticipated_config: asks for commitments in a cyclic horizon; this version cannot do that yet/,
  ],
  [
    "a plant that is committed ahead, as Cobre 0.5 takes it",
    {
      ...thermal({ gnl_config: { lag_stages: 1 } }),
      "config.json": { ...config, compat: "cobre-0.5" },
    },
    /^warning system\/thermals\.json: thermal 0: gnl_config: has no effect; as in Cobre 0\.5/,
  ],
];

describe("a fault of a commitment", () => {
  testFaults(faults);
});
