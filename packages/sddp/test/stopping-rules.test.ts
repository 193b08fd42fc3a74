/** When each stopping rule begins to hold, to the iteration and to the tolerance, and what of that a resumed run remembers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoppingRule } from "@cobre/io";
import type { Progress, StoppingRulePlugin } from "@cobre/sddp";
import { isSameRule, isStalling } from "#internal";
import { type AtWork, rulesAtWork } from "./rules-at-work.js";

const LIMIT: StoppingRule = { type: "iteration_limit", limit: 3 };
const TIME: StoppingRule = { type: "time_limit", seconds: 60 };
const STALLING: StoppingRule = { type: "bound_stalling", iterations: 2, tolerance: 0.1 };
const SIMULATION: StoppingRule = {
  type: "simulation",
  replications: 10,
  period: 2,
  boundWindow: 1,
  distanceTolerance: 0.01,
  boundTolerance: 0.1,
};

function progressOf(bounds: readonly number[], change: Partial<Progress> = {}): Progress {
  return {
    history: bounds.map((lowerBound) => ({ lowerBound, upperBoundMean: 1e9 })),
    initialBound: -1e9,
    isWarm: false,
    isRiskNeutral: true,
    ...change,
  };
}

/** The rules that hold, from the iteration of the first bounds to that of the last. */
function holding(
  rules: readonly StoppingRule[],
  all: readonly (readonly number[])[],
  work: AtWork = {},
): readonly (readonly StoppingRule[])[] {
  const working = rulesAtWork(rules, work);
  return all.map((bounds) => working.holding(progressOf(bounds), working.firstRankSays()));
}

const isHolding = (rule: StoppingRule, bounds: readonly number[], work?: AtWork) =>
  holding([rule], [bounds], work)[0].length === 1;

/** A simulation gives the same costs as the one before. */
const settled = {
  meanStageCosts: () => Float64Array.of(3, 4),
  before: [{ rule: SIMULATION, values: Float64Array.of(3, 4) }],
};

