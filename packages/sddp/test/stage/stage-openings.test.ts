/** What a stage hands to the solver for an opening, and the slopes it reads from it, number by number. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, beforeEach, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase } from "@cobre/sddp";
import { shareModel } from "#internal";
import { type SmallSystem, writeCase } from "../oracle/index.js";
import {
  assertNear,
  firstKnown,
  folder,
  open,
  openingOf,
  plainSystem,
  problemOf,
  type Setting,
  STAGE,
  stateOf,
} from "./recorded-stage.js";

for (const method of ["none", "penalty", "truncation", "truncation_with_penalty"] as const) {
  describe(`a stage with the inflow method ${method}`, () => {
    let setting: Setting;
    let state: Float64Array;
    before(async () => {
      setting = await open(method);
    });
    beforeEach(() => {
      const { problem, recorder, model } = setting;
      state = stateOf(model);
      problem.enter(state, 3);
      for (const list of [recorder.columnBounds, recorder.rowBounds, recorder.added])
        list.length = 0;
    });

    const isTruncating = method.startsWith("truncation");
    const hasSlack = method.endsWith("penalty");

    /** Σ ψ a and base + σ η of a plant, from the arrays of the model. */
    const terms = (h: number, opening: number) => {
      const { inflow, hydros, tree } = setting.model;
      const at = STAGE * hydros + h;
      let past = 0;
      for (let lag = 1; lag <= 2; lag++)
        past += inflow.psi[at * 2 + lag - 1] * state[3 + hydros * lag + h];
      const eta = tree.values[tree.offset(STAGE, opening) + h];
      return { past, own: inflow.base[at] + inflow.sigma[at] * eta, at };
    };

    for (const forCut of [false, true]) {
      it(`fixes the state and the inflows of an opening${forCut ? ", for a cut" : ""}`, () => {
        const { problem, recorder, model } = setting;
        // Dry enough for inflows below 0.
        for (const dry of [0, -40]) {
          for (let i = 3 + model.hydros; i < state.length; i++) state[i] += dry;
          problem.enter(state, 3);
          recorder.columnBounds.length = 0;
          if (forCut) problem.openForCut(...openingOf(model, 1));
          else problem.open(...openingOf(model, 1));
          const inflows = Array.from({ length: model.hydros }, (_, h) => {
            const { past, own, at } = terms(h, 1);
            const raises = isTruncating && past + own < 0 && model.inflow.sigma[at] !== 0;
            return raises ? 0 : past + own;
          });
          // The last call: elements have set what is theirs before.
          const [first, lower, upper] = recorder.columnBounds[recorder.columnBounds.length - 1];
          const others = recorder.columnBounds.slice(0, -1);
          assert.equal(first, firstKnown(problem));
          assertNear(lower, [...state.subarray(3), ...inflows]);
          assert.deepEqual(upper, lower);
          assert.equal(others.length, hasSlack ? 1 : 0);
          if (!hasSlack) continue;
          const limits = Array.from({ length: model.hydros }, (_, h) => {
            const { own, at } = terms(h, 1);
            const least = model.inflows.lowestLagTerm[at];
            const raised = isTruncating && least + own < 0 && model.inflow.sigma[at] !== 0;
            const lowest = raised ? 0 : least + own;
            return Math.max(0, -(forCut ? lowest : inflows[h]));
          });
          const [[slack, none, most]] = others;
          assert.equal(slack, problem.lp.family("inflow_penalty").column(0));
          assertNear(
            none,
            limits.map(() => 0),
          );
          assertNear(most, limits);
        }
      });
    }

    it("sets the loads of the opening", () => {
      const { problem, recorder, model } = setting;
      const { blocks } = problem.lp.balance("power");
      for (const opening of [1, 0]) {
        recorder.rowBounds.length = 0;
        problem.open(...openingOf(model, opening));
        const noise = model.tree.offset(STAGE, opening);
        const loads = model.study.system.buses.flatMap((_, bus) => {
          const at = model.noiseOfBus[bus];
          const load = model.load.load(STAGE, bus, at < 0 ? 0 : model.tree.values[noise + at]);
          const factors = model.study.loadFactors[STAGE];
          return Array.from({ length: blocks }, (_b, k) => load * factors[bus * blocks + k]);
        });
        const [[first, lower, upper], ...others] = recorder.rowBounds;
        assert.equal(others.length, 0);
        assert.equal(first, problem.lp.balance("power").first);
        assertNear(lower, loads);
        assert.deepEqual(upper, lower);
      }
    });

    it("has the slopes of the fixed columns, and those of inflows through their lags", () => {
      const { problem, recorder, model } = setting;
      const { hydros, dimension, inflow } = model;
      const fixed = firstKnown(problem);
      for (const sign of [1, -1]) {
        recorder.reducedCosts.forEach((_, j) => {
          recorder.reducedCosts[j] = sign * (10 + 7 * j);
        });
        problem.openForCut(...openingOf(model, 0));
        const gradient = new Float64Array(2 + dimension).fill(Number.NaN);
        const loss = problem.gradient(gradient, 2);
        const expected = [...recorder.reducedCosts.subarray(fixed, fixed + dimension)];
        let lost = 0;
        for (let h = 0; h < hydros; h++) {
          const { past, own, at } = terms(h, 0);
          const slope = recorder.reducedCosts[fixed + dimension + h];
          const [low, high] = [
            own + model.inflows.lowestLagTerm[at],
            own + model.inflows.highestLagTerm[at],
          ];
          let share = 1;
          if (isTruncating && inflow.sigma[at] > 0 && low < 0) {
            if (high <= 0) share = 0;
            else if (slope >= 0) share = past + own > 0 ? 1 : 0;
            else {
              share = high / (high - low);
              lost += slope * (share * (past + own - low) - Math.max(0, past + own));
            }
          }
          for (let lag = 1; lag <= 2; lag++)
            expected[hydros * lag + h] += inflow.psi[at * 2 + lag - 1] * slope * share;
        }
        assertNear(gradient.subarray(2), expected);
        assertNear([loss], [lost]);
      }
    });
  });
}

describe("a system without plants", () => {
  it("has loads at the beginning of its noise", async () => {
    let seed = 1;
    let system = plainSystem(seed);
    const isUncertain = ({ stages }: SmallSystem["buses"][number]) => stages[STAGE].std > 0;
    while (system.stages.length < 2 || !system.buses.some(isUncertain))
      system = plainSystem(++seed);
    const directory = join(folder, "without-plants");
    writeCase({ ...system, hydros: [], boundary: null, treeSeed: null }, directory);
    const model = shareModel(new LocalCommunicator(), await loadCase(directory));
    assert.ok(model.noiseOfBus.includes(0));
    const { problem, recorder } = problemOf(model, STAGE, 0);
    problem.open(...openingOf(model, 0));
    const bus = model.noiseOfBus.indexOf(0);
    const noise = model.tree.values[model.tree.offset(STAGE, 0)];
    const { blocks } = problem.lp.balance("power");
    const factor = model.study.loadFactors[STAGE][bus * blocks];
    assert.equal(recorder.rowBounds.length, 1);
    const [[, loads]] = recorder.rowBounds;
    assertNear([loads[bus * blocks]], [model.load.load(STAGE, bus, noise) * factor]);
  });
});
