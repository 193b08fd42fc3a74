/** Planted errors in the files of non-controllable sources: each is told with its place and its cure. */
import { describe } from "node:test";
import { columns } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const wind = (fields: object = {}): object => ({
  id: 3,
  name: "Wind",
  bus_id: 1,
  max_generation_mw: 80,
  ...fields,
});
const sources = (...list: object[]): Changes => ({
  "system/non_controllable_sources.json": { non_controllable_sources: list },
});
const statistics = (values: Readonly<Record<string, readonly number[]>>): Changes => ({
  ...sources(wind()),
  "scenarios/non_controllable_stats.parquet": columns({
    ncs_id: [3, 3, 3],
    stage_id: [0, 1, 2],
    mean: [0.5, 0.5, 0.5],
    std: [0.1, 0, 0],
    ...values,
  }),
});
const factors = (fields: object): Changes => ({
  ...sources(wind()),
  "scenarios/non_controllable_factors.json": {
    non_controllable_factors: [
      { ncs_id: 3, stage_id: 0, block_factors: [{ block_id: 0, factor: 2 }], ...fields },
    ],
  },
});
const SOURCE = "system/non_controllable_sources\\.json: non-controllable source 3";

const ofSources: readonly Fault[] = [
  ["no source", sources()],
  ["a source", sources(wind())],
  ["statistics", statistics({})],
  ["a factor", factors({})],
  [
    "a bus that does not exist, a negative power and cost, an exit before the entry, all at once",
    sources(
      wind({
        bus_id: 9,
        max_generation_mw: -1,
        curtailment_cost: 0,
        entry_stage_id: 2,
        exit_stage_id: 1,
      }),
    ),
    new RegExp(`^error ${SOURCE}: bus_id: bus 9 does not exist; give the id of a bus in`),
    new RegExp(`^error ${SOURCE}: max_generation_mw: is -1; must not be below 0`),
    new RegExp(`^error ${SOURCE}: curtailment_cost: is 0; must be above 0`),
    new RegExp(`^error ${SOURCE}: exit_stage_id: is 1, and entry_stage_id is 2; the exit must be`),
  ],
  [
    "two sources with the same id",
    sources(wind(), wind({ name: "Sun" })),
    new RegExp(`^error ${SOURCE}: id: "Wind" and "Sun" have the same id; ids must be unique`),
  ],
  [
    "a misspelt field",
    sources(wind({ allow_curtailmnt: false })),
    /^warning .*allow_curtailmnt: is not a known field; did you mean "allow_curtailment"\?/,
  ],
  [
    "a share above 1",
    statistics({ mean: [0.5, 1.5, 0.5] }),
    /^error scenarios\/non_controllable_stats\.parquet: row 2: mean: is 1\.5; must be at most 1/,
  ],
  [
    "statistics of a source that does not exist",
    statistics({ ncs_id: [3, 3, 4] }),
    /^warning .*non_controllable_stats\.parquet: non-controllable source 3: there is no row for stage 2; nothing is available there/,
    /^error .*non-controllable source 4: ncs_id: non-controllable source 4 does not exist; correct the id, or add it to system\/non_controllable_sources\.json/,
  ],
  [
    "a bound beside statistics",
    {
      ...statistics({}),
      "constraints/ncs_bounds.csv": "ncs_id,stage_id,available_generation_mw\n3,0,5\n",
    },
    /^warning constraints\/ncs_bounds\.parquet: non-controllable source 3: has no effect; scenarios\/non_controllable_stats\.parquet says/,
  ],
  [
    "a negative bound of a source that does not exist, and one of a block",
    {
      ...sources(wind()),
      "constraints/ncs_bounds.csv":
        "ncs_id,stage_id,available_generation_mw,block_id\n8,0,5,\n3,1,5,0\n",
    },
    /^error constraints\/ncs_bounds\.parquet: block_id: asks for values of a single block, in 1 rows/,
  ],
  [
    "a penalty of 0",
    {
      ...sources(wind()),
      "constraints/penalty_overrides_ncs.csv": "source_id,stage_id,curtailment_cost\n3,0,0\n",
    },
    /^error constraints\/penalty_overrides_ncs\.parquet: non-controllable source 3, stage 0: curtailment_cost: is 0; must be above 0/,
  ],
  [
    "factors of a block, a stage and a source that do not exist",
    factors({ block_factors: [{ block_id: 1, factor: 1 }] }),
    /^error scenarios\/non_controllable_factors\.json: non-controllable source 3, stage 0: block_factors, block 1: this block does not exist; stage 0 has blocks 0 to 0/,
  ],
  [
    "factors of a source that does not exist",
    factors({ ncs_id: 5 }),
    /^error .*non-controllable source 5, stage 0: ncs_id: non-controllable source 5 does not exist/,
  ],
  [
    "a factor of 0",
    factors({ block_factors: [{ block_id: 0, factor: 0 }] }),
    /^error .*block_factors, block 0: the factor is 0; must be above 0/,
  ],
  [
    "a correlation with a source that does not exist",
    {
      ...statistics({}),
      "scenarios/correlation.json": {
        method: "spectral",
        profiles: {
          default: {
            correlation_groups: [
              {
                name: "g",
                entities: [
                  { type: "ncs", id: 3 },
                  { type: "ncs", id: 6 },
                ],
                matrix: [
                  [1, 0],
                  [0, 1],
                ],
              },
            ],
          },
        },
      },
    },
    /^error scenarios\/correlation\.json: non-controllable source 6: id: non-controllable source 6 does not exist/,
  ],
];

describe("non-controllable sources", () => {
  testFaults(ofSources);
});