describe("a rule holds", () => {
  it("at the iteration limit and after it, not before", () => {
    const at = (iterations: number) =>
      isHolding(
        LIMIT,
        Array.from({ length: iterations }, (_, i) => i),
      );
    assert.deepEqual([0, 2, 3, 4].map(at), [false, false, true, true]);
  });

  it("at a time limit when the clock says so", () => {
    const after = (seconds: number) => isHolding(TIME, [1], { elapsedSeconds: () => seconds });
    assert.deepEqual([59.9, 60, 61].map(after), [false, true, true]);
  });

  it("at a time limit by what the first rank says, whatever the own clock says", () => {
    const working = rulesAtWork([LIMIT, TIME, { ...TIME, seconds: 5 }], {
      elapsedSeconds: () => 1000,
    });
    assert.deepEqual(working.firstRankSays(), [true, true]);
    const later = { ...TIME, seconds: 5 };
    assert.deepEqual(working.holding(progressOf([1]), [false, true]), [later]);
    assert.deepEqual(working.holding(progressOf([1]), [true, false]), [TIME]);
  });

  it("at a gap that is within one of its tolerances: in $, or in percent of the bound, which is 1 at least", () => {
    const isClose = (settings: object, lowerBound: number, upperBoundMean: number) => {
      const rule = { type: "gap", ...settings } as StoppingRule;
      const history = [
        { lowerBound: 0, upperBoundMean: 1e9 },
        { lowerBound, upperBoundMean },
      ];
      const working = rulesAtWork([rule], { isEnumerated: true });
      return working.holding(progressOf([], { history }), []).length === 1;
    };
    const GAPS: readonly [settings: object, bound: number, cost: number, isClose: boolean][] = [
      [{ tolerance: 10 }, 1000, 1010, true],
      [{ tolerance: 10 }, 1000, 1010.1, false],
      [{ relativeTolerance: 2 }, 1000, 1020, true],
      [{ relativeTolerance: 2 }, 1000, 1020.1, false],
      [{ relativeTolerance: 2 }, -1000, -980, true],
      [{ relativeTolerance: 2 }, 0.5, 0.52, true],
      [{ relativeTolerance: 2 }, 0.5, 0.53, false],
      [{ tolerance: 10, relativeTolerance: 2 }, 1000, 1019, true],
      [{ tolerance: 30, relativeTolerance: 2 }, 1000, 1029, true],
      // What the solver rounds is no gap.
      [{ tolerance: 0 }, 1e6, 1e6 + 0.9e-3, true],
      [{ tolerance: 0 }, 1e6, 1e6 + 1.1e-3, false],
      [{ relativeTolerance: 0 }, 1e6, 1e6 - 5, true],
    ];
    for (const [settings, bound, cost, expected] of GAPS) {
      const what = `${JSON.stringify(settings)}, ${bound}, ${cost}`;
      assert.equal(isClose(settings, bound, cost), expected, what);
    }
    const before = rulesAtWork([{ type: "gap", tolerance: 1e12 }], { isEnumerated: true });
    assert.deepEqual(before.holding(progressOf([]), []), [], "before the first iteration");
  });

  it("at a simulation every period, if the bound stalls and the simulation agrees", () => {
    assert.equal(isHolding(SIMULATION, [5, 5], settled), true);
    assert.equal(isHolding(SIMULATION, [5, 5, 5], settled), false);
    assert.equal(isHolding(SIMULATION, [5, 5, 5, 5], settled), true);
    assert.equal(isHolding(SIMULATION, [1, 5], settled), false);
    assert.equal(isHolding(SIMULATION, [5, 5], { ...settled, before: [] }), false, "the first one");
    // The distance from (3, 4) to (3, 4.05) is 0.05 / 5.04.
    const near = (costs: number) => ({
      ...settled,
      meanStageCosts: () => Float64Array.of(3, costs),
    });
    assert.equal(isHolding(SIMULATION, [5, 5], near(4.05)), true);
    assert.equal(isHolding(SIMULATION, [5, 5], near(4.06)), false);
  });

  it("at a simulation that is nearer than the tolerance to the last one, in a size of 1 at least", () => {
    const rule = { ...SIMULATION, distanceTolerance: 0.125 };
    const isNear = (before: readonly number[], now: readonly number[]) =>
      isHolding(rule, [5, 5], {
        meanStageCosts: () => Float64Array.from(now),
        before: [{ rule, values: Float64Array.from(before) }],
      });
    assert.equal(isNear([7, 0], [8, 0]), false, "by just the tolerance");
    assert.equal(isNear([7.01, 0], [8, 0]), true);
    assert.equal(isNear([0.125, 0], [0.25, 0]), false, "small costs count as 1");
    assert.equal(isNear([0.126, 0], [0.25, 0]), true);
    // 0.13 of 1.03; a size that began at 1 would be 1.44
    assert.equal(isNear([0.9, 0], [1.03, 0]), false);
  });

  it("at the second of two simulations alike, and tells both", () => {
    const told: object[] = [];
    const working = rulesAtWork([SIMULATION], {
      meanStageCosts: () => Float64Array.of(3, 4),
      tell: (event) => told.push(event),
    });
    const began = performance.now();
    const held = [2, 3, 4].map(
      (iterations) => working.holding(progressOf(new Array(iterations).fill(5)), []).length,
    );
    assert.deepEqual(held, [0, 0, 1]);
    const times = told.map((event) => (event as { ms: number }).ms);
    const passed = performance.now() - began;
    assert.ok(times.every((ms) => ms >= 0 && ms <= passed));
    const comparison = { type: "simulation_compared", lpSolves: 20 };
    assert.deepEqual(told, [
      { ...comparison, iteration: 2, ms: times[0], distance: undefined },
      { ...comparison, iteration: 4, ms: times[1], distance: 0 },
    ]);
    assert.deepEqual(working.states, [{ rule: SIMULATION, values: Float64Array.of(3, 4) }]);
  });

  it("and no simulation is made for a rule that cannot hold", () => {
    const asked: number[] = [];
    const meanStageCosts = (scenarios: number) => {
      asked.push(scenarios);
      return Float64Array.of(1);
    };
    const never = [[], [5], [1, 5], [5, 5, 5], [5, 5, 1, 5]];
    holding([SIMULATION], never, { meanStageCosts });
    assert.deepEqual(asked, []);
    holding([SIMULATION], [[5, 5]], { meanStageCosts });
    assert.deepEqual(asked, [10]);
  });

  it("even after another one: all are asked", () => {
    const both = [LIMIT, SIMULATION];
    assert.deepEqual(holding(both, [[5, 5, 5, 5]], settled), [both]);
  });

  it("twice if a case has it twice, but is asked once", () => {
    let asked = 0;
    const meanStageCosts = () => {
      asked++;
      return Float64Array.of(3, 4);
    };
    const twice = [SIMULATION, { ...SIMULATION }];
    assert.deepEqual(holding(twice, [[5, 5]], { ...settled, meanStageCosts }), [twice]);
    assert.equal(asked, 1);
  });
});

