import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { StoppingRule } from "@cobre/io";
import { costStatistics, riskWeights, type SddpEvent, train } from "@cobre/sddp";
import { Deal, isStalling, whichStops } from "@cobre/sddp/internal";
import { caseNamed, changed } from "./cases.js";

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
  const progress = (lowerBounds: readonly number[], initialBound = 0) => ({
    iteration: lowerBounds.length,
    lowerBounds,
    initialBound,
    hasElapsed: () => false,
    hasSettled: () => false,
  });
  const limit: StoppingRule = { type: "iteration_limit", limit: 3 };
  const stalling: StoppingRule = { type: "bound_stalling", iterations: 2, tolerance: 0.01 };

  it("any of them, or all", () => {
    const still = progress([5, 9, 9, 9]);
    assert.equal(whichStops([stalling, limit], "any", still), "bound_stalling");
    assert.equal(whichStops([limit, stalling], "all", still), "bound_stalling");
    assert.equal(whichStops([stalling, limit], "all", progress([5, 9, 9])), undefined);
    assert.equal(whichStops([stalling, limit], "any", progress([5, 9, 9])), "iteration_limit");
  });

  it("a bound that has never moved does not stall", () => {
    assert.equal(isStalling(progress([7, 7, 7, 7], 7), 2, 0.01), false);
    assert.equal(isStalling(progress([7, 7, 7, 7], 6), 2, 0.01), true);
  });

  it("a window of one compares with the iteration before", () => {
    assert.equal(isStalling(progress([5, 6]), 1, 0.01), false);
    assert.equal(isStalling(progress([6, 6]), 1, 0.01), true);
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
    const { termination, policy } = await train(comm, source, { onEvent });
    assert.equal(termination, "simulation");
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
