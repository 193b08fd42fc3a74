import { describe } from "node:test";
import { goodCase, hydro, hydroPenalties, stage } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

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

// Each fault, and everything that must be said about it.
const faults: readonly Fault[] = [
  ...[
    "config.json",
    "penalties.json",
    "stages.json",
    "initial_conditions.json",
    "system/buses.json",
    "system/lines.json",
    "system/thermals.json",
    "system/hydros.json",
  ].flatMap((file): Fault[] => [
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
    config({ comment: "mine" }),
    /^warning config\.json: training\.comment: is not a known field; remove it/,
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
  ["no pass", config({ forward_passes: 0 }), /forward_passes: is 0; must be between 1 and 100000/],
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
    "cuts behind the last stage of a stage that cannot be",
    config({}, { policy: { boundary: { path: "b", source_stage: -1 } } }),
    /policy\.boundary\.source_stage: is -1; must be/,
  ],
  [
    "an unknown method",
    config({}, { modeling: { inflow_non_negativity: { method: "truncate" } } }),
    /inflow_non_negativity\.method: is "truncate"; must be one of: none, penalty, truncation, truncation_with_penalty/,
  ],
  ["a stage without an id", stages({ ...stage(0), id: undefined }), /stages\[0\]\.id: is missing/],
  ["a stage with a text for an id", stages(stage(0, { id: "a" })), /stage a: id: is the text "a"/],
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
    /risk_measure: is "worst"; must be "expectation"/,
  ],
  [
    "a sampling method of later",
    stages(stage(0, { sampling_method: "lhs" })),
    /stage 0: sampling_method: asks for lhs/,
  ],
  [
    "a transition that jumps",
    {
      "stages.json": {
        ...json("stages.json"),
        policy_graph: {
          type: "finite_horizon",
          annual_discount_rate: 0.1,
          transitions: [
            { source_id: 0, target_id: 1, probability: 1, annual_discount_rate_override: 0.2 },
            { source_id: 1, target_id: 0, probability: 1 },
          ],
        },
      },
    },
    /policy_graph\.transitions: asks for a transition from stage 1 to 0, which is not the next/,
  ],
  [
    "nodes in a cyclic horizon",
    {
      "stages.json": {
        ...json("stages.json"),
        policy_graph: {
          type: "cyclic",
          annual_discount_rate: 0.1,
          nodes: [{ id: 0, stage_id: 0 }],
        },
      },
    },
    /policy_graph\.nodes: asks for nodes in a cyclic horizon/,
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
    "a plant downstream of itself",
    hydros(hydro(2, { downstream_id: 4 }), hydro(4, { downstream_id: 2 })),
    /the water flows in a circle: 2 → 4 → 2/,
  ],
  [
    "a bus that does not exist",
    hydros(hydro(2), hydro(4, { bus_id: 9 })),
    /hydro 4: bus_id: bus 9 does not exist/,
  ],
];

describe("what is wrong with the JSON files of a case", () => {
  testFaults(faults);
});
