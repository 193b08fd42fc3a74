/** Which version of Cobre a case is written for, and in which words it is told what is wrong. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CASE_FILES, type ValidationIssue } from "@cobre/core";
import { inLaterWords, recogniseDialect } from "#internal";

describe("the dialect of a case", () => {
  const SAMPLED = { method: "sampled" };
  const ENUMERATED = { method: "enumerated" };
  const passes = { forward_passes: 1 };
  const dialectOf = (training: unknown, stage?: unknown, hydro?: unknown) =>
    recogniseDialect(async (file) => {
      if (file === CASE_FILES.config) return { training };
      if (file === CASE_FILES.stages) return { stages: [stage] };
      return file === CASE_FILES.penalties ? { hydro } : undefined;
    });

  it("is that of the configuration, if it has one of both marks", async () => {
    const later = [{ num_openings: 1 }, { turbined_cost: 1 }] as const;
    const earlier = [{ num_scenarios: 1 }, { fpha_turbined_cost: 1 }] as const;
    assert.equal(await dialectOf(passes, ...later), "0.5");
    assert.equal(await dialectOf({ selection: SAMPLED }, ...earlier), "0.18");
    assert.equal(await dialectOf({ selection: {} }, ...earlier), "0.18");
    assert.equal(await dialectOf({ ...passes, selection: ENUMERATED }, ...later), "0.5");
    assert.equal(await dialectOf({ ...passes, selection: null }, ...later), "0.5");
  });

  it("is that of the stages or else of the penalties, if it has both or none", async () => {
    for (const training of [
      {},
      undefined,
      null,
      7,
      { selection: ENUMERATED },
      { ...passes, selection: SAMPLED },
      { forward_passes: null },
    ]) {
      assert.equal(
        await dialectOf(training, { num_openings: 1 }, { fpha_turbined_cost: 1 }),
        "0.18",
      );
      assert.equal(await dialectOf(training, { num_scenarios: 1 }, { turbined_cost: 1 }), "0.5");
      const both = { num_openings: 1, num_scenarios: 1 };
      assert.equal(await dialectOf(training, both, { turbined_cost: 0 }), "0.18");
      assert.equal(await dialectOf(training, {}, { fpha_turbined_cost: 0 }), "0.5");
      assert.equal(await dialectOf(training, null, { turbined_cost: 0 }), "0.18");
    }
  });

  it("is 0.18 with every sign, and 0.5 without any", async () => {
    const stage = { num_openings: 1, num_scenarios: 1 };
    const hydro = { turbined_cost: 1, fpha_turbined_cost: 1 };
    assert.equal(await dialectOf({ ...passes, selection: SAMPLED }, stage, hydro), "0.18");
    assert.equal(await dialectOf({}), "0.5");
    assert.equal(await dialectOf({ selection: ENUMERATED }, stage, hydro), "0.5");
    assert.equal(await recogniseDialect(async () => undefined), "0.5");
  });
});

describe("what is wrong with a case for Cobre 0.18", () => {
  const issue = (fields: Partial<ValidationIssue>): ValidationIssue => ({
    severity: "error",
    layer: "physics",
    file: CASE_FILES.stages,
    problem: "num_scenarios is 0",
    remedy: "set num_scenarios or productivity_override",
    ...fields,
  });

  it("is told with the fields that it has", () => {
    const words = {
      problem: "num_openings is 0",
      remedy: "set num_openings or productivity_mw_per_m3s",
    };
    for (const [file, field, expected] of [
      [CASE_FILES.stages, "num_scenarios", "num_openings"],
      [CASE_FILES.hydros, "bus_id", "unit_groups[0].bus_id"],
      [CASE_FILES.hydros, "penalties.fpha_turbined_cost", "penalties.turbined_cost"],
      [CASE_FILES.penalties, "hydro.fpha_turbined_cost", "hydro.turbined_cost"],
      [CASE_FILES.hydroPenalties, "fpha_turbined_cost", "turbined_cost"],
      [CASE_FILES.thermals, "bus_id", "bus_id"],
      [CASE_FILES.productionModels, "productivity_override", "productivity_mw_per_m3s"],
      [CASE_FILES.initialConditions, "storage", "storage"],
      [CASE_FILES.initialConditions, undefined, undefined],
    ] as const) {
      assert.deepEqual(
        inLaterWords(issue({ file, field })),
        issue({ file, field: expected, ...words }),
      );
    }
  });

  it("is told of the history of inflows where the model speaks of past ones", () => {
    const told = inLaterWords(issue({ file: CASE_FILES.initialConditions, field: "past_inflows" }));
    assert.deepEqual([told.file, told.field], [CASE_FILES.inflowHistory, undefined]);
  });

  it("is left alone if a reader has told it", () => {
    const told = issue({ layer: "schema", field: "num_scenarios" });
    assert.deepEqual(inLaterWords(told), told);
  });
});
