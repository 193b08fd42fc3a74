/** When each stopping rule begins to hold, to the iteration and to the tolerance, and what of that a resumed run remembers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoppingRule } from "@cobre/io";
import {
  isSameRule,
  isStalling,
  type Progress,
  rulesHolding,
  rulesHoldingStill,
  whichStops,
} from "#internal";

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
    hasElapsed: () => false,
    hasSettled: () => false,
    ...change,
  };
}

const isHolding = (rule: StoppingRule, progress: Progress) =>
  rulesHolding([rule], progress).length === 1;

describe("a rule holds", () => {
  it("at the iteration limit and after it, not before", () => {
    const at = (iterations: number) =>
      isHolding(LIMIT, progressOf(Array.from({ length: iterations }, (_, i) => i)));
    assert.deepEqual([0, 2, 3, 4].map(at), [false, false, true, true]);
  });

  it("at a time limit when the clock says so", () => {
    assert.equal(isHolding(TIME, progressOf([1], { hasElapsed: (rule) => rule === TIME })), true);
    assert.equal(isHolding(TIME, progressOf([1])), false);
  });

  it("at a simulation every period, if the bound stalls and the simulation agrees", () => {
    const settled = { hasSettled: (rule: StoppingRule) => rule === SIMULATION };
    assert.equal(isHolding(SIMULATION, progressOf([5, 5], settled)), true);
    assert.equal(isHolding(SIMULATION, progressOf([5, 5, 5], settled)), false);
    assert.equal(isHolding(SIMULATION, progressOf([5, 5, 5, 5], settled)), true);
    assert.equal(isHolding(SIMULATION, progressOf([1, 5], settled)), false);
    assert.equal(isHolding(SIMULATION, progressOf([5, 5])), false);
  });

  it("and no simulation is made for a rule that cannot hold", () => {
    const asked: number[] = [];
    const asking = (bounds: readonly number[]) =>
      rulesHolding(
        [SIMULATION],
        progressOf(bounds, {
          hasSettled: () => {
            asked.push(bounds.length);
            return true;
          },
        }),
      );
    for (const bounds of [[], [5], [1, 5], [5, 5], [5, 5, 5], [5, 5, 1, 5]]) asking(bounds);
    assert.deepEqual(asked, [2]);
  });

  it("even after another one: all are looked at", () => {
    const both = [LIMIT, SIMULATION];
    const found = rulesHolding(both, progressOf([5, 5, 5, 5], { hasSettled: () => true }));
    assert.deepEqual(found, both);
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
    const rules = [LIMIT, TIME];
    assert.equal(whichStops(rules, "any", []), undefined);
    assert.equal(whichStops(rules, "any", [TIME]), "time_limit");
    assert.equal(whichStops(rules, "any", rules), "iteration_limit");
    assert.equal(whichStops(rules, "all", [TIME]), undefined);
    assert.equal(whichStops(rules, "all", rules), "time_limit");
    const three = [LIMIT, TIME, STALLING];
    assert.equal(whichStops(three, "all", three), "bound_stalling");
    assert.equal(whichStops([], "all", []), undefined);
  });
});

describe("a resumed run", () => {
  const rules = [TIME, SIMULATION];
  const still = (mode: "any" | "all", before: readonly StoppingRule[], bounds = [5, 5]) =>
    rulesHoldingStill(rules, mode, before, progressOf(bounds));

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
});

describe("two rules are the same", () => {
  it("if all of their settings are", () => {
    assert.equal(isSameRule(SIMULATION, { ...SIMULATION }), true);
    assert.equal(isSameRule(SIMULATION, { ...SIMULATION, replications: 11 }), false);
    assert.equal(isSameRule(LIMIT, STALLING), false);
    const other = { type: "iteration_limit", limit: 3, more: 1 } as unknown as StoppingRule;
    assert.equal(isSameRule(LIMIT, other), false);
    assert.equal(isSameRule(other, LIMIT), false);
  });
});
