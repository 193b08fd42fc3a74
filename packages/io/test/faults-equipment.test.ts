/** Planted errors in the files of constraints, factors, limits of blocks, pumps and contracts: each is told with its place and its cure. */
import { describe } from "node:test";
import { goodCase } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const constraint = (fields: object = {}): object => ({
  id: 1,
  name: "cap",
  expression: "thermal_generation(0)",
  sense: "<=",
  slack: { enabled: true, penalty: 5000 },
  ...fields,
});
const bounds = "constraint_id,stage_id,block_id,bound\n1,0,,10\n";
const constraints = (list: readonly object[], table = bounds): Changes => ({
  "constraints/generic_constraints.json": { constraints: list },
  ...(table !== "" && { "constraints/generic_constraint_bounds.csv": table }),
});
const CONSTRAINT = "constraints/generic_constraints\\.json: constraint 1";
const wrong = (what: string, expression: string, message: string): Fault => [
  what,
  constraints([constraint({ expression })]),
  new RegExp(`^error ${CONSTRAINT}: expression: ${message}`),
];

const ofConstraints: readonly Fault[] = [
  ["a constraint", constraints([constraint({ description: "a text" })])],
  ["no constraint", constraints([], "")],
  [
    "a constraint without a bound",
    constraints([constraint()], ""),
    new RegExp(`^warning ${CONSTRAINT}: has no effect: no row gives it a bound; give its bound in`),
  ],
  wrong(
    "a text that ends too early",
    "thermal_generation(0) + ",
    'at position 25 of ".*": the text ends; a variable, as in',
  ),
  wrong(
    "a relation in the text, as in Cobre 0.18",
    "thermal_generation(0) <= 5",
    'at position 23 of ".*": "<" has no meaning here; remove it',
  ),
  wrong(
    "a variable that nobody knows",
    "2 * thermal_generatin(0)",
    'at position 5 of ".*": "thermal_generatin" is not a variable; must be one of: thermal_generation$',
  ),
  wrong(
    "a plant that does not exist",
    "hydro_turbined(3)",
    "at position 1 of .*: hydro 3 does not exist; give the id of one in system/hydros\\.json",
  ),
  wrong(
    "a block of a storage",
    "hydro_storage(2, 0)",
    "at position 1 .*: hydro_storage is the same in all blocks; write hydro_storage\\(2\\)",
  ),
  wrong(
    "a block that does not exist",
    "thermal_generation(0, 4)",
    "block 4 does not exist in stage 0, where the constraint is active; stage 0 has blocks 0 to 0",
  ),
  [
    "another sense",
    constraints([constraint({ sense: "<" })]),
    new RegExp(`^error ${CONSTRAINT}: sense: is "<"; must be one of: >=, <=, ==`),
  ],
  [
    "slack without a penalty",
    constraints([constraint({ slack: { enabled: true } })]),
    new RegExp(`^error ${CONSTRAINT}: slack\\.penalty: is missing; must be above 0 where slack`),
  ],
  [
    "two constraints with the same id, and a penalty of 0",
    constraints([constraint({ slack: { enabled: true, penalty: 0 } }), constraint({ name: "b" })]),
    new RegExp(`^error ${CONSTRAINT}: slack\\.penalty: is 0; must be above 0`),
    new RegExp(`^error ${CONSTRAINT}: id: "cap" and "b" have the same id; ids must be unique`),
    // The second one has no bound of its own.
    new RegExp(`^warning ${CONSTRAINT}: has no effect`),
  ],
  [
    "bounds of a constraint, a stage and a block that do not exist",
    constraints([constraint()], `${bounds}2,0,,1\n1,7,,1\n1,1,3,1\n`),
    /^error constraints\/generic_constraint_bounds\.parquet: constraint 2, stage 0: constraint_id: constraint 2 does not exist; remove the row, or give/,
    /^error .*constraint 1, stage 7: stage_id: stage 7 does not exist; remove the row or correct stage_id/,
    /^error .*constraint 1, stage 1: block_id: block 3 does not exist; stage 1 has blocks 0 to 0/,
  ],
  [
    "the same bound twice",
    constraints([constraint()], `${bounds}1,0,,11\n`),
    /^error .*row 2: constraint_id 1, stage_id 0, block_id NaN is already given in row 1; remove/,
  ],
];

describe("generic constraints", () => {
  testFaults(ofConstraints);
});

