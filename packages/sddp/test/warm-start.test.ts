/** Which cuts a warm start may reuse, and what it says of the bound where it may not. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  decodePolicy,
  encodePolicy,
  hashPolicy,
  type Policy,
  type SddpEvent,
  train,
} from "@cobre/sddp";
import { InflowModel } from "@cobre/stochastic";
import { caseNamed, changed } from "./cases.js";

/** The tutorial problem: three stages; stage 2 is the last. */
const tutorial = async () => changed(await caseNamed("sddp-tutorial"), { iterations: 15 });

let trained: Policy;
before(async () => {
  using comm = new LocalCommunicator();
  trained = (await train(comm, await tutorial())).policy;
});

async function start(source: Case, warmStart: Policy = trained) {
  using comm = new LocalCommunicator();
  let foreign: readonly number[] | undefined;
  const onEvent = (event: SddpEvent) => {
    if (event.type === "training_started") foreign = event.foreignStageIds;
  };
  const result = await train(comm, source, { warmStart, onEvent });
  return { ...result, foreign, caveats: result.policy.boundCaveats };
}

/** The cost of the thermal plant in one stage. */
async function withCost(stage: number, cost: number): Promise<Case> {
  const source = await tutorial();
  source.study.thermals.costPerMwh.values[stage] = cost;
  return source;
}

describe("a warm start", () => {
  it("on the same data has a lower bound", async () => {
    const { foreign, caveats } = await start(await tutorial());
    assert.deepEqual([foreign, caveats], [[], []]);
  });

  it("keeps the bound if only the initial state, the first stage or the passes changed", async () => {
    const source = await tutorial();
    source.study.initialConditions.storageHm3.fill(100);
    const passes = changed(await tutorial(), { forwardPasses: 3 });
    for (const other of [source, await withCost(0, 20), passes]) {
      const { foreign, caveats, lowerBound } = await start(other);
      assert.deepEqual([foreign, caveats], [[], []]);
      using comm = new LocalCommunicator();
      const cold = await train(comm, changed(other, { iterations: 40 }));
      assert.ok(lowerBound <= cold.lowerBound * (1 + 1e-9), `${lowerBound} ${cold.lowerBound}`);
    }
  });

  it("marks the bound if a later stage changed: it can lie above the optimum", async () => {
    const cheaper = await withCost(2, 10);
    const { foreign, caveats, lowerBound, policy } = await start(cheaper);
    assert.deepEqual([foreign, caveats], [[0, 1], ["foreign_cuts"]]);
    using comm = new LocalCommunicator();
    const optimum = (await train(comm, changed(cheaper, { iterations: 40 }))).lowerBound;
    assert.ok(lowerBound > 1.1 * optimum, "the example shows nothing");
    // The mark belongs to the policy: it goes through files, resumed runs and further warm starts.
    const read = decodePolicy(encodePolicy(policy), "policy");
    const resumed = await train(comm, changed(cheaper, { iterations: 17 }), { resume: read });
    assert.deepEqual(resumed.policy.boundCaveats, ["foreign_cuts"]);
    const { foreign: none, caveats: inherited } = await start(cheaper, read);
    assert.deepEqual([none, inherited], [[], ["foreign_cuts"]]);
  });

  it("keeps the bound with other past inflows where no inflow can be negative", async () => {
    using comm = new LocalCommunicator();
    const withPast = async (base: number, past: number): Promise<Case> => {
      const source = await tutorial();
      const { config, study, uncertainty } = source;
      const inflow = new InflowModel(3, 1, 1);
      inflow.base.fill(base);
      inflow.psi.fill(0.5);
      inflow.sigma.fill(1);
      const { inflowNonNegativity, ...others } = config;
      const { initialConditions } = study;
      return {
        ...source,
        config: {
          ...others,
          inflowNonNegativity: { ...inflowNonNegativity, method: "truncation" },
        },
        study: { ...study, initialConditions: { ...initialConditions, pastInflowsM3s: [[past]] } },
        uncertainty: { ...uncertainty, inflow },
      };
    };
    for (const [base, foreign] of [
      [0, []],
      [-30, [0, 1]],
    ] as const) {
      const { policy } = await train(comm, await withPast(base, 50));
      const warm = await start(await withPast(base, 40), policy);
      assert.deepEqual(warm.foreign, foreign);
    }
  });

  it("names the stages that come before the change, and no others", async () => {
    assert.deepEqual((await start(await withCost(1, 20))).foreign, [0]);
    const risky = changed(await tutorial(), { risk: { kind: "cvar", alpha: 0.5, lambda: 0.5 } });
    assert.deepEqual((await start(risky)).foreign, [0, 1]);
  });

  it("from a file of an earlier version trusts only the same case", async () => {
    const { futureFingerprints: _, ...origin } = trained.origin;
    const old = { ...trained, origin };
    assert.deepEqual((await start(await tutorial(), old)).caveats, []);
    assert.deepEqual((await start(await withCost(0, 20), old)).caveats, ["foreign_cuts"]);
  });

  it("is in the first checkpoint, so that a run which is killed goes on with its cuts", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const written: Uint8Array[] = [];
    const checkpoint = { write: (policy: Policy) => written.push(encodePolicy(policy)) };
    const whole = await train(comm, source, { warmStart: trained, checkpoint });
    assert.equal(written.length, 1);
    const resume = decodePolicy(written[0] as Uint8Array, "checkpoint");
    assert.equal(resume.iteration, 0);
    const resumed = await train(comm, source, { resume });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
  });
});
