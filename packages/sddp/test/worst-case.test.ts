/** The worst case as a risk measure: its weights, and bounds that were worked out by hand. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { describeRiskMeasure, riskWeights, train } from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

const WORST = { kind: "worst_case" };

function weigh(...costs: readonly number[]): number[] {
  const weights = new Float64Array(costs.length).fill(Number.NaN);
  riskWeights(WORST, Float64Array.from(costs), weights);
  return [...weights];
}

describe("the worst case", () => {
  it("has all the weight, and the first of several has it", () => {
    assert.deepEqual(weigh(10, 30, 20), [0, 1, 0]);
    assert.deepEqual(weigh(-3, -1, -1, -2), [0, 1, 0, 0]);
    assert.deepEqual(weigh(7, 7), [1, 0]);
    assert.deepEqual(weigh(5), [1]);
    assert.equal(describeRiskMeasure(WORST), "worst case");
  });

  /**
   * sddp-tutorial: 150 MW of load for 1,000 h in each of three stages, thermal power at 50, 100 and 150 $/MWh, and water for 200 MW for one stage.
   * In the worst case no water comes: 450 - 200 have to be thermal, 150 of it in the first stage and 100 in the second, the cheapest ones.
   */
  it("of the tutorial is that no water comes", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("sddp-tutorial"), { risk: WORST });
    const { lowerBound, policy } = await train(comm, source);
    const byHand = 1000 * (150 * 50 + 100 * 100);
    assert.ok(Math.abs(lowerBound - byHand) <= 1e-9 * byHand, `${lowerBound} and not ${byHand}`);
    assert.equal(policy.origin.isRiskNeutral, false);
  });

  it("is CVaR of the worst opening alone", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("sddp-tutorial");
    const cvar = { kind: "cvar", alpha: 1 / 3, lambda: 1 };
    const [one, other] = [
      await train(comm, changed(source, { risk: WORST })),
      await train(comm, changed(source, { risk: cvar })),
    ];
    assert.deepEqual(
      one.policy.history.map(({ lowerBound }) => lowerBound),
      other.policy.history.map(({ lowerBound }) => lowerBound),
    );
  });
});
