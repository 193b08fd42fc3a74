/** The columns and rows of the program of a stage, and the cuts that are added to it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CutPool } from "@cobre/sddp";
import { buildStage } from "#internal";
import { open, STAGE } from "./recorded-stage.js";

describe("the program of a stage", () => {
  it("has a slack for every limit that is there, however small", async () => {
    const { model } = await open("none");
    const { hydros } = model.study;
    const limits = [
      [hydros.minOutflowM3s, "outflow_violation_below"],
      [hydros.minTurbinedM3s, "turbined_violation"],
      [hydros.minGenerationMw, "generation_violation"],
    ] as const;
    for (const [limit, family] of limits) {
      const kept = limit.values.slice();
      for (const [value, isThere] of [
        [0, false],
        [0.5, true],
        [3, true],
      ] as const) {
        limit.values.fill(value);
        const { columns } = buildStage(model, STAGE, 0).lp.family(family);
        assert.ok(columns.length > 0);
        assert.ok(
          columns.every((column) => column >= 0 === isThere),
          `${family} at ${value}`,
        );
      }
      limit.values.set(kept);
    }
  });

  it("lets a plant turbine that generates nothing", async () => {
    const { model } = await open("none");
    const { hydros } = model.study;
    const kept = hydros.maxGenerationMw.values.slice();
    hydros.maxGenerationMw.values.fill(0);
    const { productivity } = model.study.production;
    const keptProductivity = productivity.values.slice();
    productivity.set(STAGE, 0, 0);
    const { lp } = buildStage(model, STAGE, 0);
    const column = lp.family("turbined").column(0);
    assert.equal(lp.data.columnUpper[column], hydros.maxTurbinedM3s.at(STAGE, 0));
    hydros.maxGenerationMw.values.set(kept);
    productivity.values.set(keptProductivity);
  });

  it("has nothing behind it without a floor", async () => {
    const { problem } = await open("none", STAGE, -7);
    const { theta, data } = problem.lp;
    assert.deepEqual([data.columnLower[theta], data.columnUpper[theta]], [-7, Infinity]);
    const { lp: without } = buildStage((await open("none")).model, STAGE, undefined);
    const { columnLower, columnUpper } = without.data;
    assert.deepEqual([columnLower[without.theta], columnUpper[without.theta]], [0, 0]);
  });
});

describe("the cuts of a stage", () => {
  it("are added once each, as θ - coefficients · state ≥ intercept, without what is known", async () => {
    const { problem, recorder, model } = await open("none");
    const { theta, outgoing, isKnown } = problem.lp;
    const pool = new CutPool(model.dimension);
    const cut = (from: number) =>
      Float64Array.from({ length: model.dimension }, (_, i) => (i === 1 ? 0 : from + i));
    problem.followCuts(pool);
    assert.equal(recorder.added.length, 0);
    pool.add(1, 0, 50, cut(1));
    pool.add(1, 1, 60, cut(2));
    problem.followCuts(pool);
    pool.add(2, 0, 70, cut(3));
    problem.followCuts(pool);
    problem.followCuts(pool);
    assert.equal(recorder.added.length, 2);
    const told = recorder.added.flatMap(({ lower, upper, starts, indices, values }) => {
      assert.equal(starts[0], 0);
      assert.equal(starts.length, lower.length + 1);
      assert.equal(values.length, indices.length);
      assert.equal(starts[lower.length], values.length);
      return [...lower].map((intercept, row) => {
        assert.equal(upper[row], Infinity);
        const [from, to] = [starts[row], starts[row + 1]];
        return [intercept, [...indices.subarray(from, to)], [...values.subarray(from, to)]];
      });
    });
    const others = Array.from(outgoing.keys()).filter((i) => i !== 1 && !isKnown[outgoing[i]]);
    assert.ok(others.length > 0 && others.length < model.dimension - 1);
    const expected = (intercept: number, from: number) => [
      intercept,
      [theta, ...others.map((i) => outgoing[i])],
      [1, ...others.map((i) => -(from + i))],
    ];
    assert.deepEqual(told, [expected(50, 1), expected(60, 2), expected(70, 3)]);
  });
});
