import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildInflowModel, InflowModel, LoadModel, StochasticError } from "@cobre/stochastic";

function close(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual as number) - expected) < 1e-12, `${actual} is not ${expected}`);
}

describe("the inflow model", () => {
  const statistics = [
    { hydroId: 3, stageId: -2, mean: 80, std: 20 },
    { hydroId: 3, stageId: -1, mean: 90, std: 25 },
    { hydroId: 3, stageId: 0, mean: 100, std: 30 },
    { hydroId: 3, stageId: 1, mean: 110, std: 28 },
    { hydroId: 5, stageId: 0, mean: 70, std: 18 },
    { hydroId: 5, stageId: 1, mean: 75, std: 0 },
  ];
  const stages = [{ id: 0 }, { id: 1 }];

  it("without coefficients is mean and standard deviation", () => {
    const model = buildInflowModel({ stages, hydroIds: [3, 5], statistics });
    assert.equal(model.lags, 0);
    assert.deepEqual([...model.base], [100, 70, 110, 75]);
    assert.deepEqual([...model.sigma], [30, 18, 28, 0]);
    assert.equal(model.noiseTerm(0, 1, 0.5), 79);
  });

  it("scales standardised coefficients to the units of the flow", () => {
    const model = buildInflowModel({
      stages,
      hydroIds: [3, 5],
      statistics,
      autoregressions: [
        { hydroId: 3, stageId: 0, coefficients: [0.4, 0.2], residualStdRatio: 0.9 },
        { hydroId: 3, stageId: 1, coefficients: [0.35], residualStdRatio: 0.94 },
      ],
    });
    assert.equal(model.lags, 2);
    close(model.psi[0], (0.4 * 30) / 25);
    close(model.psi[1], (0.2 * 30) / 20);
    close(model.psi[4], (0.35 * 28) / 30);
    close(model.psi[5], 0);
    close(model.base[0], 100 - ((0.4 * 30) / 25) * 90 - ((0.2 * 30) / 20) * 80);
    close(model.sigma[0], 27);
    assert.equal(model.base[1], 70, "the other plant has no past");
    // State: [lag 1 of 3, lag 1 of 5, lag 2 of 3, lag 2 of 5], after two other numbers.
    const state = Float64Array.of(-1, -1, 10, 1000, 20, 1000);
    close(model.lagTerm(0, 0, state, 2), ((0.4 * 30) / 25) * 10 + ((0.2 * 30) / 20) * 20);
    assert.equal(model.lagTerm(0, 1, state, 2), 0);
  });

  it("has a coefficient of 0 on a past that does not vary", () => {
    const model = buildInflowModel({
      stages: [{ id: 2 }],
      hydroIds: [5],
      statistics: [...statistics, { hydroId: 5, stageId: 2, mean: 60, std: 10 }],
      autoregressions: [{ hydroId: 5, stageId: 2, coefficients: [0.5], residualStdRatio: 0.9 }],
    });
    assert.equal(model.psi[0], 0);
    assert.equal(model.base[0], 60);
  });

  it("takes the statistics of the season for a past stage without its own", () => {
    // Four seasons, the study starts in the third: stage -1 is of the second, whose stage is 3.
    const seasons = [2, 3, 0, 1].map((seasonId, id) => ({ id, seasonId }));
    const model = buildInflowModel({
      stages: seasons,
      seasonCycle: [0, 1, 2, 3],
      hydroIds: [1],
      statistics: seasons.map(({ id }) => ({
        hydroId: 1,
        stageId: id,
        mean: 10 * (id + 1),
        std: 2,
      })),
      autoregressions: [{ hydroId: 1, stageId: 0, coefficients: [0.5], residualStdRatio: 1 }],
    });
    close(model.base[0], 10 - 0.5 * 40);
  });

  it("does not take half a year for the cycle of the seasons", () => {
    const halfYear = {
      stages: [0, 1, 2, 3, 4, 5].map((month) => ({ id: month, seasonId: month })),
      hydroIds: [1],
      statistics: [0, 1, 2, 3, 4, 5].map((month) => {
        return { hydroId: 1, stageId: month, mean: 10 * (month + 1), std: 2 };
      }),
      autoregressions: [{ hydroId: 1, stageId: 0, coefficients: [0.5], residualStdRatio: 1 }],
    };
    const refused = (input: object, message: RegExp) =>
      assert.throws(() => buildInflowModel({ ...halfYear, ...input }), message);
    // Before January is December, not June.
    refused({}, /stage 0: lag 1 needs .* stage -1; add a row.* or season_definitions/);
    const seasonCycle = Array.from({ length: 12 }, (_, month) => month);
    refused({ seasonCycle }, /lag 1 needs .* stage -1/);
    const preStudyStages = [{ id: -1, seasonId: 11 }];
    refused({ seasonCycle, preStudyStages }, /lag 1 needs .* stage -1/);
    const december = { hydroId: 1, stageId: -1, mean: 70, std: 4 };
    const statistics = [...halfYear.statistics, december];
    close(buildInflowModel({ ...halfYear, statistics }).base[0], 10 - 0.25 * 70);
    // Two Decembers ago is found by its season.
    const back = Array.from({ length: 13 }, (_, lag) => (lag === 12 ? 0.5 : 0));
    const model = buildInflowModel({
      ...halfYear,
      seasonCycle,
      preStudyStages,
      statistics,
      autoregressions: [{ hydroId: 1, stageId: 0, coefficients: back, residualStdRatio: 1 }],
    });
    close(model.base[0], 10 - 0.25 * 70);
  });

  it("counts stages by their place and not by their ids", () => {
    const model = buildInflowModel({
      stages: [
        { id: 10, seasonId: 1 },
        { id: 20, seasonId: 0 },
      ],
      seasonCycle: [0, 1],
      hydroIds: [1],
      statistics: [
        { hydroId: 1, stageId: 10, mean: 30, std: 2 },
        { hydroId: 1, stageId: 20, mean: 50, std: 2 },
      ],
      autoregressions: [10, 20].map((stageId) => {
        return { hydroId: 1, stageId, coefficients: [0.5], residualStdRatio: 1 };
      }),
    });
    assert.deepEqual([...model.base], [30 - 0.5 * 50, 50 - 0.5 * 30]);
  });

  it("counts stages before the study back from its first one, or from 0", () => {
    const base = (...past: readonly number[]) =>
      buildInflowModel({
        stages: [{ id: 1 }],
        hydroIds: [1],
        statistics: [1, ...past].map((stageId, i) => {
          return { hydroId: 1, stageId, mean: 10 ** i, std: 2 };
        }),
        autoregressions: [
          { hydroId: 1, stageId: 1, coefficients: [0.5, 0.25], residualStdRatio: 1 },
        ],
      }).base[0];
    close(base(-1, -2), 1 - 0.5 * 10 - 0.25 * 100);
    close(base(0, -1), 1 - 0.5 * 10 - 0.25 * 100);
  });

  it("spreads the annual component over twelve lags", () => {
    const ids = Array.from({ length: 13 }, (_, i) => i - 12);
    const model = buildInflowModel({
      stages: [{ id: 0 }],
      hydroIds: [1],
      statistics: ids.map((stageId) => ({ hydroId: 1, stageId, mean: 100, std: 10 })),
      autoregressions: [{ hydroId: 1, stageId: 0, coefficients: [0.3], residualStdRatio: 0.8 }],
      annualComponents: [{ hydroId: 1, stageId: 0, coefficient: 0.24, std: 5 }],
    });
    assert.equal(model.lags, 12);
    close(model.psi[0], 0.3 + 0.04);
    close(model.psi[11], 0.04);
    close(model.base[0], 100 * (1 - 0.3 - 0.48));
  });

  it("says which statistics of the past are missing", () => {
    assert.throws(
      () =>
        buildInflowModel({
          stages,
          hydroIds: [5],
          statistics,
          autoregressions: [{ hydroId: 5, stageId: 0, coefficients: [0.5], residualStdRatio: 1 }],
        }),
      (error) => {
        assert.ok(error instanceof StochasticError && error.kind === "InvalidInflowModel");
        assert.match(error.message, /hydro 5 in stage 0: lag 1 .* stage -1/);
        return true;
      },
    );
  });

  it("can be looked at in another array", () => {
    const model = buildInflowModel({ stages, hydroIds: [3, 5], statistics });
    const region = new Float64Array(InflowModel.length(2, 2, 0));
    region.set(model.values);
    const view = new InflowModel(2, 2, 0, region);
    assert.deepEqual(view, model);
    assert.equal(view.base.buffer, region.buffer);
  });

  it("raises the noise so that no inflow is negative", () => {
    const model = new InflowModel(1, 1, 0);
    model.base[0] = 10;
    model.sigma[0] = 4;
    assert.equal(model.truncatedNoiseTerm(0, 0, -1, 3), 6, "nothing to raise");
    assert.equal(model.truncatedNoiseTerm(0, 0, -5, 3), -3, "with the past, an inflow of 0");
    model.sigma[0] = 0;
    assert.equal(model.truncatedNoiseTerm(0, 0, -5, -12), 10, "no noise to raise");
  });
});

describe("the load model", () => {
  it("knows which buses are uncertain, and has no negative load", () => {
    const model = new LoadModel(
      [0, 1],
      [2, 7, 9],
      [
        { busId: 9, stageId: 1, mean: 20, std: 10 },
        { busId: 2, stageId: 0, mean: 50, std: 0 },
        { busId: 7, stageId: 0, mean: 30, std: 1 },
      ],
    );
    assert.deepEqual(model.uncertainBusIds, [7, 9]);
    assert.equal(model.load(0, 0, 100), 50);
    assert.equal(model.load(1, 2, -1), 10);
    assert.equal(model.load(1, 2, -3), 0);
    assert.equal(model.load(0, 2, 1), 0, "no statistics, no load");
  });
});
