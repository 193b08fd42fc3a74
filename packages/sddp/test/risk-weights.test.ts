/** The edges of risk measures: equal costs, no weight left, stages that weigh nothing. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RiskMeasure, Study } from "@cobre/core";
import { isRiskNeutral, RISK_MEASURES, type RiskRule, riskWeights } from "@cobre/sddp";

const NEUTRAL: RiskMeasure = { kind: "expectation" };
const AVERSE: RiskMeasure = { kind: "cvar", alpha: 0.5, lambda: 0.5 };

function weigh(measure: RiskMeasure, costs: readonly number[], rule?: RiskRule): number[] {
  const weights = new Float64Array(costs.length).fill(Number.NaN);
  riskWeights(measure, Float64Array.from(costs), weights, rule);
  return [...weights];
}

function assertNear(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]) < 1e-14, `${actual} instead of ${expected}`);
  });
}

describe("weights", () => {
  it("of an expectation, and of a mixture without CVaR, are equal", () => {
    const none: RiskMeasure = { kind: "cvar", alpha: 0.25, lambda: 0 };
    for (const rule of [undefined, "correct", "cobre-0.5"] as const) {
      assert.deepEqual(weigh(NEUTRAL, [1, 5, 2, 3], rule), [0.25, 0.25, 0.25, 0.25]);
      assert.deepEqual(weigh(none, [1, 5, 2, 3], rule), [0.25, 0.25, 0.25, 0.25]);
    }
  });

  it("of equal costs go to the first of them", () => {
    const worst: RiskMeasure = { kind: "cvar", alpha: 0.5, lambda: 1 };
    assert.deepEqual(weigh(worst, [7, 7, 7, 7]), [0.5, 0.5, 0, 0]);
    assert.deepEqual(weigh(worst, [3, 7, 7, 7]), [0, 0.5, 0.5, 0]);
    assert.deepEqual(weigh(worst, [7, 3, 7, 9]), [0.5, 0, 0, 0.5]);
    const many = Array.from({ length: 200 }, (_, i) => i % 2);
    const weights = weigh({ kind: "cvar", alpha: 0.25, lambda: 1 }, many);
    assertNear(
      weights,
      many.map((cost, i) => (cost === 1 && i < 100 ? 1 / 50 : 0)),
    );
  });

  it("share what is left: the last of the worst may get a part", () => {
    const measure: RiskMeasure = { kind: "cvar", alpha: 0.3, lambda: 1 };
    assertNear(weigh(measure, [10, 40, 20, 30]), [0, 1 / 1.2, 0, 1 - 1 / 1.2]);
  });

  it("of outcomes that are not equally likely follow their probabilities", () => {
    for (const { kind, knowsProbabilities } of RISK_MEASURES) assert.ok(knowsProbabilities, kind);
    const [costs, likely] = [Float64Array.of(10, 30, 20), Float64Array.of(0.5, 0.2, 0.3)];
    const of = (measure: RiskMeasure, rule: RiskRule = "correct") => {
      const weights = new Float64Array(3).fill(Number.NaN);
      const plugin = RISK_MEASURES.find(({ kind }) => kind === measure.kind);
      plugin?.create(measure, rule)(costs, weights, likely);
      return [...weights];
    };
    assertNear(of(NEUTRAL), [0.5, 0.2, 0.3]);
    assertNear(of({ kind: "worst_case" }), [0, 1, 0]);
    assertNear(of({ kind: "cvar", alpha: 0.4, lambda: 0 }), [0.5, 0.2, 0.3]);
    // The worst 0.4 are all of the 30 and two thirds of the 20.
    assertNear(of({ kind: "cvar", alpha: 0.4, lambda: 1 }), [0, 0.5, 0.5]);
    assertNear(of({ kind: "cvar", alpha: 0.4, lambda: 0.5 }), [0.25, 0.1 + 0.25, 0.15 + 0.25]);
    // Caps of 0.2 / 2 + 0.2 / 0.8 and 0.3 / 2 + 0.3 / 0.8; the rest is for the cheapest.
    const old = of({ kind: "cvar", alpha: 0.4, lambda: 0.5 }, "cobre-0.5");
    assertNear(old, [1 - 0.35 - 0.525, 0.35, 0.525]);
  });

  it("of a mixture are a floor and a share, and in Cobre 0.5 a share up to a higher cap", () => {
    const measure: RiskMeasure = { kind: "cvar", alpha: 0.4, lambda: 0.6 };
    const [p, floor] = [1 / 5, 0.4 / 5];
    assertNear(weigh(measure, [5, 4, 3, 2, 1]), [
      floor + (0.6 * p) / 0.4,
      floor + (0.6 * p) / 0.4,
      floor,
      floor,
      floor,
    ]);
    const cap = 0.4 * p + (0.6 * p) / 0.4;
    assertNear(weigh(measure, [5, 4, 3, 2, 1], "cobre-0.5"), [cap, cap, 1 - 2 * cap, 0, 0]);
  });

  it("are given to as many as there are", () => {
    const all: RiskMeasure = { kind: "cvar", alpha: 1, lambda: 1 };
    assert.deepEqual(weigh(all, [1, 2]), [0.5, 0.5]);
    assert.deepEqual(weigh(AVERSE, [1]), [1]);
  });
});

describe("a study is risk-neutral", () => {
  const study = (...measures: readonly RiskMeasure[]) =>
    ({ time: { stages: measures.map((riskMeasure) => ({ riskMeasure })) } }) as unknown as Study;

  it("if no stage that weighs something has a risk measure", () => {
    assert.equal(isRiskNeutral(study(NEUTRAL, NEUTRAL, NEUTRAL)), true);
    assert.equal(isRiskNeutral(study(AVERSE, NEUTRAL, NEUTRAL)), false);
    assert.equal(isRiskNeutral(study(NEUTRAL, AVERSE, NEUTRAL)), false);
    assert.equal(isRiskNeutral(study(AVERSE, AVERSE, AVERSE)), false);
  });

  it("whatever its last stage says, unless that is the only one", () => {
    assert.equal(isRiskNeutral(study(NEUTRAL, NEUTRAL, AVERSE)), true);
    assert.equal(isRiskNeutral(study(AVERSE)), false);
    assert.equal(isRiskNeutral(study(NEUTRAL)), true);
  });

  it("if CVaR has no share, or is the mean", () => {
    assert.equal(isRiskNeutral(study({ kind: "cvar", alpha: 0.5, lambda: 0 }, AVERSE)), true);
    assert.equal(isRiskNeutral(study({ kind: "cvar", alpha: 1, lambda: 0.5 }, AVERSE)), true);
    assert.equal(isRiskNeutral(study({ kind: "cvar", alpha: 0.5, lambda: 1 }, AVERSE)), false);
  });
});
