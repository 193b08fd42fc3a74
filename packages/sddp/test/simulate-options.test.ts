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
import {
  type Deal,
  Exchange,
  meanStageCosts,
  openModel,
  scenarioCosts,
  Workspace,
} from "#internal";
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

  it("has the mean cost as its objective, and tells of each scenario", async () => {
    using comm = new LocalCommunicator();
    const events: SddpEvent[] = [];
    const onEvent = (event: SddpEvent) => events.push(event);
    const { costs, objective, statistics } = await simulate(comm, source, policy, {
      ...SCENARIOS,
      onEvent,
    });
    assert.equal(objective, statistics.mean);
    const told = events.filter(({ type }) => type === "scenario_done");
    assert.deepEqual(
      told,
      Array.from(costs, (cost, i) => ({ type: "scenario_done", done: i + 1, of: 3, cost })),
    );
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

describe("the simulation of a stopping rule", () => {
  /** What a rank of two computes by itself, by scenario and stage; without the numbers of the other rank. */
  async function ofRank(rank: number, size: number) {
    using comm = new LocalCommunicator();
    using model = openModel(comm, source);
    using workspace = new Workspace(model, highs, new Exchange(comm), folder, policy.pools);
    const { problems, sampler, walks } = workspace;
    const gathered: number[][] = [];
    const gather = (_: Float64Array, { first, end }: Deal, offset: (at: number) => number) => {
      gathered.push([first, end, offset(0), offset(2)]);
    };
    const own = { model, problems, sampler, walks, exchange: { comm: { size, rank }, gather } };
    const alone = own as unknown as Workspace<LocalCommunicator>;
    const costs = scenarioCosts(alone, policy.points, 3);
    const solves = problems.map((problem) => problem.solves);
    const means = meanStageCosts(alone, policy.points, 3);
    const more = problems.map((problem, i) => problem.solves - solves[i]);
    return { costs, means, gathered, solves: [...solves, ...more] };
  }

  it("has the costs of the same scenarios, each rank those of its own", async () => {
    using comm = new LocalCommunicator();
    const byStage = new Float64Array(source.study.time.stages.length);
    const { costs } = await simulate(comm, source, policy, {
      ...SCENARIOS,
      onScenario: (_, tables) => {
        const immediate = tables.costs.find(({ name }) => name === "immediate_cost")?.data;
        immediate?.forEach((cost, stage) => {
          byStage[stage] += cost / 3;
        });
      },
    });
    const near = (actual: Float64Array, expected: ArrayLike<number>) =>
      actual.forEach((value, i) => {
        assert.ok(Math.abs(value - expected[i]) <= 1e-9 * (1 + Math.abs(value)), `${actual}`);
      });
    const whole = await ofRank(0, 1);
    near(whole.costs, costs);
    near(whole.means, byStage);
    const stages = byStage.length;
    assert.deepEqual(whole.gathered, [
      [0, 3, 0, 2],
      [0, 3, 0, 2 * stages],
    ]);
    assert.ok(whole.solves.every((solves) => solves === 3));
    const second = await ofRank(1, 2);
    near(second.costs, [0, costs[1], costs[2]]);
    assert.deepEqual(second.gathered[0], [1, 3, 0, 2]);
    assert.ok(second.solves.every((solves) => solves === 2));
  });
});
