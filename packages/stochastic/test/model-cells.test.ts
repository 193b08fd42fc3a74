import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  buildInflowModel,
  InflowModel,
  type InflowModelInput,
  LoadModel,
  NON_NEGATIVITY,
  NoiseLayout,
} from "@cobre/stochastic";

function close(actual: number | undefined, expected: number, what = ""): void {
  assert.ok(
    Math.abs((actual as number) - expected) < 1e-12,
    `${what} ${actual} is not ${expected}`,
  );
}

/** Every number of these models is another one, so that each is seen to be in its place. */
describe("the inflow model of two plants and two stages", () => {
  const stages = [{ id: 0 }, { id: 1 }];
  const statistics = [-2, -1, 0, 1].flatMap((stageId) => [
    { hydroId: 3, stageId, mean: 100 + stageId, std: 10 + stageId },
    { hydroId: 5, stageId, mean: 200 + 3 * stageId, std: 20 + 2 * stageId },
  ]);
  const autoregressions = [
    { hydroId: 3, stageId: 0, coefficients: [0.1, 0.2], residualStdRatio: 0.9 },
    { hydroId: 5, stageId: 0, coefficients: [0.3], residualStdRatio: 0.8 },
    { hydroId: 3, stageId: 1, coefficients: [0.4], residualStdRatio: 0.7 },
    { hydroId: 5, stageId: 1, coefficients: [0.5, 0.6], residualStdRatio: 0.6 },
  ];
  const input = { stages, hydroIds: [3, 5], statistics, autoregressions };
  const model = buildInflowModel(input);
  // By stage and plant: ψ* s_t / s_(t - lag) of both lags.
  const psi: readonly (readonly [number, number])[] = [
    [(0.1 * 10) / 9, (0.2 * 10) / 8],
    [(0.3 * 20) / 18, 0],
    [(0.4 * 11) / 10, 0],
    [(0.5 * 22) / 20, (0.6 * 22) / 18],
  ];
  const mean = (plant: number, stage: number) => (plant === 0 ? 100 + stage : 200 + 3 * stage);

  it("has each coefficient in its place", () => {
    assert.deepEqual([model.stages, model.hydros, model.lags], [2, 2, 2]);
    psi.flat().forEach((expected, i) => {
      close(model.psi[i], expected, `coefficient ${i}`);
    });
    const sigma = [10 * 0.9, 20 * 0.8, 11 * 0.7, 22 * 0.6];
    for (const t of [0, 1]) {
      for (const h of [0, 1]) {
        const [first, second] = psi[2 * t + h] as readonly [number, number];
        const base = mean(h, t) - first * mean(h, t - 1) - second * mean(h, t - 2);
        close(model.base[2 * t + h], base, `base of plant ${h} in stage ${t}`);
        close(model.sigma[2 * t + h], sigma[2 * t + h] as number);
      }
    }
  });

  it("adds what was, lag by lag and plant by plant, to what is new", () => {
    const state = Float64Array.of(-9, 1, 2, 3, 4);
    const past = (h: number, lag: number) => 2 * lag + h + 1;
    for (const t of [0, 1]) {
      for (const h of [0, 1]) {
        const [first, second] = psi[2 * t + h] as readonly [number, number];
        close(model.lagTerm(t, h, state, 1), first * past(h, 0) + second * past(h, 1));
        const at = 2 * t + h;
        close(
          model.noiseTerm(t, h, 3),
          (model.base[at] as number) + 3 * (model.sigma[at] as number),
        );
      }
    }
  });

  it("lies in the array that it is given, part after part", () => {
    assert.equal(InflowModel.length(2, 2, 2), 16);
    const values = Float64Array.from({ length: 16 }, (_, i) => i);
    const view = new InflowModel(2, 2, 2, values);
    assert.deepEqual([...view.base], [0, 1, 2, 3]);
    assert.deepEqual([...view.sigma], [4, 5, 6, 7]);
    assert.deepEqual([...view.psi], [8, 9, 10, 11, 12, 13, 14, 15]);
    assert.equal(new InflowModel(3, 2, 4).values.length, 36);
  });

  it("has no inflow where a plant has no statistics", () => {
    const some = statistics.filter(({ hydroId, stageId }) => hydroId === 3 || stageId < 1);
    const without = buildInflowModel({ ...input, statistics: some });
    assert.deepEqual([without.base[3], without.sigma[3]], [0, 0]);
    assert.deepEqual([...without.psi.slice(6)], [0, 0]);
    assert.equal(without.base[2], model.base[2]);
  });

  it("has the whole standard deviation without an autoregression", () => {
    const without = buildInflowModel({ ...input, autoregressions: autoregressions.slice(0, 1) });
    assert.deepEqual([...without.sigma], [9, 20, 11, 22]);
    assert.deepEqual([without.lags, without.base[3]], [2, 203]);
  });

  it("truncates at an inflow of 0 in its own stage", () => {
    const own = new InflowModel(2, 2, 0);
    own.base.set([1, 2, 3, 4]);
    own.sigma.set([0, 0, 0, 2]);
    assert.equal(own.truncatedNoiseTerm(1, 1, -2, 0), 0, "exactly 0 is not raised");
    assert.equal(own.truncatedNoiseTerm(1, 1, -2.5, 0.5), -0.5);
    assert.equal(own.truncatedNoiseTerm(1, 1, -2, 0.5), 0, "above 0 is left alone");
    assert.equal(own.truncatedNoiseTerm(1, 0, -9, -5), 3, "no noise, nothing to raise");
  });

  it("raises noise, or lets water be added, as the method says", () => {
    assert.deepEqual(
      Object.entries(NON_NEGATIVITY).map(([name, { truncates, hasSlack }]) => [
        name,
        truncates,
        hasSlack,
      ]),
      [
        ["none", false, false],
        ["penalty", false, true],
        ["truncation", true, false],
        ["truncation_with_penalty", true, true],
      ],
    );
  });
});