const twoBuses: Changes = {
  "system/buses.json": {
    buses: [
      { id: 1, name: "B" },
      { id: 2, name: "C" },
    ],
  },
};
const line = (fields: object = {}): Changes => ({
  ...twoBuses,
  "system/lines.json": {
    lines: [
      {
        id: 5,
        name: "L",
        source_bus_id: 1,
        target_bus_id: 2,
        capacity: { direct_mw: 100, reverse_mw: 40 },
        ...fields,
      },
    ],
  },
});
const lineFactors = (...list: object[]): Changes => ({
  ...line(),
  "constraints/exchange_factors.json": {
    exchange_factors: [{ line_id: 5, stage_id: 0, block_factors: list }],
  },
});
const csv = (name: string, ...rows: string[]): Changes => ({
  [`constraints/${name}.csv`]: `${rows.join("\n")}\n`,
});
const thermal = (fields: object): Changes => ({
  "system/thermals.json": {
    thermals: [
      {
        id: 0,
        name: "T",
        bus_id: 1,
        generation: { min_mw: 0, max_mw: 1000 },
        cost_per_mwh: 50,
        ...fields,
      },
    ],
  },
});
const THERMAL = "thermal_id,stage_id,block_id,min_generation_mw,max_generation_mw,cost_per_mwh";

const ofBlocks: readonly Fault[] = [
  ["factors of a line", lineFactors({ block_id: 0, direct_factor: 0.5, reverse_factor: 2 })],
  ["one factor of a line", lineFactors({ block_id: 0, direct_factor: 0.5 })],
  [
    "factors that are not positive, twice for a block, and of a block that does not exist",
    lineFactors(
      { block_id: 0, direct_factor: 0, reverse_factor: -1 },
      { block_id: 0 },
      { block_id: 3 },
    ),
    /^error constraints\/exchange_factors\.json: line 5, stage 0: block_factors, block 0: the direct factor is 0; must be above 0/,
    /^error .*block 0: the reverse factor is -1; must be above 0/,
    /^error .*block_factors, block 0: is given twice; give it once/,
    /^error .*block_factors, block 3: this block does not exist; stage 0 has blocks 0 to 0/,
  ],
  [
    "a factor and a capacity of the same block",
    {
      ...lineFactors({ block_id: 0, direct_factor: 0.5 }),
      ...csv("line_bounds", "line_id,stage_id,block_id,direct_mw", "5,0,0,7"),
    },
    /^error constraints\/exchange_factors\.json: line 5, stage 0: block 0: the block has a factor here and a capacity of its own in constraints\/line_bounds\.parquet; keep one of them/,
  ],
  ["losses of a line", line({ losses_percent: 2 })],
  [
    "losses of a line, as Cobre takes them",
    {
      ...line({ losses_percent: 2 }),
      "config.json": { ...(goodCase()["config.json"] as object), compat: "cobre-0.5" },
    },
    /^warning system\/lines\.json: line 5: losses_percent: does not change the flow; as in Cobre/,
  ],
  [
    "losses of more than all",
    line({ losses_percent: 101 }),
    /^error .*losses_percent: is 101; must be between 0 and 100/,
  ],
  ["a line that comes", line({ entry_stage_id: 1 })],
  [
    "a line that leaves before it comes",
    line({ entry_stage_id: 2, exit_stage_id: 2 }),
    /^error system\/lines\.json: line 5: exit_stage_id: is 2, and entry_stage_id is 2; the exit/,
  ],
  ["a plant that comes and goes", thermal({ entry_stage_id: 1, exit_stage_id: 2 })],
  ["a limit of a block", csv("thermal_bounds", THERMAL, "0,0,,10,,", "0,0,0,,20,")],
  [
    "limits of a block that contradict those of the stage, a cost of a block, a block that does not exist, and a row twice",
    csv("thermal_bounds", THERMAL, "0,0,,10,,", "0,0,0,,5,", "0,1,0,,,7", "0,2,1,,5,"),
    /^error constraints\/thermal_bounds\.parquet: thermal 0, stage 0, block 0: max_generation_mw: leaves min_generation_mw 10 above max_generation_mw 5; the maximum/,
    /^error .*thermal 0, stage 1, block 0: cost_per_mwh: is the same in all blocks of a stage; leave the cell empty, and give it in a row without block_id/,
    /^error .*thermal 0, stage 2, block 1: block_id: does not exist; stage 2 has blocks 0 to 0/,
  ],
  [
    "a storage of a block",
    csv("hydro_bounds", "hydro_id,stage_id,block_id,max_storage_hm3", "2,0,0,5"),
    /^error constraints\/hydro_bounds\.parquet: hydro 2, stage 0, block 0: max_storage_hm3: is the same in all blocks/,
  ],
];

