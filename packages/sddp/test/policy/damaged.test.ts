/** A policy file in which one thing is wrong is refused with the name of that thing. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Container, decodeContainer, encodeContainer } from "@cobre/io";
import { decodePolicy, encodePolicy, type Policy, SddpError } from "@cobre/sddp";
import { ofChain, ofCycle, ofModel, ofTree } from "./hand-made.js";

type Holder = Record<string, unknown>;

/** The value at a path of the header, as in `origin.nodes.1.stage`, becomes another one. */
function withHeader(make: () => Policy, path: string, value: unknown): Uint8Array {
  const parts = structuredClone(decodeContainer(encodePolicy(make()))) as unknown as {
    header: Holder;
  };
  const names = path.split(".");
  const last = names.pop() as string;
  const holder = names.reduce((found, name) => found[name] as Holder, parts.header);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return encodeContainer(parts as unknown as Container);
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** An array becomes another one; `undefined` takes it out. */
function withArray(
  make: () => Policy,
  name: string,
  change: (array: Numbers) => Numbers | undefined,
): Uint8Array {
  const { header, arrays } = decodeContainer(encodePolicy(make()));
  const { [name]: array, ...others } = arrays as Record<string, Numbers>;
  const changed = change((array ?? new Float64Array(0)).slice());
  return encodeContainer({
    header,
    arrays: changed === undefined ? others : { ...others, [name]: changed },
  });
}

function refused(bytes: Uint8Array, message: string, what: string): void {
  assert.throws(
    () => decodePolicy(bytes, "policy.bin"),
    (error) => {
      assert.ok(error instanceof SddpError && error.kind === "InvalidPolicy", `${what}: ${error}`);
      assert.equal(error.message, `policy.bin cannot be used: ${message}`, what);
      return true;
    },
  );
}

/** What every message about a wrong thing ends with. */
const AND_SO = "; use another copy, or train again";

const COMPONENT = {
  family: "commitment",
  entityType: "thermal",
  entityId: 2,
  ahead: 2,
  unit: "MW",
};

/** Of a header: the path, a wrong value, and what is said of it; the name in the message, if it is another one than the path. */
const HEADERS: readonly [
  make: () => Policy,
  path: string,
  value: unknown,
  problem: string,
  named?: string,
][] = [
  [ofChain, "origin", 5, "is not an object"],
  [ofChain, "origin", [], "is not an object"],
  [ofChain, "origin", null, "is not an object"],
  [ofChain, "dimension", 5, "is not the number of components"],
  [ofChain, "dimension", -1, "is negative"],
  [ofChain, "dimension", "6", "is not a whole number"],
  [ofCycle, "dimension", 3, "is not the number of hydros times one more than the lags"],
  [
    ofCycle,
    "origin.lags",
    2,
    "is not the number of hydros times one more than the lags",
    "dimension",
  ],
  [ofModel, "dimension", 1, "is not the number of state names"],
  [ofChain, "cost_scale", 1, "is 1, but this program reads cuts in 1000 $ only"],
  [ofModel, "cost_scale", 1000, "is 1000, but this program reads cuts in 1 $ only"],
  [ofChain, "cost_scale", "1000", 'is "1000", but this program reads cuts in 1000 $ only'],
  [ofChain, "record_fields", {}, "is not a list"],
  [ofChain, "record_fields", [1], "is not a text", "record_fields[0]"],
  [ofChain, "record_fields.1", "upper", "has no lowerBound", "record_fields"],
  [ofChain, "iteration", -1, "is negative"],
  [ofChain, "iteration", 1.5, "is not a whole number"],
  [ofChain, "bound_caveats", ["new"], "is none of foreign_cuts", "bound_caveats[0]"],
  [ofChain, "rules_holding", [5], "is not an object", "rules_holding[0]"],
  [ofChain, "rules_holding", [{ limit: 2 }], "is not a text", "rules_holding[0].type"],
  [ofChain, "rule_states", 5, "is not a list"],
  [ofChain, "rule_states.1.length", -1, "is negative", "rule_states[1].length"],
  [ofChain, "rule_states.0.rule", 5, "is not an object", "rule_states[0].rule"],
  [ofChain, "simulation_rules", [5], "is not an object", "simulation_rules[0]"],
  [ofChain, "origin.stageIds", "3", "is not a list"],
  [ofChain, "origin.stageIds", [], "is empty"],
  [ofChain, "origin.stageIds.2", 0.5, "is not a whole number", "origin.stageIds[2]"],
  [ofChain, "origin.forwardPasses", 0, "is 0"],
  [ofChain, "origin.forwardPasses", -2, "is negative"],
  [ofChain, "origin.futureFingerprints", ["a", "b"], "does not have one for each stage"],
  [ofChain, "origin.futureFingerprints.1", 5, "is not a text", "origin.futureFingerprints[1]"],
  [ofTree, "origin.nodes", 5, "is not a list"],
  [ofTree, "origin.nodes.1", 5, "is not an object", "origin.nodes[1]"],
  [ofTree, "origin.nodes.1.stage", 3, "is not a stage", "origin.nodes[1].stage"],
  [ofTree, "origin.nodes.1.stage", -1, "is negative", "origin.nodes[1].stage"],
  [ofTree, "origin.nodes.1.label", 5, "is not a text", "origin.nodes[1].label"],
  [ofTree, "origin.nodes.1.id", "x", "is not a whole number", "origin.nodes[1].id"],
  [ofChain, "origin.isCyclic", "no", "is neither true nor false"],
  [ofChain, "origin.isEnumerated", 1, "is neither true nor false"],
  [ofChain, "origin.isRiskNeutral", null, "is neither true nor false"],
  [ofChain, "origin.floors", [0, 0], "does not have one for each stage"],
  [ofTree, "origin.floors", [0, 0, 0], "does not have one for each node"],
  [ofChain, "origin.floors.1", "0", "is neither a number nor null", "origin.floors[1]"],
  [ofChain, "origin.earlierSolvers", [5], "is not a text", "origin.earlierSolvers[0]"],
  [ofChain, "origin.hydroIds.0", "4", "is not a whole number", "origin.hydroIds[0]"],
  [ofChain, "origin.lags", -1, "is negative"],
  [
    ofChain,
    "origin.lags",
    2 ** 40,
    "are not one for each storage and each lag of inflow",
    "origin.components",
  ],
  [
    ofChain,
    "origin.components.0.family",
    "inflow_lag",
    "is not storage",
    "origin.components[0].family",
  ],
  [
    ofChain,
    "origin.components.1.entityType",
    "thermal",
    "is not hydro",
    "origin.components[1].entityType",
  ],
  [ofChain, "origin.components.1.entityId", 4, "is not 7", "origin.components[1].entityId"],
  [ofChain, "origin.components.3.lag", 2, "is not 1", "origin.components[3].lag"],
  [ofChain, "origin.components.0.lag", 1, "has no meaning here", "origin.components[0].lag"],
  [ofChain, "origin.components.3.unit", "hm3", "is not m3/s", "origin.components[3].unit"],
  [ofChain, "origin.components.4", 5, "is not an object", "origin.components[4]"],
  [
    ofChain,
    "origin.components.4.family",
    "storage",
    "is none of in_transit, commitment",
    "origin.components[4].family",
  ],
  [
    ofChain,
    "origin.components.4.entityType",
    "thermal",
    "is not hydro",
    "origin.components[4].entityType",
  ],
  [ofChain, "origin.components.5.unit", "hm3", "is not MW", "origin.components[5].unit"],
  [
    ofChain,
    "origin.components.5.entityId",
    "2",
    "is not a whole number",
    "origin.components[5].entityId",
  ],
  [ofChain, "origin.components.5.ahead", -1, "is negative", "origin.components[5].ahead"],
  [ofChain, "origin.components.6", COMPONENT, "is not the number of components", "dimension"],
  [ofChain, "origin.pricedAt", ["2025-02-01"], "does not have one for each stage"],
  [ofChain, "origin.pricedAt.0", 5, "is not a text", "origin.pricedAt[0]"],
  [
    ofChain,
    "origin.pricedAt.0",
    "2025-2-01",
    "is not a date, as in 2025-02-01",
    "origin.pricedAt[0]",
  ],
  [ofModel, "origin.stateNames", [5], "is not a text", "origin.stateNames[0]"],
  [ofModel, "origin.stateNames", ["stock"], "is not the number of state names", "dimension"],
  [ofChain, "origin.caseFingerprint", 5, "is not a text"],
  [ofChain, "origin.solverFingerprint", undefined, "is not a text"],
  [ofChain, "origin.seed", 0.5, "is not a whole number"],
];

const set = (at: number, value: number) => (array: Numbers) => {
  array[at] = value;
  return array;
};
const first = (count: number) => (array: Numbers) => array.slice(0, count);
const missing = () => undefined;

/** Of an array: how it is changed, and what is said of it. */
const ARRAYS: readonly (readonly [
  make: () => Policy,
  name: string,
  change: (array: Numbers) => Numbers | undefined,
  problem: string,
])[] = [
  [ofChain, "cuts/0/origins", first(5), "has an odd length"],
  [ofChain, "cuts/0/origins", set(0, -1), "names an iteration or forward pass that cannot be"],
  [ofChain, "cuts/0/origins", set(1, -1), "names an iteration or forward pass that cannot be"],
  [ofChain, "cuts/0/origins", set(2, 3), "names an iteration or forward pass that cannot be"],
  [ofChain, "cuts/2/origins", missing, "is missing"],
  [ofChain, "cuts/0/values", first(20), "has 20 numbers instead of 21"],
  [ofChain, "cuts/0/active", set(1, 2), "has a number that is neither 0 nor 1"],
  [ofChain, "cuts/0/active", first(2), "has 2 numbers instead of 3"],
  [ofChain, "cuts/1/states", first(5), "does not hold whole states"],
  [ofChain, "cuts/1/states", missing, "is missing"],
  [ofModel, "cuts/0/states", () => Float64Array.of(1), "does not hold whole states"],
  [ofChain, "bases/columns", first(2), "has 2 numbers instead of 3"],
  [ofTree, "bases/rows", first(3), "has 3 numbers instead of 4"],
  [ofChain, "bases/columns", set(2, -1), "has a negative size"],
  [ofChain, "bases/rows", set(0, -1), "has a negative size"],
  [ofChain, "bases/states", set(3, 5), "has a state above 4"],
  [ofChain, "bases/states", first(23), "has 23 numbers instead of 24"],
  [ofTree, "bases/states", first(5), "has 5 numbers instead of 31"],
  [ofCycle, "bases/states", first(5), "has 5 numbers instead of 48"],
  [ofChain, "trial_points", first(37), "has 37 numbers instead of 38"],
  [ofTree, "trial_points", first(7), "has 7 numbers instead of 8"],
  [ofCycle, "trial_points", first(29), "has 29 numbers instead of 30"],
  [ofTree, "trial_nodes", missing, "is missing"],
  [ofTree, "trial_nodes", first(5), "has 5 numbers instead of 6"],
  [ofTree, "trial_nodes", set(1, 3), "names a node that is not of the stage"],
  [ofTree, "trial_nodes", set(1, 9), "names a node that is not of the stage"],
  [ofCycle, "trial_nodes", first(0), "does not hold whole cycles of every pass"],
  [ofCycle, "trial_nodes", first(9), "does not hold whole cycles of every pass"],
  [ofCycle, "trial_nodes", set(4, 2), "names a node that is not of the stage"],
  [ofChain, "history", first(21), "has 21 numbers instead of 22"],
  [ofChain, "history", set(11, 3), "does not count its iterations"],
  [ofChain, "rule_states", first(5), "has 5 numbers instead of 6"],
  [ofChain, "initial_bound", () => Float64Array.of(1, 2), "has 2 numbers instead of 1"],
  [ofChain, "initial_bound", () => Int32Array.of(1), "has another type of numbers"],
  [ofChain, "cuts/0/origins", (array) => Float64Array.from(array), "has another type of numbers"],
  [ofChain, "bases/states", (array) => Int32Array.from(array), "has another type of numbers"],
  ...[
    "cuts/1/values",
    "cuts/0/states",
    "trial_points",
    "initial_bound",
    "rule_states",
    "history",
  ].map((name) => [ofChain, name, set(0, Number.NaN), "has a number that is not finite"] as const),
];

describe("a policy file is refused", () => {
  it("if its header is wrong, by the name of the field", () => {
    for (const [make, path, value, problem, named = path] of HEADERS) {
      const what = `${path} = ${JSON.stringify(value)}`;
      refused(withHeader(make, path, value), `${named} ${problem}${AND_SO}`, what);
    }
    const kind = withHeader(ofChain, "kind", "another");
    refused(kind, "it does not hold a policy", "kind");
    for (const header of [null, [], 5]) {
      const bytes = encodeContainer({ header, arrays: {} });
      refused(bytes, `the header is not an object${AND_SO}`, JSON.stringify(header));
    }
  });

  it("if lags without plants would need memory", () => {
    const { header, arrays } = structuredClone(decodeContainer(encodePolicy(ofModel())));
    const { origin, ...rest } = header as { origin: object };
    const { stateNames: _, ...others } = origin as Record<string, unknown>;
    const odd = { ...others, lags: 3, components: [] };
    const bytes = encodeContainer({ header: { ...rest, cost_scale: 1000, origin: odd }, arrays });
    const problem = "origin.components are not one for each storage and each lag of inflow";
    refused(bytes, problem + AND_SO, "lags");
  });

  it("if an array is wrong, by its name", () => {
    for (const [make, name, change, problem] of ARRAYS) {
      refused(withArray(make, name, change), `${name} ${problem}${AND_SO}`, `${name} ${problem}`);
    }
  });
});
