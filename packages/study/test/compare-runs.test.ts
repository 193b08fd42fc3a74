/** What `cobre compare` says about two output directories. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { compareRuns, firstDifference, RunError } from "@cobre/study";
import {
  convergenceRow,
  put,
  putCosts,
  putScenario,
  putScenarios,
  putTraining,
  SIMULATION_METADATA,
  smallPolicy,
} from "./written-run.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-compare-runs-"));
after(() => rmSync(folder, { recursive: true }));
const [a, b] = [join(folder, "a"), join(folder, "b")];
const CONVERGENCE_FILE = "training/convergence.parquet";

describe("the first difference of two runs", () => {
  beforeEach(() => {
    for (const run of [a, b]) rmSync(run, { recursive: true, force: true });
    putTraining(a);
    cpSync(a, b, { recursive: true });
  });

  /** In this order, and with the sides exchanged. */
  const assertTold = async (told: string, exchanged: string) => {
    assert.equal(await firstDifference(a, b), told);
    assert.equal(await firstDifference(b, a), exchanged);
  };

  it("is none if they are the same, but for times", async () => {
    assert.equal(await firstDifference(a, b), undefined);
    const times = { time_forward_ms: 1, time_backward_ms: 2, time_total_ms: 3 };
    putTraining(b, [
      { ...convergenceRow(1), ...times },
      { ...convergenceRow(2), ...times },
    ]);
    assert.equal(await firstDifference(a, b), undefined);
  });

  it("is a cell of a table, by row and column", async () => {
    putTraining(b, [convergenceRow(1), { ...convergenceRow(2), lower_bound: -0, lp_solves: 9 }]);
    const place = `${CONVERGENCE_FILE}, row 2, lower_bound`;
    await assertTold(`${place}: 0.5 and 0`, `${place}: 0 and 0.5`);
  });

  it("is a missing cell", async () => {
    putTraining(b, [{ ...convergenceRow(1), gap_percent: 4 }, convergenceRow(2)]);
    const place = `${CONVERGENCE_FILE}, row 1, gap_percent`;
    await assertTold(`${place}: nothing and 4`, `${place}: 4 and nothing`);
  });

  it("is the number of rows, if those that both have are the same", async () => {
    putTraining(b, [convergenceRow(1)]);
    await assertTold(`${CONVERGENCE_FILE}: 2 and 1 rows`, `${CONVERGENCE_FILE}: 1 and 2 rows`);
  });

  it("is a number of the policy", async () => {
    putTraining(b, undefined, { ...smallPolicy(), initialBound: 5 });
    const place = "policy, initial bound, number 1";
    await assertTold(`${place}: 0 and 5`, `${place}: 5 and 0`);
  });

  it("is a policy that only one of them has; none if both do without", async () => {
    rmSync(join(b, "policy"), { recursive: true });
    const told = `${join(b, "policy/policy.bin")} does not exist`;
    await assertTold(told, told);
    rmSync(join(a, "policy"), { recursive: true });
    assert.equal(await firstDifference(a, b), undefined);
  });

  const simulate = (run: string) => {
    put(run, "simulation/metadata.json", SIMULATION_METADATA);
    put(run, "simulation/_SUCCESS", "");
    putCosts(run, 2);
    putScenarios(run, 0, [{}, {}]);
    put(run, "simulation/buses/note.txt", "no table");
  };

  it("is a cell of a table of the simulation", async () => {
    simulate(a);
    simulate(b);
    assert.equal(await firstDifference(a, b), undefined);
    putScenarios(b, 0, [{}, { load_mw: 2, block_id: null }]);
    const block = "simulation/buses, scenario 1, row 2, block_id";
    await assertTold(`${block}: 1 and nothing`, `${block}: nothing and 1`);
    putScenarios(b, 0, [{}, { load_mw: 2 }]);
    const place = "simulation/buses, scenario 1, row 2, load_mw";
    await assertTold(`${place}: 1 and 2`, `${place}: 2 and 1`);
  });

  it("is none between a file of all scenarios, a file for each rank, and Hive partitions", async () => {
    simulate(a);
    simulate(b);
    const rewrite = (write: () => void) => {
      rmSync(join(b, "simulation/buses"), { recursive: true });
      write();
    };
    for (const change of [{}, { load_mw: 2 }]) {
      const place = "simulation/buses, scenario 1, row 2, load_mw: 1 and 2";
      const expected = "load_mw" in change ? place : undefined;
      rewrite(() => {
        putScenarios(b, 0, [{}]);
        putScenarios(b, 1, [change]);
      });
      assert.equal(await firstDifference(a, b), expected);
      rewrite(() => {
        putScenario(b, 0);
        putScenario(b, 1, change);
      });
      assert.equal(await firstDifference(a, b), expected);
    }
  });

  it("is a scenario that only one of them has, named with its directory", async () => {
    simulate(a);
    simulate(b);
    rmSync(join(b, "simulation/buses"), { recursive: true });
    putScenarios(b, 0, [{}]);
    const told = `${join(b, "simulation/buses")} has no scenario 1`;
    await assertTold(told, told);
  });

  it("is a simulation that only one of them has", async () => {
    simulate(a);
    const told = `${join(b, "simulation/costs")} has no scenario 0`;
    await assertTold(told, told);
  });

  it("is never in what the solver did", async () => {
    simulate(a);
    simulate(b);
    put(a, "simulation/solver/iterations.parquet", "of this run");
    assert.equal(await firstDifference(a, b), undefined);
  });

  it("has a largest one among all numbers, by row and column, if that is asked for", async () => {
    const changed = (bound: number) => [
      { ...convergenceRow(1), lower_bound: 0.25 },
      { ...convergenceRow(2), lower_bound: bound },
    ];
    putTraining(a, changed(2000), { ...smallPolicy(), initialBound: 1 + 1e-7 });
    putTraining(b, changed(2000.002), { ...smallPolicy(), initialBound: 1 });
    const largest = {
      relative: 0.002 / 2000.002,
      place: `${CONVERGENCE_FILE}, row 2, lower_bound`,
      a: 2000,
      b: 2000.002,
    };
    const { largest: found, ...verdict } = await compareRuns(a, b, 1e-5);
    assert.deepEqual(verdict, { isSame: true, tolerance: 1e-5, difference: null });
    assert.ok(found);
    assert.ok(Math.abs(found.relative - largest.relative) < 1e-12);
    assert.deepEqual({ ...found, relative: 0 }, { ...largest, relative: 0 });
    assert.equal((await compareRuns(a, b, 1e-7)).isSame, false);
    assert.equal((await compareRuns(a, b, found.relative)).isSame, true, "the limit itself is in");
    assert.equal((await compareRuns(a, b)).difference, await firstDifference(a, b));
    putTraining(b, changed(2000), { ...smallPolicy(), initialBound: 1 });
    const inPolicy = await compareRuns(a, b, 0);
    assert.equal(inPolicy.isSame, false);
    assert.equal(inPolicy.largest?.place, "policy, initial bound, number 1");
  });

  it("is measured against 1 where numbers are smaller, and not at all where they are no numbers", async () => {
    putTraining(a, [{ ...convergenceRow(1), lower_bound: 0 }]);
    putTraining(b, [{ ...convergenceRow(1), lower_bound: 1e-12 }]);
    assert.equal((await compareRuns(a, b, 1e-9)).largest?.relative, 1e-12);
    putTraining(b, [{ ...convergenceRow(1), lower_bound: 0, gap_percent: 4 }]);
    const { isSame, difference, largest } = await compareRuns(a, b, 1e9);
    assert.deepEqual([isSame, largest], [false, null]);
    assert.equal(difference, `${CONVERGENCE_FILE}, row 1, gap_percent: nothing and 4`);
    putTraining(b, [{ ...convergenceRow(1), lower_bound: 0 }, convergenceRow(2)]);
    assert.match((await compareRuns(a, b, 1e9)).difference ?? "", /1 and 2 rows/);
  });

  it("is looked for in two simulations, if both runs have nothing else", async () => {
    for (const run of [a, b]) {
      rmSync(run, { recursive: true });
      simulate(run);
    }
    assert.equal(await firstDifference(a, b), undefined);
    putScenarios(b, 0, [{}, { load_mw: 2 }]);
    const place = "simulation/buses, scenario 1, row 2, load_mw";
    assert.equal(await firstDifference(a, b), `${place}: 1 and 2`);
    assert.equal((await compareRuns(a, b, 0.5)).isSame, true);
    assert.equal((await compareRuns(a, b, 0.49)).isSame, false);
  });

  const isRunError = (kind: string, path: string, said: RegExp) => (error: unknown) =>
    error instanceof RunError &&
    error.kind === kind &&
    error.path === path &&
    said.test(error.message);

  it("is not looked for in an unfinished simulation", async () => {
    simulate(a);
    simulate(b);
    rmSync(join(b, "simulation/_SUCCESS"));
    const refused = isRunError("Unfinished", b, /b has an unfinished simulation/);
    await assert.rejects(firstDifference(a, b), refused);
    await assert.rejects(firstDifference(b, a), refused);
  });

  it("is not looked for in a directory that has not trained", async () => {
    simulate(b);
    rmSync(join(b, "training"), { recursive: true });
    const refused = isRunError("Missing", b, /b has only a simulation; compare it with another/);
    await assert.rejects(firstDifference(a, b), refused);
    await assert.rejects(firstDifference(b, a), refused);
  });
});