describe("an annual component", () => {
  const ids = Array.from({ length: 15 }, (_, i) => i - 14);
  const annual = (fields: object, coefficients: readonly number[] = []) =>
    buildInflowModel({
      stages: [{ id: 0 }],
      hydroIds: [1],
      statistics: ids.map((stageId) => ({ hydroId: 1, stageId, mean: 10, std: 4 })),
      autoregressions: [{ hydroId: 1, stageId: 0, coefficients, residualStdRatio: 1 }],
      annualComponents: [{ hydroId: 1, stageId: 0, coefficient: 0.6, std: 2, ...fields }],
    });

  it("is a twelfth in each of twelve lags, and nothing in the next", () => {
    const model = annual({}, [...Array(12).fill(0), 0.5]);
    assert.equal(model.lags, 13);
    for (let lag = 1; lag <= 12; lag++) close(model.psi[lag - 1], (0.6 * 4) / 2 / 12, `lag ${lag}`);
    close(model.psi[12], 0.5);
    close(model.base[0], 10 - 10 * (1.2 + 0.5));
  });

  it("is nothing if the yearly mean does not vary", () => {
    const model = annual({ std: 0 }, [0.5]);
    assert.equal(model.lags, 12);
    assert.deepEqual([...model.psi], [0.5, ...Array(11).fill(0)]);
  });

  it("is there also for a past that does not vary", () => {
    const model = buildInflowModel({
      stages: [{ id: 0 }],
      hydroIds: [1],
      statistics: ids.map((stageId) => ({
        hydroId: 1,
        stageId,
        mean: 10,
        std: stageId === 0 ? 4 : 0,
      })),
      annualComponents: [{ hydroId: 1, stageId: 0, coefficient: 0.6, std: 2 }],
    });
    close(model.psi[0], 0.1);
  });
});

describe("statistics of the past", () => {
  /** The base of a plant with mean 0 and a coefficient of -1 on one lag: the mean of that lag. */
  const meanAt = (lag: number, input: Partial<InflowModelInput>, stageId = 0) => {
    const stages = input.stages ?? [{ id: 0 }];
    const coefficients = [...Array(lag - 1).fill(0), -1];
    const model = buildInflowModel({
      hydroIds: [1],
      statistics: [],
      autoregressions: [{ hydroId: 1, stageId, coefficients, residualStdRatio: 1 }],
      ...input,
      stages,
    });
    return model.base[stages.findIndex(({ id }) => id === stageId)];
  };
  const row = (stageId: number, mean: number) => ({ hydroId: 1, stageId, mean, std: 1 });

  it("are those of the stage, within the study and before it", () => {
    const stages = [{ id: 0 }, { id: 1 }, { id: 2 }];
    const statistics = [row(-2, 20), row(-1, 30), row(0, 40), row(1, 50), row(2, 0)];
    const means = [1, 2, 3, 4].map((lag) => meanAt(lag, { stages, statistics }, 2));
    assert.deepEqual(means, [50, 40, 30, 20]);
  });

  it("are those of the season that a stage before the study is said to have", () => {
    const input = {
      stages: [
        { id: 0, seasonId: 0 },
        { id: 1, seasonId: 1 },
      ],
      preStudyStages: [
        { id: -2, seasonId: 1 },
        { id: -1, seasonId: 0 },
      ],
      seasonCycle: [0, 1],
      statistics: [row(0, 0), row(1, 50)],
    };
    assert.equal(meanAt(2, input), 50);
    assert.equal(meanAt(1, input), 0, "not as the cycle has it");
  });

  it("go round the cycle as often as needed", () => {
    const stages = [1, 2, 0].map((seasonId, id) => ({ id, seasonId }));
    const input = {
      stages,
      seasonCycle: [0, 1, 2],
      statistics: [row(0, 0), row(1, 20), row(2, 30)],
    };
    const means = [1, 2, 3, 4, 5, 7].map((lag) => meanAt(lag, input));
    assert.deepEqual(means, [30, 20, 0, 30, 20, 30]);
  });

  it("of a season are those of its first stage, else of the last before the study", () => {
    const seasonCycle = [0, 1];
    const twice = {
      stages: [
        { id: 0, seasonId: 0 },
        { id: 1, seasonId: 1 },
        { id: 2, seasonId: 0 },
        { id: 3, seasonId: 1 },
      ],
      seasonCycle,
      statistics: [row(3, 90), row(2, 80), row(1, 70), row(0, 0)],
    };
    assert.equal(meanAt(1, twice), 70);
    const before = {
      stages: [{ id: 0, seasonId: 0 }],
      preStudyStages: [
        { id: -4, seasonId: 1 },
        { id: -2, seasonId: 1 },
      ],
      seasonCycle,
      statistics: [row(0, 0), row(-4, 40), row(-2, 20)],
    };
    assert.equal(meanAt(3, before), 20);
    const turned = { ...before, preStudyStages: [...before.preStudyStages].reverse() };
    assert.equal(meanAt(3, turned), 20, "whatever the order of the stages");
  });

  it("are missing where the cycle has a gap, or does not have the first season", () => {
    const input = {
      stages: [
        { id: 0, seasonId: 1 },
        { id: 1, seasonId: 2 },
      ],
      statistics: [row(0, 0), row(1, 20)],
    };
    assert.equal(meanAt(1, { ...input, seasonCycle: [1, 2] }), 20);
    const refused = (seasonCycle: readonly (number | undefined)[], message: RegExp) =>
      assert.throws(() => meanAt(1, { ...input, seasonCycle }), message);
    refused(
      [undefined, 1, 2],
      /lag 1 needs .* of stage -1; add a row .*, or give the stages a season_id$/,
    );
    refused([2, 3], /lag 1 needs .* of stage -1/);
    const unknown =
      /season_definitions to stages\.json, because the study does not show a whole cycle/;
    assert.throws(() => meanAt(1, input), unknown);
    assert.throws(() => meanAt(1, { ...input, stages: input.stages.slice(0, 1) }), unknown);
    const seasonless = { stages: [{ id: 0 }], statistics: [row(0, 0)], seasonCycle: [1, 2] };
    assert.throws(() => meanAt(1, seasonless), /or give the stages a season_id$/);
  });

  it("of a stage within the study are its own and no other stage's", () => {
    const stages = [
      { id: 0, seasonId: 0 },
      { id: 1, seasonId: 0 },
    ];
    const statistics = [row(1, 0), row(-1, 5)];
    assert.throws(
      () => meanAt(1, { stages, statistics, seasonCycle: [0] }, 1),
      /needs .* stage 0;/,
    );
  });
});

