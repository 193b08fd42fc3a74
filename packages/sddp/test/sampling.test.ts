import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case, Config } from "@cobre/io";
import { hashPolicy, simulate, train } from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

/** A case whose tree is given, so that a seed can only change the paths through it. */
async function withTraining(changes: Partial<Config["training"]>): Promise<Case> {
  const source = changed(await caseNamed("sddp-tutorial"), { iterations: 4 });
  const { config } = source;
  return { ...source, config: { ...config, training: { ...config.training, ...changes } } };
}

async function hashes(source: Case): Promise<string> {
  using comm = new LocalCommunicator();
  const { policy } = await train(comm, source);
  const { hash } = await simulate(comm, source, policy, { scenarios: 12 });
  return `${hashPolicy(policy).policy} ${hash}`;
}

describe("paths through the opening tree", () => {
  it("are drawn from the seed of the tree, not from that of the scenario source", async () => {
    const base = await withTraining({ treeSeed: 42 });
    const { scenarioSource } = base.config.training;
    const expected = await hashes(base);
    const other = await withTraining({
      treeSeed: 42,
      scenarioSource: { ...scenarioSource, seed: 99 },
    });
    assert.equal(await hashes(other), expected);
    assert.notEqual(await hashes(await withTraining({ treeSeed: 43 })), expected);
  });

  it("of a negative seed are those of its absolute value", async () => {
    const negative = await hashes(await withTraining({ treeSeed: -42 }));
    assert.equal(negative, await hashes(await withTraining({ treeSeed: 42 })));
  });
});

describe("the cost of water that is added to a negative inflow", () => {
  it("is that of the penalties, whatever modeling.penalty_cost says", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("four-regions"), { iterations: 1 });
    const { config } = source;
    const inflowNonNegativity = { method: "penalty", penaltyCost: 7 } as const;
    const expected = (await train(comm, source)).policy;
    const { policy } = await train(comm, {
      ...source,
      config: { ...config, inflowNonNegativity },
    });
    assert.deepEqual(hashPolicy(policy), hashPolicy(expected));
    assert.equal(policy.origin.caseFingerprint, expected.origin.caseFingerprint);
  });
});
