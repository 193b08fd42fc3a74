import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { StoppingRule } from "@cobre/io";
import {
  costStatistics,
  decodePolicy,
  encodePolicy,
  gapPercent,
  isRiskNeutral,
  type Progress,
  riskWeights,
  SddpError,
  type SddpEvent,
  train,
} from "@cobre/sddp";
import { Deal, isStalling } from "#internal";
import { caseNamed, changed } from "./cases.js";
import { rulesAtWork } from "./rules-at-work.js";

describe("the weights of risk measures", () => {
  const costs = Float64Array.of(10, 40, 20, 30);
  const weigh = (alpha: number, lambda: number, rule?: "cobre-0.5") => {
    const weights = new Float64Array(4);
    riskWeights({ kind: "cvar", alpha, lambda }, costs, weights, rule);
    return [...weights];
  };

  it("CVaR shares everything among the worst", () => {
    assert.deepEqual(weigh(0.5, 1), [0, 0.5, 0, 0.5]);
    assert.deepEqual(weigh(0.25, 1), [0, 1, 0, 0]);
  });

  it("a mixture has a floor under every weight, that of Cobre 0.5 has none", () => {
    assert.deepEqual(weigh(0.5, 0.5), [0.125, 0.375, 0.125, 0.375]);
    assert.deepEqual(weigh(0.5, 0.5, "cobre-0.5"), [0, 0.375, 0.25, 0.375]);
  });

  it("always add up to 1", () => {
    for (const alpha of [0.1, 0.3, 0.77, 1]) {
      for (const lambda of [0, 0.2, 1]) {
        for (const rule of [undefined, "cobre-0.5"] as const) {
          const sum = weigh(alpha, lambda, rule).reduce((a, b) => a + b);
          assert.ok(Math.abs(sum - 1) < 1e-12, `${alpha} ${lambda} ${rule}: ${sum}`);
        }
      }
    }
  });
});

describe("statistics", () => {
  it("of a cost that is not finite are an error", () => {
    for (const costs of [
      [1, Infinity],
      [NaN],
      [1, -Infinity],
      [1.5e308, 1.5e308],
      [-1e200, 1e200],
    ]) {
      assert.throws(
        () => costStatistics(Float64Array.from(costs)),
        (error) => error instanceof SddpError && error.kind === "NotFinite",
        String(costs),
      );
    }
  });

  it("one value has no confidence interval", () => {
    assert.deepEqual(costStatistics(Float64Array.of(5)), {
      mean: 5,
      std: 0,
      ci95: undefined,
      count: 1,
    });
  });

  it("the variance has n - 1 in the denominator", () => {
    const { mean, std, ci95 } = costStatistics(Float64Array.of(1, 3));
    assert.equal(mean, 2);
    assert.equal(std, Math.sqrt(2));
    assert.equal(ci95, (1.96 * Math.sqrt(2)) / Math.sqrt(2));
  });
});

describe("the gap", () => {
  const record = { lowerBound: 90, upperBoundMean: 100 };

  it("compares the mean with a bound on the mean", () => {
    assert.equal(gapPercent(record, true), 10);
    assert.equal(gapPercent({ ...record, lowerBound: 0 }, true), undefined);
  });

  it("does not compare the mean with a risk-adjusted bound", async () => {
    assert.equal(gapPercent(record, false), undefined);
    const source = await caseNamed("sddp-tutorial");
    const neutral = (alpha: number, lambda: number) =>
      isRiskNeutral(changed(source, { risk: { kind: "cvar", alpha, lambda } }).study);
    assert.equal(isRiskNeutral(source.study), true);
    assert.equal(neutral(0.5, 0.2), false);
    assert.equal(neutral(0.5, 0), true);
    assert.equal(neutral(1, 0.5), true);
  });
});

describe("work dealt to ranks", () => {
  it("everybody has some, in order, and all of it is dealt", () => {
    const deals = [0, 1, 2].map((rank) => new Deal(7, 3, rank));
    assert.deepEqual(
      deals.map(({ first, end }) => [first, end]),
      [
        [0, 2],
        [2, 4],
        [4, 7],
      ],
    );
    const { counts, displs } = deals[0].pieces((item) => item * 10);
    assert.deepEqual([...counts], [20, 20, 30]);
    assert.deepEqual([...displs], [0, 20, 40]);
  });
});