describe("a bound stalls", () => {
  it("if it moved by less than the tolerance of its size", () => {
    const moved = (from: number, to: number) => isStalling(progressOf([from, to]), 1, 0.125);
    assert.equal(moved(14.25, 16), true);
    assert.equal(moved(14, 16), false, "by just the tolerance");
    assert.equal(moved(18, 16), false);
    assert.equal(moved(17.75, 16), true);
    // A small bound counts as 1.
    assert.equal(moved(0, 0.0625), true);
    assert.equal(moved(0, 0.125), false);
    assert.equal(moved(-14.25, -16), true);
    assert.equal(moved(-14, -16), false);
  });

  it("if there are more iterations than the window", () => {
    assert.equal(isStalling(progressOf([]), 2, 0.1), false);
    assert.equal(isStalling(progressOf([5, 5]), 2, 0.1), false);
    assert.equal(isStalling(progressOf([5, 5, 5]), 2, 0.1), true);
    assert.equal(isStalling(progressOf([5, 9, 5]), 2, 0.1), true);
    assert.equal(isStalling(progressOf([9, 5, 5]), 2, 0.1), false);
    assert.equal(isStalling(progressOf([9, 5, 5, 5]), 2, 0.1), true);
  });

  it("at its initial value, to the rounding of the solver, only for a reason", () => {
    const cold = (bound: number) =>
      isStalling(progressOf([bound, bound], { initialBound: 1000 }), 1, 0.1);
    assert.equal(cold(1000), false);
    assert.equal(cold(1000 + 0.9e-6), false);
    assert.equal(cold(1000 - 0.9e-6), false);
    assert.equal(cold(1000 + 1.1e-6), true);
    assert.equal(cold(1000 - 1.1e-6), true);
    assert.equal(isStalling(progressOf([0, 0], { initialBound: 1e-9 }), 1, 0.1), false);
    const warm = progressOf([7, 7], { initialBound: 7, isWarm: true });
    assert.equal(isStalling(warm, 1, 0.1), true);
  });

  it("at its initial value if every forward pass of the window cost that", () => {
    const reached = (means: readonly number[], window: number, isRiskNeutral = true) =>
      isStalling(
        {
          history: means.map((upperBoundMean) => ({ lowerBound: 16, upperBoundMean })),
          initialBound: 16,
          isWarm: false,
          isRiskNeutral,
        },
        window,
        0.125,
      );
    assert.equal(reached([16, 16, 16], 2), true);
    assert.equal(reached([90, 16, 16], 1), true);
    assert.equal(reached([90, 16, 16], 2), false);
    assert.equal(reached([16, 90, 16], 2), false);
    assert.equal(reached([16, 17.75], 1), true);
    assert.equal(reached([16, 18], 1), false, "just the tolerance");
    assert.equal(reached([16, 14], 1), false);
    assert.equal(reached([16, 16], 1, false), false);
  });
});

