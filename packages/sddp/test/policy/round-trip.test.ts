/** What a policy says, its file says as well; and its hashes say whether two are the same. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeContainer, encodeContainer } from "@cobre/io";
import { CutPool, decodePolicy, encodePolicy, hashPolicy, type Policy } from "@cobre/sddp";
import { ofChain, ofCycle, ofModel, ofTree } from "./hand-made.js";

const KINDS = {
  "of a case, with everything": ofChain,
  "of a tree": ofTree,
  "of a cycle": ofCycle,
  "of a model without states": ofModel,
};

describe("the file of a policy", () => {
  for (const [kind, make] of Object.entries(KINDS)) {
    it(`${kind} has all of it`, () => {
      const policy = make();
      assert.deepEqual(decodePolicy(encodePolicy(policy), "policy.bin"), policy);
    });
  }

  it("has the unit of its cuts: thousands of $ for a case, that of its objective for a model", () => {
    const scaleOf = (policy: Policy) =>
      (decodeContainer(encodePolicy(policy)).header as { cost_scale: number }).cost_scale;
    assert.deepEqual([scaleOf(ofChain()), scaleOf(ofModel())], [1000, 1]);
  });

  it("may say less, if an earlier version wrote it", () => {
    const { header, arrays } = decodeContainer(encodePolicy(ofChain()));
    const { bound_caveats, rules_holding, rule_states, ...rest } = header as Record<
      string,
      unknown
    >;
    const { rule_states: _, ...others } = arrays;
    const read = (more: object, last: readonly number[]) =>
      decodePolicy(
        encodeContainer({
          header: { ...rest, ...more },
          arrays: { ...others, last_simulation: Float64Array.from(last) },
        }),
        "policy.bin",
      );
    const none = read({}, []);
    assert.deepEqual([none.boundCaveats, none.rulesHolding, none.ruleStates], [[], [], []]);
    assert.deepEqual(read({}, [1, 2, 3]).ruleStates, [
      { rule: undefined, values: Float64Array.of(1, 2, 3) },
    ]);
    const rules = [{ type: "simulation" }, { type: "other" }];
    assert.deepEqual(read({ simulation_rules: rules }, [1, 2, 3, 4, 5, 6]).ruleStates, [
      { rule: rules[0], values: Float64Array.of(1, 2, 3) },
      { rule: rules[1], values: Float64Array.of(4, 5, 6) },
    ]);
    assert.throws(() => read({}, [1, 2]), /last_simulation has 2 numbers instead of 3/);
    const two = { simulation_rules: rules };
    assert.throws(() => read(two, [1, 2, 3]), /last_simulation has 3 numbers instead of 6/);
  });
});

describe("the hashes of a policy", () => {
  const names = ["convergence", "cuts", "policy"] as const;
  /** Which of them change with the policy. */
  const changedBy = (change: (policy: Policy) => Policy) => {
    const [before, after] = [hashPolicy(ofChain()), hashPolicy(change(ofChain()))];
    return names.filter((name) => before[name] !== after[name]);
  };
  const withRecord = (change: object) => (policy: Policy) => ({
    ...policy,
    history: policy.history.map((record) => ({ ...record, ...change })),
  });
  const firstPool =
    (change: (values: Float64Array, origins: Int32Array, flags: Uint8Array) => void) =>
    (policy: Policy) => {
      const [pool, ...others] = policy.pools as [CutPool, ...CutPool[]];
      const values = pool.packedValues();
      const origins = pool.packedOrigins();
      const flags = pool.packedFlags() as Uint8Array;
      change(values, origins, flags);
      const first = CutPool.from(pool.dimension, values, origins, undefined, flags);
      return { ...policy, pools: [first, ...others] };
    };

  const CHANGES: readonly [what: string, change: (policy: Policy) => Policy, string[]][] = [
    ["nothing", (policy) => policy, []],
    ["a bound", withRecord({ lowerBound: 7 }), ["convergence"]],
    ["a mean", withRecord({ upperBoundMean: 7 }), ["convergence"]],
    ["a deviation", withRecord({ upperBoundStd: 7 }), ["convergence"]],
    ["the number of cuts in use", withRecord({ cutsActive: 7 }), ["convergence"]],
    ["the number of an iteration", withRecord({ iteration: 7 }), ["convergence"]],
    ["the time of an iteration", withRecord({ totalMs: 7, forwardMs: 7, lpSolves: 7 }), []],
    ["a number of a cut", firstPool((values) => values.fill(0, 0, 1)), ["cuts", "policy"]],
    ["the pass of a cut", firstPool((_, origins) => origins.fill(3, 1, 2)), ["cuts", "policy"]],
    ["whether a cut is in use", firstPool((_, __, flags) => flags.fill(1, 1, 2)), ["policy"]],
    [
      "a trial point",
      (policy) => {
        policy.points.values[3] = 77;
        return policy;
      },
      ["policy"],
    ],
    [
      "a basis",
      (policy) => {
        policy.points.bases[0] = 4 - (policy.points.bases[0] ?? 0);
        return policy;
      },
      ["policy"],
    ],
  ];
  for (const [what, change, expected] of CHANGES) {
    it(`${expected.length === 0 ? "do not change" : `of ${expected.join(" and ")} change`} with ${what}`, () => {
      assert.deepEqual(changedBy(change), expected);
    });
  }

  it("are those that other versions find", () => {
    assert.deepEqual(hashPolicy(ofChain()), {
      convergence: "4133abf7fa448bde1cdc0e44be2438d3e6996e4ad4cadecfac4cb097b38e4d0e",
      cuts: "dd8e07c4fb5dbe64d426ea0e0f222f159a83f1a06ecaed2e8ffba24d8282b7f6",
      policy: "e2b8ee1bba201d8986df3587082224d4f06e9ee72e3a75016774e5a7b31ca973",
    });
  });
});
