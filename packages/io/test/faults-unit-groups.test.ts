/** What can be wrong with groups of units of hydro plants. */
import { describe } from "node:test";
import { columns, hydro } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const group = (id: number, fields: object = {}): object => ({
  id,
  name: `units ${id}`,
  bus_id: 1,
  min_turbined_m3s: 0,
  max_turbined_m3s: 500,
  min_generation_mw: 0,
  max_generation_mw: 500,
  ...fields,
});

const grouped = (groups: readonly object[], more: object = {}): Changes => ({
  "system/hydros.json": {
    hydros: [hydro(4), hydro(2, { downstream_id: 4, bus_id: null, unit_groups: groups, ...more })],
  },
});

const two = [group(0), group(1)];

const bounds = (values: Readonly<Record<string, readonly (number | null)[]>>): Changes => ({
  "constraints/hydro_unit_group_bounds.parquet": columns({
    hydro_id: [2],
    hydro_unit_group_id: [1],
    stage_id: [0],
    ...values,
  }),
});

const faults: readonly Fault[] = [
  ["nothing: two groups", grouped(two)],
  [
    "nothing: limits by stage and by block",
    { ...grouped(two), ...bounds({ max_turbined_m3s: [100], block_id: [0] }) },
  ],
  [
    "a bus beside groups",
    grouped(two, { bus_id: 1 }),
    /^error system\/hydros\.json: hydro 2: bus_id: stands beside unit_groups; give one of them/,
  ],
  ["no group", grouped([]), /^error .*hydro 2: unit_groups: .*give at least one group/],
  [
    "neither a bus nor groups",
    { "system/hydros.json": { hydros: [hydro(4), hydro(2, { bus_id: null })] } },
    /^error .*hydro 2: bus_id: is null; must be given/,
  ],
  [
    "a bus that is not there, and an id twice",
    grouped([group(0, { bus_id: 9 }), group(0)]),
    /^error .*hydro 2: unit_groups\[0\]\.bus_id: bus 9 does not exist/,
    /^error .*hydro 2: unit_groups: has two groups with the same id/,
  ],
  [
    "limits that cannot be",
    grouped([group(0, { min_turbined_m3s: 501 }), group(1, { min_generation_mw: -1 })]),
    /^error .*hydro 2: unit_groups\[0\]\.max_turbined_m3s: is 500, below the minimum of 501/,
    /^error .*hydro 2: unit_groups\[1\]\.min_generation_mw: is -1; must not be below 0/,
    /^error .*hydro 2: unit_groups: min_generation_mw of all groups is -1, below the 0 of the plant/,
  ],
  [
    "more than the plant",
    grouped([group(0), group(1, { max_turbined_m3s: 501 })]),
    /^error .*hydro 2: unit_groups: max_turbined_m3s of all groups is 1001, above the 1000 of the plant; change the groups/,
  ],
  [
    "a field that is missing",
    grouped([{ ...group(0), max_generation_mw: undefined }]),
    /^error .*hydro 2: unit_groups\[0\]\.max_generation_mw: is missing/,
  ],
  [
    "limits of groups, stages and blocks that are not there",
    {
      ...grouped(two),
      "constraints/hydro_unit_group_bounds.csv":
        "hydro_id,hydro_unit_group_id,stage_id,block_id,max_turbined_m3s\n4,0,0,,5\n2,1,7,,5\n2,1,0,3,5\n",
    },
    /^error constraints\/hydro_unit_group_bounds\.parquet: hydro 4, group 0, stage 0: hydro_unit_group_id: there is no such group/,
    /^error .*hydro 2, group 1, stage 7: stage_id: stage 7 does not exist/,
    /^error .*hydro 2, group 1, stage 0, block 3: block_id: does not exist; stage 0 has blocks 0 to 0/,
  ],
  [
    "limits that contradict each other",
    { ...grouped(two), ...bounds({ min_turbined_m3s: [501] }) },
    /^error .*hydro 2, group 1, stage 0: min_turbined_m3s: leaves min_turbined_m3s 501 above max_turbined_m3s 500/,
  ],
];

describe("a fault of groups of units", () => {
  testFaults(faults);
});