describe("training ends", () => {
  it("with the first rule that holds, or with the last of all", () => {
    const stops = (
      rules: readonly StoppingRule[],
      mode: "any" | "all" | "all_within_limit",
      holding: readonly StoppingRule[],
    ) => rulesAtWork(rules, { mode }).whichStops(holding);
    const rules = [LIMIT, TIME];
    assert.equal(stops(rules, "any", []), undefined);
    assert.equal(stops(rules, "any", [TIME]), "time_limit");
    assert.equal(stops(rules, "any", rules), "iteration_limit");
    assert.equal(stops(rules, "all", [TIME]), undefined);
    assert.equal(stops(rules, "all", rules), "time_limit");
    const three = [LIMIT, TIME, STALLING];
    assert.equal(stops(three, "all", three), "bound_stalling");
    assert.equal(stops([], "all", []), undefined);
    // In Cobre 0.18 the largest limit of iterations ends training alone, and the other rules need none.
    const longer: StoppingRule = { type: "iteration_limit", limit: 9 };
    const four = [...three, longer];
    assert.equal(stops(four, "all_within_limit", [TIME, LIMIT]), undefined);
    assert.equal(stops(four, "all_within_limit", [TIME, STALLING]), "bound_stalling");
    assert.equal(stops(four, "all_within_limit", [LIMIT, longer]), "iteration_limit");
    assert.equal(stops([LIMIT], "all_within_limit", []), undefined, "no other rule holds");
  });
});

describe("a resumed run", () => {
  const rules = [TIME, SIMULATION];
  const still = (mode: "any" | "all", before: readonly StoppingRule[], bounds = [5, 5]) =>
    rulesAtWork(rules, { mode }).holdingStill(progressOf(bounds), before);

  it("remembers what simulations said", () => {
    assert.deepEqual(still("any", []), []);
    assert.deepEqual(still("any", [{ ...SIMULATION }]), [SIMULATION]);
    assert.deepEqual(still("any", [{ ...SIMULATION, period: 1 }]), []);
    assert.deepEqual(still("any", [LIMIT, { ...SIMULATION }]), [SIMULATION]);
    assert.deepEqual(still("any", [SIMULATION], [1, 5]), [], "the bound moves again");
  });

  it("remembers that the time was over only if another rule has to hold as well", () => {
    assert.deepEqual(still("any", [TIME], [1]), []);
    assert.deepEqual(still("all", [TIME], [1]), [TIME]);
    assert.deepEqual(still("all", [], [1]), []);
  });

  it("finds the state of an earlier version, which names no rule", () => {
    const before = [{ rule: undefined, values: Float64Array.of(3, 4) }];
    const other = { ...SIMULATION, period: 1 };
    const work = { ...settled, before };
    assert.deepEqual(holding([SIMULATION, other], [[5, 5]], work), [[SIMULATION]]);
  });

  it("has heard nothing from the first rank", () => {
    const heard: boolean[] = [];
    const plugin: StoppingRulePlugin = {
      type: "listening",
      example: "",
      read: () => ({ type: "listening" }),
      create: () => ({
        holds: (_, firstRankSays) => {
          heard.push(firstRankSays);
          return false;
        },
      }),
    };
    const working = rulesAtWork([{ type: "listening" }], {
      plugins: { stoppingRules: [plugin] },
    });
    working.holdingStill(progressOf([1]), []);
    working.holding(progressOf([1]), []);
    assert.deepEqual(heard, [false, false]);
  });

  it("asks rules that remember nothing", () => {
    const again = rulesAtWork([LIMIT]).holdingStill(progressOf([1, 2, 3]), []);
    assert.deepEqual(again, [LIMIT]);
  });
});

describe("two rules are the same", () => {
  it("if all of their settings are", () => {
    assert.equal(isSameRule(SIMULATION, { ...SIMULATION }), true);
    assert.equal(isSameRule(SIMULATION, { ...SIMULATION, replications: 11 }), false);
    assert.equal(isSameRule(LIMIT, STALLING), false);
    const other = { type: "iteration_limit", limit: 3, more: 1 };
    assert.equal(isSameRule(LIMIT, other), false);
    assert.equal(isSameRule(other, LIMIT), false);
  });
});
