/** What can be asked of a simulation: another solver, a place for failures, an end before the end. And which policies it refuses. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  type Policy,
  type SddpError,
  type SddpEvent,
  simulate,
  TrialPoints,
  train,
} from "@cobre/sddp";
import { type LpData, type LpSolver, loadSolver, type SubproblemFailed } from "@cobre/solver";
import { caseNamed, changed } from "./cases.js";

const SCENARIOS = { scenarios: 3 };

let folder = "";
let source: Case;
let policy: Policy;
let highs: LpSolver;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-simulate-"));
  source = changed(await caseNamed("one-reservoir"), { iterations: 2 });
  highs = await loadSolver("highs");
  using comm = new LocalCommunicator();
  ({ policy } = await train(comm, source));
});
after(() => rmSync(folder, { recursive: true }));

/** HiGHS, but programs are created by `create`. */
const solverThat = (create: (data: LpData) => LpData): LpSolver => ({
  ...highs,
  create: (data, options) => highs.create(create(data), options),
});

/** A solver whose programs have no solution: their first column may have no value at all. */
const impossible = () =>
  solverThat((data) => ({
    ...data,
    columnLower: data.columnUpper.map((upper, j) => (j === 0 ? upper + 1 : data.columnLower[j])),
  }));

describe("a simulation", () => {
  it("uses the solver that it is given", async () => {
    using comm = new LocalCommunicator();
    let programs = 0;
    const counting = solverThat((data) => {
      programs++;
      return data;
    });
    await simulate(comm, source, policy, { ...SCENARIOS, solver: counting });
    assert.equal(programs, source.study.time.stages.length);
  });

  it("writes a program that cannot be solved where it is asked to", async () => {
    using comm = new LocalCommunicator();
    const directory = join(folder, "failures");
    const options = { ...SCENARIOS, solver: impossible(), failureDirectory: directory };
    await assert.rejects(simulate(comm, source, policy, options), (error: SubproblemFailed) => {
      assert.match(error.message, /stage_\d+_simulation_iteration_2_scenario_0/);
      return true;
    });
    assert.equal(readdirSync(directory).length, 1);
  });

  it("writes it to the current directory if nobody asks", async () => {
    using comm = new LocalCommunicator();
    const here = process.cwd();
    process.chdir(folder);
    try {
      const options = { ...SCENARIOS, solver: impossible() };
      await assert.rejects(simulate(comm, source, policy, options), /could not|cannot|infeasible/i);
      assert.equal(readdirSync(folder).filter((name) => name.endsWith(".lp")).length, 1);
    } finally {
      process.chdir(here);
    }
  });

  it("refuses the policy of another case, and says what differs", async () => {
    using comm = new LocalCommunicator();
    const other = await caseNamed("four-regions");
    await assert.rejects(simulate(comm, other, policy, SCENARIOS), (error: SddpError) => {
      assert.match(error.message, /it is the policy of another case: hydros 0 instead of 0, 1, /);
      return true;
    });
  });

  it("tells of a single stage whose basis does not fit", async () => {
    using comm = new LocalCommunicator();
    const { points } = policy;
    const last = points.stages - 1;
    const rows = points.sizes.rows.map((size, stage) => (stage === last ? size + 1 : size));
    const passWidth = points.basisWidth + 1;
    const bases = new Uint8Array(points.passes * passWidth);
    for (let pass = 0; pass < points.passes; pass++) {
      const start = pass * points.basisWidth;
      bases.set(points.bases.subarray(start, start + points.basisWidth), pass * passWidth);
    }
    const sizes = { ...points.sizes, rows };
    const misfit = new TrialPoints(points.passes, points.dimension, sizes, bases);
    misfit.values.set(points.values);
    const events: SddpEvent[] = [];
    const onEvent = (event: SddpEvent) => events.push(event);
    await simulate(comm, source, { ...policy, points: misfit }, { ...SCENARIOS, onEvent });
    const replaced = events.find((event) => event.type === "bases_replaced");
    assert.deepEqual(replaced?.stageIds, [source.study.time.stages[last]?.id]);
  });

  it("lets signal handlers run before each scenario", async () => {
    using comm = new LocalCommunicator();
    let isAsked = false;
    const done: number[] = [];
    const simulation = simulate(comm, source, policy, {
      ...SCENARIOS,
      onScenario: (scenario) => {
        done.push(scenario);
        setImmediate(() => {
          isAsked = true;
        });
      },
      isInterrupted: () => isAsked,
    });
    await assert.rejects(simulation, /the simulation was interrupted/);
    assert.deepEqual(done, [0]);
  });
});
