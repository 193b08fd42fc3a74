/** A solve of a stage: where it starts, what is counted, what it leaves if it fails, and what is read from the solution. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it, mock } from "node:test";
import { COST_SCALE } from "@cobre/sddp";
import { BasisState } from "@cobre/solver";
import { type DemandRules, ProgramBuilder, RowsOnDemand } from "#internal";
import { assertNear, firstKnown, folder, open, STAGE } from "./recorded-stage.js";

const DEMAND: DemandRules = {
  startIteration: 2,
  seedWindow: 1,
  maxAddedPerRound: 3,
  violationTolerance: 1e-10,
};

describe("a solve", () => {
  const name = { phase: "backward", iteration: 3, scenario: 4, opening: 5 } as const;

  it("is counted", async () => {
    const { problem } = await open("none");
    problem.solve(name);
    problem.solve({ ...name, phase: "forward" });
    assert.equal(problem.solves, 2);
    assert.equal(problem.simplexIterations, 14);
    const counts = problem.statistics.take();
    assert.deepEqual(
      counts.map(({ phase, solves, simplexIterations, byAttempts }) => [
        phase,
        solves,
        simplexIterations,
        byAttempts,
      ]),
      [
        ["forward", 1, 7, [0, 1]],
        ["backward", 1, 7, [0, 1]],
      ],
    );
    assert.equal(
      problem.solvingMs,
      counts.reduce((sum, { ms }) => sum + ms, 0),
    );
    assert.ok(problem.solvingMs >= 0 && problem.solvingMs < 60_000);
  });

  it("is counted by what it started from, and how long that took", async () => {
    const { problem, model } = await open("none");
    problem.startFrom(problem.slackBasis);
    problem.solve(name);
    problem.startFrom({ ...problem.slackBasis });
    problem.enter(model.initialState, 0);
    problem.open(model.tree.values, model.tree.offset(STAGE, 0));
    problem.solve(name);
    problem.solve({ ...name, phase: "forward" });
    const counts = problem.statistics.take();
    assert.deepEqual(
      counts.map(({ phase, basesOffered }) => [phase, basesOffered]),
      [
        ["forward", 0],
        ["backward", 1],
      ],
    );
    const [forward, backward] = counts;
    assert.deepEqual([forward.basisMs, forward.boundsMs], [0, 0]);
    assert.ok(backward.basisMs > 0 && backward.boundsMs > 0);
  });

  it("is counted once, however often cuts are taken in: with the most attempts and all iterations", async () => {
    const { problem, recorder } = await open("none", STAGE, -5, DEMAND);
    const attempts = [2, 5, 3];
    Object.defineProperty(recorder, "attempts", { get: () => attempts.shift() });
    const takesIn = mock.method(RowsOnDemand.prototype, "addViolated", (...args: unknown[]) => {
      return (args[1] as number) < 2;
    });
    problem.solve(name);
    takesIn.mock.restore();
    const [{ solves, simplexIterations, byAttempts }] = problem.statistics.take();
    assert.deepEqual([solves, simplexIterations, byAttempts], [1, 3 * 7, [0, 0, 0, 0, 1]]);
    assert.deepEqual([problem.solves, problem.simplexIterations], [1, 3 * 7]);
    assert.equal(takesIn.mock.callCount(), 3);
  });

  it("that fails leaves a file named after it", async () => {
    const { problem, recorder, model } = await open("none");
    recorder.status = "infeasible";
    assert.throws(() => problem.solve(name), { kind: "SubproblemFailed" });
    const { id } = model.study.time.stages[STAGE];
    assert.deepEqual(readdirSync(join(folder, "failed")), [
      `stage_${id}_backward_iteration_3_scenario_4_opening_5.lp`,
    ]);
  });

  it("starts at first with all rows basic and every column at a bound", async () => {
    const { problem } = await open("none");
    const { columnLower, columnUpper, rows } = problem.lp.data;
    assert.deepEqual(
      [...problem.slackBasis.rows],
      Array.from(rows.lower, () => BasisState.basic),
    );
    const expected = Array.from(columnLower, (lower, j) => {
      if (lower > -Infinity) return BasisState.lower;
      return columnUpper[j] < Infinity ? BasisState.upper : BasisState.zero;
    });
    assert.deepEqual([...problem.slackBasis.columns], expected);
  });

  it("starts with a future cost that has no floor at zero", async () => {
    const { problem } = await open("none", STAGE, -Infinity);
    assert.equal(problem.slackBasis.columns[problem.lp.theta], BasisState.zero);
  });

  it("ends with its program", async () => {
    const { problem, recorder } = await open("none");
    problem.close();
    assert.equal(recorder.closed, 1);
    problem[Symbol.dispose]();
    assert.equal(recorder.closed, 2);
  });
});

describe("the state at the end of a stage", () => {
  it("is the storage, then this stage's inflow, then the lags one further", async () => {
    const { problem, recorder, model } = await open("none");
    const { hydros, dimension } = model;
    const { columnLower, columnUpper } = problem.lp.data;
    const storage = problem.lp.family("storage").column(0);
    const inflow = problem.lp.family("inflow").column(0);
    const fixed = firstKnown(problem);
    for (let h = 0; h < hydros; h++) {
      const [least, most] = [columnLower[storage + h], columnUpper[storage + h]];
      recorder.primal[storage + h] = (least + most) / 2;
    }
    const states = new Float64Array(2 + dimension).fill(Number.NaN);
    problem.outgoing(states, 2);
    assert.deepEqual(
      [...states.subarray(2)],
      [
        ...recorder.primal.subarray(storage, storage + hydros),
        ...recorder.primal.subarray(inflow, inflow + hydros),
        // Lag 1 at the start of the stage is lag 2 at its end.
        ...recorder.primal.subarray(fixed + hydros, fixed + 2 * hydros),
      ],
    );
  });

  it("keeps the storage within its bounds, which the solver's rounding may exceed", async () => {
    const { problem, recorder, model } = await open("none");
    const { columnLower, columnUpper } = problem.lp.data;
    const storage = problem.lp.family("storage").column(0);
    const states = new Float64Array(model.dimension);
    for (const [bounds, off] of [
      [columnLower, -1e-7],
      [columnUpper, 1e-7],
      [columnLower, -5],
      [columnUpper, 5],
    ] as const) {
      for (let h = 0; h < model.hydros; h++)
        recorder.primal[storage + h] = bounds[storage + h] + off;
      problem.outgoing(states, 0);
      assert.deepEqual(
        [...states.subarray(0, model.hydros)],
        [...bounds.subarray(storage, storage + model.hydros)],
      );
    }
  });
});

describe("the costs of a stage", () => {
  it("are those of all columns but the future's, in $", async () => {
    const { problem, recorder } = await open("none");
    const { cost } = problem.lp.data;
    let expected = 0;
    cost.forEach((value, j) => {
      if (j !== problem.lp.theta) expected += value * recorder.primal[j];
    });
    assertNear([problem.immediateCost()], [expected * COST_SCALE]);
  });

  it("begin with the first column, and are the same by kind and in total", () => {
    const builder = new ProgramBuilder();
    const cost = (i: number) => [3, 0, 5][i];
    builder.family("x", { labels: ["a", "b", "c"], cost, kind: "thermal" });
    const lp = builder.build();
    const primal = Float64Array.of(7, 11, 13);
    assert.equal(lp.totalCost(primal), 21 + 65);
    assert.deepEqual(lp.costs(primal), { byKind: Float64Array.of(86), total: 86 });
  });

  it("have something behind the last stage alone, discounted", async () => {
    const { problem, model } = await open("none");
    assert.equal(problem.costBehind(), 0);
    const last = await open("none", model.stages - 1);
    last.recorder.primal[last.problem.lp.theta] = 12;
    const { discount } = model.study.time;
    const kept = discount[model.stages - 1];
    discount[model.stages - 1] = 0.5;
    assert.equal(last.problem.costBehind(), 12 * 0.5 * COST_SCALE);
    discount[model.stages - 1] = kept;
    assert.equal((await open("none", model.stages - 2)).problem.costBehind(), 0);
  });
});
