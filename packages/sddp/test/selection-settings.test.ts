/** What a case can say about cut selection, in either dialect, and what a method takes where it says nothing. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadCase } from "@cobre/sddp";
import { directoryOf } from "./cases.js";

/** Reads a section `training.cut_selection` of Cobre 0.5. */
async function earlier(section: object) {
  const cut_selection = { enabled: true, ...section };
  const { config } = await loadCase(directoryOf("one-reservoir-0.5"), {
    training: { cut_selection },
  });
  return config.training.cutSelection ?? assert.fail();
}

/** Reads a `training.cut_selection.selection` of Cobre 0.18. */
async function later(selection: object) {
  const { config } = await loadCase(directoryOf("one-reservoir"), {
    training: { cut_selection: { selection } },
  });
  return config.training.cutSelection ?? assert.fail();
}

const DYNAMIC = {
  startIteration: 2,
  seedWindow: undefined,
  candidateRecency: undefined,
  maxAddedPerRound: 10,
  violationTolerance: 1e-10,
};

describe("the settings of cut selection", () => {
  for (const [dialect, read] of [
    ["0.5", earlier],
    ["0.18", later],
  ] as const) {
    it(`of dynamic, in a case for Cobre ${dialect}`, async () => {
      const settingsOf = (settings: object) => read({ method: "dynamic", ...settings });
      const plain = await settingsOf({});
      assert.deepEqual({ ...plain, ...DYNAMIC }, plain);
      for (const [field, name, least] of [
        ["start_iteration", "startIteration", 1],
        ["seed_window", "seedWindow", 0],
        ["candidate_recency", "candidateRecency", 1],
        ["max_added_per_round", "maxAddedPerRound", 1],
        ["violation_tolerance", "violationTolerance", 0],
      ] as const) {
        assert.deepEqual(await settingsOf({ [field]: least }), { ...plain, [name]: least });
        await assert.rejects(
          settingsOf({ [field]: least - 1 }),
          new RegExp(`${field}: is .*; must`),
        );
      }
    });
  }

  it("of domination in a case for Cobre 0.5: its tolerance may be 0, and is that of rounding without one", async () => {
    const toleranceOf = async (settings: object) =>
      (await earlier({ method: "domination", ...settings })).tolerance;
    assert.equal(await toleranceOf({}), 1e-10);
    assert.equal(await toleranceOf({ domination_epsilon: 0 }), 0);
    assert.equal(await toleranceOf({ domination_epsilon: 0.5 }), 0.5);
    await assert.rejects(
      toleranceOf({ domination_epsilon: -1 }),
      /domination_epsilon: is -1; must/,
    );
  });

  it("of domination in a case for Cobre 0.18: its tolerance has to be given", async () => {
    const toleranceOf = async (settings: object) =>
      (await later({ method: "domination", ...settings })).tolerance;
    assert.equal(await toleranceOf({ domination_tolerance: 0 }), 0);
    await assert.rejects(toleranceOf({}), /domination_tolerance/);
    await assert.rejects(toleranceOf({ domination_tolerance: -1 }), /domination_tolerance: is -1/);
  });

  it("of level1 and lml1: only Cobre 0.18 has a tolerance of ties", async () => {
    for (const method of ["level1", "lml1"]) {
      assert.equal((await earlier({ method })).tolerance, 1e-10);
      assert.equal((await later({ method })).tolerance, 1e-10);
      assert.equal((await later({ method, tie_tolerance: 0 })).tolerance, 0);
      assert.equal((await later({ method, tie_tolerance: 0.5 })).tolerance, 0.5);
      await assert.rejects(later({ method, tie_tolerance: -1 }), /tie_tolerance: is -1; must/);
    }
  });
});
