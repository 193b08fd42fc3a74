/** `cobre compare` looks at everything in a policy that is a result. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CutPool, decodePolicy, encodePolicy, type Policy } from "@cobre/sddp";
import { CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

let folder = "";
let whole = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-compare-"));
  const size = { iterations: 4, scenarios: 2 };
  const source = copyExample("sddp-tutorial", join(folder, "case"), size, (config) => {
    config.training.stopping_rules.push({
      type: "simulation",
      replications: 3,
      period: 2,
      bound_window: 1,
      distance_tol: 0,
      bound_tol: 1e9,
    });
  });
  whole = join(folder, "whole");
  const { code, stderr } = await CobreProcess.start(["run", source, "-o", whole]).finished;
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

/** Adds the smallest step to a number. */
function nudge(numbers: Float64Array, index: number): void {
  numbers[index] = (numbers[index] as number) * (1 + Number.EPSILON) + Number.MIN_VALUE;
}

const CHANGES: readonly [what: string, change: (policy: Policy) => Policy, told: RegExp][] = [
  [
    "trial points",
    (policy) => {
      nudge(policy.points.values, 2);
      return policy;
    },
    /policy, trial points, number 3/,
  ],
  [
    "the initial bound",
    (policy) => ({ ...policy, initialBound: policy.initialBound + 1 }),
    /policy, initial bound/,
  ],
  [
    "the history",
    (policy) => ({
      ...policy,
      history: policy.history.map((record, i) => (i === 1 ? { ...record, lpSolves: 1 } : record)),
    }),
    /policy, iteration 2, lpSolves: \d+ and 1/,
  ],
  [
    "the origin of a cut",
    (policy) => {
      const [first, ...others] = policy.pools;
      assert.ok(first);
      const origins = first.packedOrigins();
      origins[1] = 3;
      return {
        ...policy,
        pools: [CutPool.from(first.dimension, first.packedValues(), origins), ...others],
      };
    },
    /policy, stage 0, cut 0, forward pass: 0 and 3/,
  ],
  [
    "the state of a stopping rule",
    (policy) => {
      const [state] = policy.ruleStates;
      assert.ok(state);
      nudge(state.values, 0);
      return policy;
    },
    /policy, states of stopping rules/,
  ],
];

describe("cobre compare", () => {
  for (const [what, change, told] of CHANGES) {
    it(`finds a difference in ${what}`, async () => {
      const other = join(folder, what.replaceAll(" ", "-"));
      cpSync(whole, other, { recursive: true });
      const file = join(other, "policy/policy.bin");
      writeFileSync(file, encodePolicy(change(decodePolicy(readFileSync(file), file))));
      const { code, stdout } = await CobreProcess.start(["compare", whole, other]).finished;
      assert.match(stdout, told);
      assert.equal(code, 1);
    });
  }

  it("accepts a difference within a tolerance, and says where the largest is", async () => {
    const other = join(folder, "tolerated");
    cpSync(whole, other, { recursive: true });
    const file = join(other, "policy/policy.bin");
    const policy = decodePolicy(readFileSync(file), file);
    const initialBound = policy.initialBound + 1e-8;
    writeFileSync(file, encodePolicy({ ...policy, initialBound }));
    const compare = async (...args: string[]) => {
      const { code, stdout } = await CobreProcess.start(["compare", whole, other, ...args])
        .finished;
      return { code, stdout };
    };
    const place =
      /the largest difference is 1\.00e-8 in policy, initial bound, number 1: [\d.]+ and/;
    const near = await compare("--tolerance", "1e-7");
    assert.match(near.stdout, /^the same within 1e-7; /);
    assert.match(near.stdout, place);
    assert.equal(near.code, 0);
    const far = await compare("--tolerance", "1e-9");
    assert.match(far.stdout, /^different: more than 1e-9 apart; /);
    assert.match(far.stdout, place);
    assert.equal(far.code, 1);
    const json = JSON.parse((await compare("--tolerance", "1e-9", "--json")).stdout);
    assert.deepEqual([json.same, json.tolerance, json.difference], [false, 1e-9, null]);
    assert.equal(json.largest.b, initialBound);
    const bits = JSON.parse((await compare("--json")).stdout);
    assert.deepEqual([bits.same, bits.tolerance, bits.largest], [false, null, null]);
    assert.match(bits.difference, /policy, initial bound/);
    assert.equal((await compare("--tolerance", "-1")).code, 2);
  });

  it("does not look at times and at the reason of the end", async () => {
    const other = join(folder, "times");
    cpSync(whole, other, { recursive: true });
    const file = join(other, "policy/policy.bin");
    const policy = decodePolicy(readFileSync(file), file);
    const history = policy.history.map((record) => ({ ...record, totalMs: 1e6 }));
    writeFileSync(file, encodePolicy({ ...policy, history, rulesHolding: [] }));
    const { code, stdout } = await CobreProcess.start(["compare", whole, other]).finished;
    assert.equal(stdout, "the same bits\n");
    assert.equal(code, 0);
  });
});