describe("the load model", () => {
  it("has mean and deviation of each bus and stage in their place", () => {
    const values = new Float64Array(8);
    const statistics = [0, 1].flatMap((stageId) =>
      [4, 2].map((busId) => ({
        busId,
        stageId,
        mean: 10 * busId + stageId,
        std: busId + stageId / 2,
      })),
    );
    const unknown = [
      { busId: 9, stageId: 0, mean: 1, std: 1 },
      { busId: 2, stageId: 9, mean: 1, std: 1 },
    ];
    const model = new LoadModel([0, 1], [2, 4], [...statistics, ...unknown], values);
    assert.deepEqual([...model.mean], [20, 40, 21, 41]);
    assert.deepEqual([...model.std], [2, 4, 2.5, 4.5]);
    assert.deepEqual([...values], [...model.mean, ...model.std]);
    assert.equal(model.values, values);
    assert.deepEqual(model.uncertainBusIds, [2, 4], "sorted, and only buses of the study");
    assert.equal(model.load(1, 0, 2), 26);
    assert.equal(model.load(0, 1, -2), 32);
  });

  it("has no noise of a bus that never varies, and no load without statistics", () => {
    const model = new LoadModel([0], [1, 2], [{ busId: 1, stageId: 0, mean: 0.5, std: 0 }]);
    assert.deepEqual(model.uncertainBusIds, []);
    assert.deepEqual([model.load(0, 0, 7), model.load(0, 1, 7)], [0.5, 0]);
    assert.equal(model.values.length, 4);
    const little = new LoadModel([0], [1], [{ busId: 1, stageId: 0, mean: 0, std: 0.5 }]);
    assert.deepEqual(little.uncertainBusIds, [1]);
  });
});

describe("the layout of noise", () => {
  it("has inflows, loads and sources, each in the order given", () => {
    const layout = new NoiseLayout({ inflow: [10, 9], load: [3, 2, 20], ncs: [7, 1] });
    assert.equal(layout.dimension, 7);
    assert.deepEqual(
      [layout.inflow, layout.load, layout.ncs],
      [
        [10, 9],
        [3, 2, 20],
        [7, 1],
      ],
    );
    const positions = [
      layout.indexOf("inflow", 9),
      layout.indexOf("inflow", 10),
      layout.indexOf("load", 2),
      layout.indexOf("load", 20),
      layout.indexOf("ncs", 1),
      layout.indexOf("ncs", 7),
      layout.indexOf("load", 9),
    ];
    assert.deepEqual(positions, [1, 0, 3, 4, 6, 5, undefined]);
    const alone = new NoiseLayout({ inflow: [1] });
    assert.deepEqual([alone.dimension, alone.load, alone.ncs], [1, [], []]);
  });
});
