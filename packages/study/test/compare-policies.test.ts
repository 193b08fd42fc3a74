/** Every number of a policy that is a result is compared, and a difference is told by its place. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool, type Policy, TrialPoints } from "@cobre/sddp";
import { differenceOfPolicies } from "#internal";
import { smallPolicy } from "./written-run.js";

type Change = (policy: Policy) => Partial<Policy> | undefined;

/** A change of numbers in place. */
const at =
  (
    numbers: (policy: Policy) => { [index: number]: number },
    index: number,
    value: number,
  ): Change =>
  (policy) => {
    numbers(policy)[index] = value;
    return undefined;
  };
/** A change of the first pool's numbers: intercepts and coefficients, or origins. */
const inPool =
  (part: "values" | "origins", index: number, value: number): Change =>
  ({ pools: [first, ...others] }) => {
    assert.ok(first);
    const packed = { values: first.packedValues(), origins: first.packedOrigins() };
    packed[part][index] = value;
    return { pools: [CutPool.from(first.dimension, packed.values, packed.origins), ...others] };
  };
const sizes = { columns: Int32Array.of(3, 3), rows: Int32Array.of(2, 1) };

const CHANGES: readonly [what: string, change: Change, told: string][] = [
  [
    "a stage more",
    ({ pools }) => ({ pools: [...pools, new CutPool(2)] }),
    "policy: 2 and 3 stages",
  ],
  [
    "another state",
    () => ({ points: new TrialPoints(1, 3, sizes) }),
    "policy: 2 and 3 state components",
  ],
  [
    "another number of passes",
    () => ({ points: new TrialPoints(4, 2, sizes) }),
    "policy: 1 and 4 forward passes",
  ],
  ["another iteration", () => ({ iteration: 1 }), "policy: 2 and 1 iterations"],
  [
    "a cut more",
    ({ pools: [first, last] }) => {
      last?.add(0, 0, 1, Float64Array.of(1, 1));
      return { pools: [first, last] as CutPool[] };
    },
    "policy, stage 31: 0 and 1 cuts",
  ],
  [
    "the first number of all",
    inPool("values", 0, 1),
    "policy, stage 30, cut 0, intercept: 100 and 1",
  ],
  [
    "a first coefficient",
    inPool("values", 1, 0),
    "policy, stage 30, cut 0, coefficient 0: -1 and 0",
  ],
  [
    "a last coefficient",
    inPool("values", 2, 0),
    "policy, stage 30, cut 0, coefficient 1: -2 and 0",
  ],
  ["a later intercept", inPool("values", 3, 0), "policy, stage 30, cut 1, intercept: 200 and 0"],
  [
    "the last coefficient",
    inPool("values", 5, 0),
    "policy, stage 30, cut 1, coefficient 1: -4 and 0",
  ],
  ["where a cut is from", inPool("origins", 0, 7), "policy, stage 30, cut 0, iteration: 1 and 7"],
  ["whose cut it is", inPool("origins", 1, 7), "policy, stage 30, cut 0, forward pass: 0 and 7"],
  ["where another is from", inPool("origins", 2, 7), "policy, stage 30, cut 1, iteration: 2 and 7"],
  ["whose another is", inPool("origins", 3, 7), "policy, stage 30, cut 1, forward pass: 0 and 7"],
  [
    "the history",
    ({ history }) => ({ history: history.map((one) => ({ ...one, lowerBound: 0.5 })) }),
    "policy, iteration 1, lowerBound: 0.25 and 0.5",
  ],
  [
    "the end of the history",
    ({ history: [one, two] }) => ({ history: [one, { ...two, lpSolves: 9 }] as Policy["history"] }),
    "policy, iteration 2, lpSolves: 8 and 9",
  ],
  ["the sign of a zero", () => ({ initialBound: -0 }), "policy, initial bound, number 1: 0 and 0"],
  [
    "a trial point",
    at(({ points }) => points.values, 4, 5),
    "policy, trial points, number 5: 4 and 5",
  ],
  [
    "the bases",
    at(({ points }) => points.bases, 0, 1),
    "policy: the bases of the last iteration differ",
  ],
  [
    "the rows of the bases",
    at(({ points }) => points.sizes.rows, 1, 2),
    "policy: the bases of the last iteration differ",
  ],
  [
    "the columns of the bases",
    at(({ points }) => points.sizes.columns, 1, 2),
    "policy: the bases of the last iteration differ",
  ],
  [
    "a simulation of a rule",
    at(({ ruleStates: [one] }) => one?.values as Float64Array, 1, 3),
    "policy, states of stopping rules, number 2: 2 and 3",
  ],
  [
    "a simulation less",
    () => ({ ruleStates: [] }),
    "policy, states of stopping rules, number 1: 1 and nothing",
  ],
];

describe("two policies", () => {
  for (const [what, change, told] of CHANGES)
    it(`differ in ${what}`, () => {
      const other = smallPolicy();
      const changed = { ...other, ...change(other) };
      assert.equal(differenceOfPolicies(smallPolicy(), changed), told);
      assert.notEqual(differenceOfPolicies(changed, smallPolicy()), undefined);
      assert.equal(differenceOfPolicies(changed, changed), undefined);
    });

  it("are the same if only times, data and the reason of the end differ", () => {
    const policy = smallPolicy();
    const times = { forwardMs: 1, backwardMs: 2, totalMs: 3 };
    const changed: Policy = {
      ...policy,
      origin: { ...policy.origin, caseFingerprint: "another" },
      history: policy.history.map((one) => ({ ...one, ...times })),
      rulesHolding: [{ type: "iteration_limit", limit: 2 }],
    };
    assert.equal(differenceOfPolicies(policy, changed), undefined);
  });

  it("are the same if both have the same NaN", () => {
    const [left, right] = [smallPolicy(), smallPolicy()].map((policy) => ({
      ...policy,
      ...inPool("values", 1, Number.NaN)(policy),
    })) as [Policy, Policy];
    assert.equal(differenceOfPolicies(left, right), undefined);
  });
});
