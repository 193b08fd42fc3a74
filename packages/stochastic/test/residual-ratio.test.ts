/** The deviation of the noise, which follows from the coefficients. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StochasticError, withResidualRatios } from "@cobre/stochastic";

/** The ratios of a plant whose season m has `coefficients[m]`. */
function ratios(coefficients: readonly (readonly number[])[]): readonly number[] {
  const stages = coefficients.map((_, id) => ({ id, seasonId: id }));
  return withResidualRatios({
    stages,
    seasonCycle: stages.map(({ id }) => id),
    hydroIds: [1],
    statistics: [],
    autoregressions: coefficients.map((own, stageId) => ({
      hydroId: 1,
      stageId,
      coefficients: own,
      residualStdRatio: Number.NaN,
    })),
  }).map(({ residualStdRatio }) => residualStdRatio);
}

const near = (found: readonly number[], expected: readonly number[]) =>
  found.forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] as number)) < 1e-12, `${found} for ${expected}`);
  });

describe("the deviation of the noise", () => {
  it("of one lag is √(1 - φ²), in each season for itself", () => {
    near(ratios([[0.6], [0.8], [0]]), [0.8, 0.6, 1]);
  });

  it("of two lags is that of the Yule-Walker equations", () => {
    // ρ(1) = φ₁ / (1 - φ₂), ρ(2) = φ₁ ρ(1) + φ₂
    const [first, second] = [0.5, 0.3];
    const one = first / (1 - second);
    const two = first * one + second;
    near(ratios([[first, second]]), [Math.sqrt(1 - first * one - second * two)]);
  });

  it("of seasons of different order is that of their common correlations", () => {
    // Season 0 has two lags, season 1 one: ρ₁(1) = 0.5, and ρ₀(1) = φ₁ + φ₂ ρ₁(1).
    const [one, two] = [0.4, 0.2];
    const ofFirst = one + two * 0.5;
    const ofSecond = one * 0.5 + two;
    near(ratios([[one, two], [0.5]]), [
      Math.sqrt(1 - one * ofFirst - two * ofSecond),
      Math.sqrt(0.75),
    ]);
  });

  it("with an annual component counts its part of each of twelve lags", () => {
    const stages = [{ id: 0, seasonId: 0 }];
    const [row] = withResidualRatios({
      stages,
      seasonCycle: [0],
      hydroIds: [1],
      statistics: [{ hydroId: 1, stageId: 0, mean: 5, std: 2 }],
      autoregressions: [
        { hydroId: 1, stageId: 0, coefficients: [0.1], residualStdRatio: Number.NaN },
      ],
      annualComponents: [{ hydroId: 1, stageId: 0, coefficient: 0.12, std: 2 }],
    });
    // 0.01 for each of twelve lags, and 0.1 more for the first.
    near([row?.residualStdRatio ?? 0], ratios([[0.11, ...new Array(11).fill(0.01)]]));
  });

  it("does not exist for coefficients with which inflows grow", () => {
    for (const wrong of [[[1.2]], [[1]], [[2.5, -1]], [[0.9, 0.5]]])
      assert.throws(
        () => ratios(wrong),
        (error) =>
          error instanceof StochasticError && /hydro 1, stage 0: .*stationary/.test(error.message),
      );
  });

  it("needs a whole cycle of seasons", () => {
    const autoregressions = [0, 1].map((stageId) => ({
      hydroId: 1,
      stageId,
      coefficients: [0.5],
      residualStdRatio: Number.NaN,
    }));
    const input = { hydroIds: [1], statistics: [], autoregressions };
    const stages = [0, 1].map((id) => ({ id, seasonId: id }));
    assert.throws(() => withResidualRatios({ ...input, stages }), /add season_definitions/);
    // Without any season, all stages are alike.
    const alike = withResidualRatios({ ...input, stages: [{ id: 0 }, { id: 1 }] });
    near(
      alike.map(({ residualStdRatio }) => residualStdRatio),
      [Math.sqrt(0.75), Math.sqrt(0.75)],
    );
  });
});
