/** What can be wrong with the filling of reservoirs. */
import { describe } from "node:test";
import { columns, goodCase, hydro } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

/** Plant 2 operates from stage 2 on. */
const filled = (filling: object, more: object = {}): Changes => ({
  "system/hydros.json": {
    hydros: [hydro(4), hydro(2, { downstream_id: 4, entry_stage_id: 2, filling, ...more })],
  },
});

const initial = (storage: object[], filling_storage: object[]): Changes => ({
  "initial_conditions.json": {
    storage: [{ hydro_id: 4, value_hm3: 700 }, ...storage],
    filling_storage,
  },
});

const bounds = (values: Readonly<Record<string, readonly number[]>>): Changes => ({
  "constraints/hydro_bounds.parquet": columns({ hydro_id: [2], stage_id: [0], ...values }),
});

const START = { start_stage_id: 0 };
const good = { ...filled(START), ...initial([], [{ hydro_id: 2, value_hm3: 10 }]) };
const config = goodCase()["config.json"] as object;

const faults: readonly Fault[] = [
  ["nothing: a reservoir that is filled", good],
  ["nothing: one that starts empty", { ...filled(START), ...initial([], []) }],
  [
    "nothing: rates of single stages",
    {
      ...good,
      ...filled({ ...START, filling_min_rate_m3s: 3 }),
      ...bounds({ filling_min_rate_m3s: [5] }),
    },
  ],
  [
    "nothing: what is kept at most",
    {
      ...good,
      ...filled({ ...START, filling_inflow_m3s: 3 }),
      ...bounds({ filling_inflow_m3s: [5] }),
    },
  ],
  [
    "a filling without an end",
    { ...good, ...filled(START, { entry_stage_id: null }) },
    /^error system\/hydros\.json: hydro 2: entry_stage_id: is missing beside filling; give the stage in which the plant begins to operate/,
  ],
  [
    "a filling that begins or ends outside the study",
    { ...good, ...filled({ start_stage_id: -1 }, { entry_stage_id: 7 }) },
    /^error .*hydro 2: filling\.start_stage_id: stage -1 does not exist; a reservoir must be filled within the study/,
    /^error .*hydro 2: entry_stage_id: stage 7 does not exist/,
  ],
  [
    "a filling that begins too late",
    { ...good, ...filled({ start_stage_id: 2 }) },
    /^error .*filling\.start_stage_id: is 2, and entry_stage_id is 2; the filling must begin before/,
  ],
  [
    "two kinds of rates",
    { ...good, ...filled({ ...START, filling_min_rate_m3s: 1, filling_inflow_m3s: 2 }) },
    /^error .*hydro 2: filling\.filling_inflow_m3s: stands beside filling_min_rate_m3s; give the most or the least/,
  ],
  [
    "rates below 0",
    { ...good, ...filled({ ...START, filling_min_rate_m3s: -1 }) },
    /^error .*filling\.filling_min_rate_m3s: is -1; must be at least 0/,
  ],
  [
    "a rate of a plant that is not filled",
    bounds({ filling_min_rate_m3s: [1] }),
    /^error constraints\/hydro_bounds\.parquet: hydro 2, stage 0: filling_min_rate_m3s: the plant is not filled by it/,
  ],
  ["nothing: no rate of such a plant", bounds({ filling_inflow_m3s: [0] })],
  [
    "a rate of the other kind",
    { ...good, ...bounds({ filling_inflow_m3s: [1] }) },
    /^error .*hydro 2, stage 0: filling_inflow_m3s: the plant is not filled by it/,
  ],
  [
    "the storage of a plant that is not filled",
    initial([], [{ hydro_id: 2, value_hm3: 10 }]),
    /^error initial_conditions\.json: hydro 2: filling_storage: the plant has no filling; give its value in storage/,
  ],
  [
    "two storages",
    {
      ...filled(START),
      ...initial([{ hydro_id: 2, value_hm3: 10 }], [{ hydro_id: 2, value_hm3: 10 }]),
    },
    /^error initial_conditions\.json: hydro 2: filling_storage: is given twice/,
  ],
  [
    "storages that cannot be",
    { ...filled(START), ...initial([], [{ hydro_id: 2, value_hm3: 721 }]) },
    /^error initial_conditions\.json: hydro 2: filling_storage\.value_hm3: is 721; must not be above the maximum of 720/,
  ],
  [
    "storages below nothing",
    { ...filled(START), ...initial([], [{ hydro_id: 2, value_hm3: -1 }]) },
    /^error initial_conditions\.json: hydro 2: filling_storage\.value_hm3: is -1; must not be below 0/,
  ],
  [
    "a filling in a cyclic horizon",
    {
      ...good,
      "stages.json": {
        ...(goodCase()["stages.json"] as object),
        policy_graph: { type: "cyclic", annual_discount_rate: 0.1 },
      },
    },
    /^error .*hydro 2: filling: stands in a cyclic horizon; a reservoir is filled once/,
  ],
  [
    "a filling, as Cobre 0.5 takes it",
    {
      ...good,
      ...filled({ ...START, filling_inflow_m3s: 5 }),
      ...bounds({ filling_inflow_m3s: [1] }),
      "config.json": { ...config, compat: "cobre-0.5" },
    },
    /^warning system\/hydros\.json: hydro 2: entry_stage_id: has no effect/,
    /^warning system\/hydros\.json: hydro 2: filling: has no effect; as in Cobre 0\.5/,
  ],
];

describe("a fault of a filling", () => {
  testFaults(faults);
});
