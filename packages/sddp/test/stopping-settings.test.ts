/** What a case may say about its stopping rules, to the last number that is taken. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isIterationLimit, loadCase } from "@cobre/sddp";
import { stoppingRuleOf } from "#internal";
import { directoryOf } from "./cases.js";
import { tutorial } from "./graphs/tutorial.js";

/** The least settings of every kind. Each of them must be taken, and no whole number below one. */
const LEAST: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  iteration_limit: { limit: 1 },
  time_limit: { seconds: 0 },
  bound_stalling: { iterations: 1, tolerance: 0 },
  simulation: { replications: 1, period: 1, bound_window: 1, distance_tol: 0, bound_tol: 0 },
  statistical: { replications: 2, period: 1, z_score: 0 },
};
const LIMIT = { type: "iteration_limit", limit: 3 };
const load = (...stopping_rules: readonly object[]) =>
  loadCase(directoryOf("1dtoy"), { training: { stopping_rules } });

describe("the settings of a stopping rule", () => {
  for (const [type, settings] of Object.entries(LEAST)) {
    it(`have these least values: ${type}`, async () => {
      const { config } = await load(LIMIT, { type, ...settings });
      assert.equal(config.training.stoppingRules[1].type, type);
      for (const [name, least] of Object.entries(settings)) {
        const tooSmall = load(LIMIT, { type, ...settings, [name]: least - 1 });
        await assert.rejects(tooSmall, new RegExp(`\\[1\\]\\.${name}: is ${least - 1}; must be`));
      }
    });
  }

  it("of a gap are one of two tolerances, or both", async () => {
    const withGap = async (settings: object) => {
      const training = {
        selection: { method: "enumerated" },
        stopping_rules: [LIMIT, { type: "gap", ...settings }],
      };
      const inflows = [[50], [50], [50]];
      const { config } = await loadCase(tutorial({ training, policyGraph: {}, inflows }));
      return config.training.stoppingRules[1];
    };
    assert.deepEqual(await withGap({ tolerance: 0 }), { type: "gap", tolerance: 0 });
    const relative = { type: "gap", relativeTolerance: 0 };
    assert.deepEqual(await withGap({ relative_tolerance: 0 }), relative);
    const both = { tolerance: 1, relative_tolerance: 2 };
    assert.deepEqual(await withGap(both), { type: "gap", tolerance: 1, relativeTolerance: 2 });
    await assert.rejects(withGap({}), /\[1\]\.tolerance: is missing; give tolerance, in \$, or/);
    for (const name of ["tolerance", "relative_tolerance"]) {
      await assert.rejects(withGap({ [name]: -1 }), new RegExp(`\\.${name}: is -1; must be`));
    }
  });

  it("have to include a limit of iterations", async () => {
    await assert.rejects(load({ type: "time_limit", seconds: 9 }), /iteration_limit/);
    assert.deepEqual([LIMIT, { type: "time_limit" }].map(isIterationLimit), [true, false]);
  });
});

describe("a training has converged", () => {
  it("if the bound or simulations ended it, not if time or iterations did", () => {
    const converged = [...Object.keys(LEAST), "gap"].filter(
      (type) => stoppingRuleOf({ type }, {}).meansConverged === true,
    );
    assert.deepEqual(converged, ["bound_stalling", "simulation", "statistical", "gap"]);
  });
});