describe("stopping rules", () => {
  const progress = (
    lowerBounds: readonly number[],
    initialBound = 0,
    change: Partial<Progress> & { readonly means?: readonly number[] } = {},
  ): Progress => ({
    history: lowerBounds.map((lowerBound, i) => ({
      lowerBound,
      upperBoundMean: change.means?.[i] ?? 1e6,
    })),
    initialBound,
    isWarm: false,
    isRiskNeutral: true,
    ...change,
  });
  const limit: StoppingRule = { type: "iteration_limit", limit: 3 };
  const stalling: StoppingRule = { type: "bound_stalling", iterations: 2, tolerance: 0.01 };

  it("any of them, or all", () => {
    const stops = (rules: StoppingRule[], mode: "any" | "all", bounds: number[]) => {
      const working = rulesAtWork(rules, { mode });
      return working.whichStops(working.holding(progress(bounds), []));
    };
    assert.equal(stops([stalling, limit], "any", [5, 9, 9, 9]), "bound_stalling");
    assert.equal(stops([limit, stalling], "all", [5, 9, 9, 9]), "bound_stalling");
    assert.equal(stops([stalling, limit], "all", [5, 9, 9]), undefined);
    assert.equal(stops([stalling, limit], "any", [5, 9, 9]), "iteration_limit");
  });

  it("a cold start's bound that has never moved does not stall", () => {
    assert.equal(isStalling(progress([7, 7, 7, 7], 7), 2, 0.01), false);
    assert.equal(isStalling(progress([7, 7, 7, 7], 6), 2, 0.01), true);
    // Nor does one that has moved by the rounding of the solver.
    assert.equal(isStalling(progress([7, 7, 7, 7 + 1e-12], 7), 2, 0.01), false);
  });

  it("a bound that has never moved stalls after a warm start", () => {
    assert.equal(isStalling(progress([7, 7, 7], 7, { isWarm: true }), 2, 0.01), true);
    assert.equal(isStalling(progress([7, 7], 7, { isWarm: true }), 2, 0.01), false);
  });

  it("a bound that has never moved stalls if the forward passes cost just that, all the time", () => {
    const means = [9, 7, 7.001, 6.999];
    const reached = progress([7, 7, 7, 7], 7, { means });
    assert.equal(isStalling(reached, 2, 0.01), true);
    assert.equal(isStalling(reached, 3, 0.01), false);
    assert.equal(isStalling(reached, 2, 1e-6), false);
    // A mean says nothing about a risk-adjusted bound.
    const averse = progress([7, 7, 7, 7], 7, { means, isRiskNeutral: false });
    assert.equal(isStalling(averse, 2, 0.01), false);
  });

  it("a warm start from a policy that is done ends as soon as the window allows", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("fast");
    const { policy } = await train(comm, changed(source, { iterations: 20 }));
    const rules: StoppingRule[] = [
      { type: "iteration_limit", limit: 20 },
      { type: "bound_stalling", iterations: 2, tolerance: 1e-9 },
    ];
    const again = await train(comm, changed(source, { rules }), { warmStart: policy });
    assert.equal(again.termination, "bound_stalling");
    assert.equal(again.policy.iteration, 3);
  });

  it("a window of one compares with the iteration before", () => {
    assert.equal(isStalling(progress([5, 6]), 1, 0.01), false);
    assert.equal(isStalling(progress([6, 6]), 1, 0.01), true);
  });

  it("two simulation rules compare each with its own simulations", async () => {
    using comm = new LocalCommunicator();
    const always = { boundWindow: 1, boundTolerance: 1e9, distanceTolerance: 0 };
    const rules: StoppingRule[] = [
      { type: "iteration_limit", limit: 6 },
      { type: "simulation", replications: 10, period: 2, ...always },
      { type: "simulation", replications: 5, period: 2, ...always },
    ];
    const compared: [iteration: number, lpSolves: number, isFirst: boolean][] = [];
    const onEvent = (event: SddpEvent) => {
      if (event.type !== "simulation_compared") return;
      compared.push([event.iteration, event.lpSolves, event.distance === undefined]);
    };
    const source = changed(await caseNamed("sddp-tutorial"), { rules });
    const { policy } = await train(comm, source, { onEvent });
    assert.deepEqual(compared, [
      [2, 30, true],
      [2, 15, true],
      [4, 30, false],
      [4, 15, false],
      [6, 30, false],
      [6, 15, false],
    ]);
    // The memory of both goes through a file.
    const read = decodePolicy(encodePolicy(policy), "policy");
    assert.deepEqual(read.ruleStates, policy.ruleStates);
    assert.deepEqual(
      read.ruleStates.map(({ rule }) => rule),
      rules.slice(1),
    );
  });

  it("the same simulation rule twice does not compare a simulation with itself", async () => {
    using comm = new LocalCommunicator();
    const rule: StoppingRule = {
      type: "simulation",
      replications: 5,
      period: 1,
      boundWindow: 1,
      distanceTolerance: 1e-12,
      boundTolerance: 1e9,
    };
    const rules = [limit, rule, { ...rule }];
    const source = changed(await caseNamed("sddp-tutorial"), { rules });
    const { termination, hasConverged } = await train(comm, source);
    assert.deepEqual([termination, hasConverged], ["iteration_limit", false]);
  });

  it("two simulations that agree end training, and not the first one", async () => {
    using comm = new LocalCommunicator();
    const rules: StoppingRule[] = [
      { type: "iteration_limit", limit: 50 },
      {
        type: "simulation",
        replications: 10,
        period: 3,
        boundWindow: 1,
        distanceTolerance: 1e-3,
        boundTolerance: 1e-3,
      },
    ];
    const distances: (number | undefined)[] = [];
    const onEvent = (event: SddpEvent) => {
      if (event.type === "simulation_compared") distances.push(event.distance);
    };
    const source = changed(await caseNamed("sddp-tutorial"), { rules });
    const { termination, policy, hasConverged } = await train(comm, source, { onEvent });
    assert.deepEqual([termination, hasConverged], ["simulation", true]);
    assert.equal(policy.iteration % 3, 0);
    assert.equal(distances[0], undefined);
    assert.ok(distances.length >= 2 && (distances.at(-1) as number) < 1e-3);
  });

  it("a time limit ends after the iteration in which it is over", async () => {
    using comm = new LocalCommunicator();
    const rules: StoppingRule[] = [
      { type: "iteration_limit", limit: 50 },
      { type: "time_limit", seconds: 0 },
    ];
    const source = changed(await caseNamed("fast"), { rules });
    const { termination, policy } = await train(comm, source);
    assert.equal(termination, "time_limit");
    assert.equal(policy.iteration, 1);
  });
});