describe("factors of lines, limits of blocks, plants that come and go", () => {
  testFaults(ofBlocks);
});

const station = (fields: object = {}): Changes => ({
  "system/pumping_stations.json": {
    pumping_stations: [
      {
        id: 6,
        name: "P",
        bus_id: 1,
        source_hydro_id: 4,
        destination_hydro_id: 2,
        consumption_mw_per_m3s: 0.5,
        flow: { min_m3s: 0, max_m3s: 8 },
        ...fields,
      },
    ],
  },
});
const contract = (fields: object = {}): Changes => ({
  "system/energy_contracts.json": {
    contracts: [
      {
        id: 8,
        name: "K",
        bus_id: 1,
        type: "import",
        price_per_mwh: 60,
        limits: { min_mw: 0, max_mw: 4 },
        ...fields,
      },
    ],
  },
});
const STATION = "system/pumping_stations\\.json: pumping station 6";

const ofPumpsAndContracts: readonly Fault[] = [
  ["a station and a contract", { ...station(), ...contract({ price_per_mwh: -5 }) }],
  [
    "a bus, a plant, a consumption and flows that make no sense, all at once",
    station({
      bus_id: 9,
      source_hydro_id: 7,
      consumption_mw_per_m3s: -1,
      flow: { min_m3s: 5, max_m3s: 4 },
    }),
    new RegExp(`^error ${STATION}: bus_id: bus 9 does not exist`),
    new RegExp(
      `^error ${STATION}: source_hydro_id: hydro 7 does not exist; give the id of a plant`,
    ),
    new RegExp(`^error ${STATION}: consumption_mw_per_m3s: is -1; must not be below 0`),
    new RegExp(`^error ${STATION}: flow\\.max_m3s: is 4, below the minimum of 5`),
  ],
  [
    "a station that pumps to where it pumps from",
    station({ destination_hydro_id: 4 }),
    new RegExp(`^error ${STATION}: destination_hydro_id: is hydro 4, from which the station pumps`),
  ],
  [
    "another type of contract",
    contract({ type: "imports" }),
    /^error system\/energy_contracts\.json: contract 8: type: is "imports"; must be one of: import, export; did you mean "import"\?/,
  ],
  [
    "limits of a contract that contradict each other",
    contract({ bus_id: 4, limits: { min_mw: -1, max_mw: -2 } }),
    /^error .*contract 8: bus_id: bus 4 does not exist/,
    /^error .*contract 8: limits\.min_mw: is -1; must not be below 0/,
    /^error .*contract 8: limits\.max_mw: is -2, below the minimum of -1/,
  ],
  [
    "limits of stations and contracts that do not exist",
    {
      ...station(),
      ...contract(),
      ...csv("pumping_bounds", "station_id,stage_id,max_m3s", "6,0,3", "7,0,3"),
      ...csv("contract_bounds", "contract_id,stage_id,price_per_mwh", "8,0,-3", "8,9,3"),
    },
    /^error constraints\/pumping_bounds\.parquet: pumping station 7, stage 0: station_id: pumping station 7 does not exist; remove the row or correct the id/,
    /^error constraints\/contract_bounds\.parquet: contract 8, stage 9: stage_id: stage 9 does not exist/,
  ],
  [
    "an import that a constraint takes for an export",
    { ...contract(), ...constraints([constraint({ expression: "contract_export(8)" })]) },
    /^error .*constraint 1: expression: at position 1 .*: contract 8 is an import; write contract_import\(8\)/,
  ],
  [
    "stations and contracts, as Cobre 0.5 takes them",
    {
      ...station(),
      ...contract({ bus_id: 9 }),
      "config.json": {
        compat: "cobre-0.5",
        training: { forward_passes: 2, stopping_rules: [{ type: "iteration_limit", limit: 2 }] },
      },
    },
    /^warning system\/pumping_stations\.json: pumping_stations: has no effect; as in Cobre 0\.5/,
    /^warning system\/energy_contracts\.json: contracts: has no effect; as in Cobre 0\.5/,
  ],
];

describe("pumping stations and energy contracts", () => {
  testFaults(ofPumpsAndContracts);
});
