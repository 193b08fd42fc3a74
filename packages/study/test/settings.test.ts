/** Changes to the configuration of a case, from several sources. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { loadCase } from "@cobre/sddp";
import { changedSettings } from "@cobre/study";

const CASE = fileURLToPath(new URL("../../../examples/cases/one-reservoir", import.meta.url));

describe("changed settings", () => {
  it("are none if nothing is changed", async () => {
    assert.equal(await changedSettings(CASE, {}), undefined);
  });

  it("are merged, and later ones go before earlier ones", async () => {
    const settings = await changedSettings(CASE, {
      settings: { training: { forward_passes: 2, tree_seed: 1 } },
      set: [
        ["training.forward_passes", 3],
        ["training.forward_passes", 5],
      ],
      seed: 9,
      scenarios: 7,
    });
    const { config } = await loadCase(CASE, settings);
    assert.equal(config.training.forwardPasses, 5);
    assert.equal(config.training.treeSeed, 9);
    assert.equal(config.simulation.scenarios, 7);
    assert.equal(config.simulation.isEnabled, true);
  });

  it("replace the limit of iterations and keep the other rules", async () => {
    const stalling = { type: "bound_stalling", iterations: 5, tolerance: 0.01 };
    const limit = { type: "iteration_limit", limit: 100 };
    const settings = { training: { stopping_rules: [stalling, limit] } };
    assert.deepEqual(await changedSettings(CASE, { settings, iterations: 8 }), {
      training: { stopping_rules: [{ type: "iteration_limit", limit: 8 }, stalling] },
    });
    const { config } = await loadCase(CASE, await changedSettings(CASE, { iterations: 3 }));
    const { config: before } = await loadCase(CASE);
    const others = before.training.stoppingRules.filter(({ type }) => type !== "iteration_limit");
    const rules = [{ type: "iteration_limit", limit: 3 }, ...others];
    assert.deepEqual(config.training.stoppingRules, rules);
  });

  it("leave it to the reader of the case to say that there is none", async () => {
    await assert.rejects(
      loadCase("nowhere", await changedSettings("nowhere", { iterations: 3 })),
      /nowhere.* is not a directory/,
    );
  });
});
