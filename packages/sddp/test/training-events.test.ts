/** What training tells about itself: every count, and times that add up. The clock of the tests goes on by 1 ms whenever it is read. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case, StoppingRule } from "@cobre/io";
import { type Policy, type SddpEvent, simulate, type TrainOptions, train } from "@cobre/sddp";
import { type LpData, type LpOptions, type LpSolver, loadSolver } from "@cobre/solver";
import { caseNamed, changed } from "./cases.js";

type EventOf<T extends SddpEvent["type"]> = Extract<SddpEvent, { type: T }>;

class Events {
  readonly all: SddpEvent[] = [];
  readonly listen = (event: SddpEvent) => {
    this.all.push(event);
  };

  of<T extends SddpEvent["type"]>(type: T): EventOf<T>[] {
    return this.all.filter((event): event is EventOf<T> => event.type === type);
  }

  get types(): readonly string[] {
    return this.all.map(({ type }) => type);
  }
}

async function trainAndListen(source: Case, options: TrainOptions = {}) {
  using comm = new LocalCommunicator();
  const events = new Events();
  const result = await train(comm, source, { ...options, onEvent: events.listen });
  return { ...result, events };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** It has gone for a long time already, as that of a program that trains twice. */
function startClock(): void {
  let now = 1_000_000;
  mock.method(performance, "now", () => now++);
}

/** The tutorial problem with 2 iterations of 3 passes. */
const tutorial = async (iterations = 2) =>
  changed(await caseNamed("sddp-tutorial"), { iterations, forwardPasses: 3 });

describe("the events of training", () => {
  beforeEach(startClock);
  afterEach(() => mock.restoreAll());

  it("come in their order", async () => {
    const { events } = await trainAndListen(await tutorial());
    const iteration = [
      ...["working", "working", "working", "forward_done"],
      ...["working", "working", "backward_done", "bound_done", "iteration_done", "ranks_measured"],
    ];
    assert.deepEqual(events.types, [
      "training_started",
      "programs_built",
      ...iteration,
      ...iteration,
      "training_done",
    ]);
  });

  it("tell where an iteration is, and how the ranks fared in it", async () => {
    const { events } = await trainAndListen(await tutorial(1));
    const places = events
      .of("working")
      .map(({ iteration, phase, stageId, done, of }) => [iteration, phase, stageId, done, of]);
    assert.deepEqual(places, [
      [1, "forward", null, 1, 3],
      [1, "forward", null, 2, 3],
      [1, "forward", null, 3, 3],
      [1, "backward", 2, 0, 2],
      [1, "backward", 1, 1, 2],
    ]);
    assert.deepEqual(events.of("ranks_measured"), [
      { type: "ranks_measured", iteration: 1, busy: [1], retriedSolves: 0 },
    ]);
  });

  it("count what there is", async () => {
    const source = await tutorial();
    const { events, policy, termination } = await trainAndListen(source);
    const [first, second, third] = source.uncertainty.treeStages.map(({ openings }) => openings);
    const stages = source.study.time.stages.length;
    assert.equal(stages, 3);
    const [started] = events.of("training_started");
    assert.equal(started.stages, 3);
    assert.equal(started.stateDimension, source.study.system.hydros.length);
    assert.equal(started.forwardPasses, 3);
    assert.equal(started.ranks, 1);
    assert.equal(started.afterIteration, 0);
    assert.equal(started.cuts, 0);
    assert.equal(started.isWarm, false);
    assert.deepEqual(started.foreignStageIds, []);
    assert.deepEqual(started.boundCaveats, []);
    assert.deepEqual(
      events.of("programs_built")[0].ranges.map(({ stage }) => stage),
      [0, 1, 2],
    );
    assert.deepEqual(
      events.of("forward_done").map(({ iteration, lpSolves }) => [iteration, lpSolves]),
      [
        [1, 3 * 3],
        [2, 3 * 3],
      ],
    );
    const backward = 3 * (second + third);
    assert.deepEqual(
      events.of("backward_done").map(({ iteration, lpSolves }) => [iteration, lpSolves]),
      [
        [1, backward],
        [2, backward],
      ],
    );
    const records = events.of("iteration_done").map(({ record }) => record);
    assert.deepEqual(policy.history, records);
    records.forEach((record, i) => {
      assert.equal(record.iteration, i + 1);
      assert.equal(record.forwardPasses, 3);
      assert.equal(record.cutsAdded, 3 * 2);
      assert.equal(record.cutsActive, 3 * 2 * (i + 1));
      assert.equal(record.lpSolves, 9 + backward + first);
      assert.equal(record.lowerBound, events.of("bound_done")[i].lowerBound);
      assert.equal(events.of("bound_done")[i].iteration, i + 1);
    });
    for (const { solves } of events.of("iteration_done")) {
      const told = solves.map(({ phase, stage, solves: count }) => [phase, stage, count]);
      assert.deepEqual(told.sort(), [
        ["backward", 1, 3 * second],
        ["backward", 2, 3 * third],
        ["bound", 0, first],
        ["forward", 0, 3],
        ["forward", 1, 3],
        ["forward", 2, 3],
      ]);
    }
    const [done] = events.of("training_done");
    assert.deepEqual([done.termination, done.iterations], [termination, 2]);
  });

  it("have times that add up", async () => {
    const { events, elapsedMs } = await trainAndListen(await tutorial());
    events.of("iteration_done").forEach((event, i) => {
      const { record, solves } = event;
      const [forward, backward, bound] = [
        events.of("forward_done")[i].ms,
        events.of("backward_done")[i].ms,
        events.of("bound_done")[i].ms,
      ];
      assert.ok(forward > 0 && backward > 0 && bound > 0);
      assert.equal(record.forwardMs, forward);
      assert.equal(record.backwardMs, backward);
      assert.equal(record.totalMs, forward + backward + bound);
      assert.equal(event.solvingMs, sum(solves.map(({ ms }) => ms)));
      // Each solve reads the clock twice at least. Nothing else takes as long.
      assert.ok(solves.every(({ ms, solves: count }) => ms >= count));
      assert.ok(event.solvingMs > record.totalMs / 2 && event.solvingMs < record.totalMs);
      assert.equal(
        event.simplexIterations,
        sum(solves.map(({ simplexIterations }) => simplexIterations)),
      );
      assert.equal(event.waitingMs, 0);
      assert.ok(event.movingMs >= 0 && event.movingMs < record.totalMs);
    });
    const elapsed = events.of("iteration_done").map((event) => event.elapsedMs);
    const [first, second] = events.of("iteration_done").map(({ record }) => record.totalMs);
    assert.ok(elapsed[0] > first && elapsed[0] < 2 * first + 200, `${elapsed} ${first}`);
    assert.ok(elapsed[1] >= elapsed[0] + second && elapsed[1] < elapsed[0] + second + 20);
    assert.ok(elapsedMs > elapsed[1] && elapsedMs < elapsed[1] + 20, `${elapsedMs} ${elapsed}`);
    assert.equal(events.of("training_done")[0].elapsedMs, elapsedMs);
  });

  it("tell the trial points of each iteration", async () => {
    const seen: [number, number][] = [];
    const { policy } = await trainAndListen(await tutorial(), {
      onTrialPoints: (iteration, points) => seen.push([iteration, points.cost(0)]),
    });
    assert.deepEqual(
      seen.map(([iteration]) => iteration),
      [1, 2],
    );
    assert.equal(seen[1][1], policy.points.cost(0));
  });

  it("say what a resumed run goes on from", async () => {
    const { policy } = await trainAndListen(await tutorial());
    const { events, policy: further } = await trainAndListen(await tutorial(3), { resume: policy });
    const [started] = events.of("training_started");
    assert.deepEqual([started.afterIteration, started.cuts, started.isWarm], [2, 12, false]);
    assert.deepEqual(
      events.of("iteration_done").map(({ record }) => [record.iteration, record.cutsActive]),
      [[3, 18]],
    );
    const { policy: whole } = await trainAndListen(await tutorial(3));
    const bounds = (of: Policy) => of.history.map(({ lowerBound }) => lowerBound);
    assert.deepEqual(bounds(further), bounds(whole));
    assert.equal(further.initialBound, whole.initialBound);
  });
});

describe("checkpoints", () => {
  beforeEach(startClock);
  afterEach(() => mock.restoreAll());

  const written = async (iterations: number, every: number | undefined, options: TrainOptions) => {
    const kept: Policy[] = [];
    const { events } = await trainAndListen(await tutorial(iterations), {
      ...options,
      checkpoint: { every, write: (policy) => kept.push(policy) },
    });
    const told = events.of("checkpoint_written");
    assert.deepEqual(
      told.map(({ iteration }) => iteration),
      kept.map(({ iteration }) => iteration),
    );
    assert.ok(told.every(({ ms }) => ms >= 0 && ms < 60_000));
    return kept.map(({ iteration, history }) => {
      assert.equal(history.length, iteration);
      return iteration;
    });
  };

  it("are written after as many iterations as asked", async () => {
    assert.deepEqual(await written(5, 2, {}), [2, 4]);
    assert.deepEqual(await written(3, undefined, {}), []);
  });

  it("are written when training is interrupted, and before the first iteration of a warm start", async () => {
    let calls = 0;
    assert.deepEqual(await written(9, 4, { isInterrupted: () => ++calls === 2 }), [2]);
    const { policy } = await trainAndListen(await tutorial());
    assert.deepEqual(await written(3, 2, { warmStart: policy }), [0, 2]);
    assert.deepEqual(await written(3, 5, { resume: policy }), []);
  });

  it("do not change when training goes on", async () => {
    const kept: Policy[] = [];
    await trainAndListen(await tutorial(4), {
      checkpoint: { every: 2, write: (policy) => kept.push(policy) },
    });
    assert.deepEqual(
      kept.map(({ history }) => history.length),
      [2, 4],
    );
  });
});

/** The hash of the hashes of scenarios: of each table's columns their names, lengths and values, NaN for none. */
async function hashOf(scenarios: number, source: Case, policy: Policy): Promise<string> {
  using comm = new LocalCommunicator();
  const whole = createHash("sha256");
  await simulate(comm, source, policy, {
    scenarios,
    onScenario: (_, tables) => {
      const one = createHash("sha256");
      for (const [table, columns] of Object.entries(tables)) {
        for (const { name, data } of columns) {
          const values = Array.from(data);
          one.update(`${table} ${name} ${values.length}`);
          one.update(Buffer.from(Float64Array.from(values).buffer));
        }
      }
      whole.update(one.digest());
    },
  });
  return whole.digest("hex");
}

describe("the events of a simulation", () => {
  beforeEach(startClock);
  afterEach(() => mock.restoreAll());

  it("count scenarios and solves", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const events = new Events();
    const seen: number[] = [];
    const { costs, statistics } = await simulate(comm, source, policy, {
      scenarios: 4,
      onEvent: events.listen,
      onScenario: (scenario) => seen.push(scenario),
    });
    assert.deepEqual(seen, [0, 1, 2, 3]);
    assert.equal(costs.length, 4);
    assert.equal(statistics.mean, sum([...costs]) / 4);
    assert.deepEqual(events.of("simulation_started"), [
      { type: "simulation_started", scenarios: 4 },
    ]);
    assert.deepEqual(
      events.of("scenario_done").map(({ done, of }) => [done, of]),
      [
        [1, 4],
        [2, 4],
        [3, 4],
        [4, 4],
      ],
    );
    assert.deepEqual(events.of("bases_replaced"), []);
    const [done] = events.of("simulation_done");
    assert.equal(done.scenarios, 4);
    assert.ok(done.ms > 0 && done.ms < 600_000);
    assert.deepEqual(
      done.solves.map(({ phase, stage, solves }) => [phase, stage, solves]),
      [0, 1, 2].map((stage) => ["simulation", stage, 4]),
    );
  });

  it("end with an interruption", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const events = new Events();
    let calls = 0;
    await assert.rejects(
      simulate(comm, source, policy, {
        scenarios: 4,
        onEvent: events.listen,
        isInterrupted: () => ++calls === 3,
      }),
      { kind: "Interrupted" },
    );
    assert.equal(events.of("scenario_done").length, 2);
    assert.equal(calls, 3);
  });

  it("have the number of scenarios of the case, and other tables another hash", async () => {
    using comm = new LocalCommunicator();
    const source = await tutorial();
    const { policy } = await train(comm, source);
    const fewer = { ...source.config, simulation: { ...source.config.simulation, scenarios: 2 } };
    const two = await simulate(comm, { ...source, config: fewer }, policy);
    assert.equal(two.costs.length, 2);
    const again = await simulate(comm, source, policy, { scenarios: 2 });
    assert.equal(again.hash, two.hash);
    assert.equal(two.hash, await hashOf(2, source, policy));
    const three = await simulate(comm, source, policy, { scenarios: 3 });
    assert.notEqual(three.hash, two.hash);
    assert.deepEqual([...three.costs.slice(0, 2)], [...two.costs]);
  });
});

describe("the simulations of a stopping rule", () => {
  beforeEach(startClock);
  afterEach(() => mock.restoreAll());

  const rule = (replications: number): StoppingRule => ({
    type: "simulation",
    replications,
    period: 2,
    boundWindow: 1,
    boundTolerance: 1e9,
    distanceTolerance: 0,
  });
  const ruled = async (iterations: number, ...rules: StoppingRule[]) =>
    changed(await caseNamed("sddp-tutorial"), {
      forwardPasses: 3,
      rules: [{ type: "iteration_limit", limit: iterations }, ...rules],
    });

  it("have the mean costs of the stages that a simulation of the policy has", async () => {
    const source = await ruled(4, rule(5));
    const { policy, events } = await trainAndListen(source);
    using comm = new LocalCommunicator();
    const means = [0, 0, 0];
    await simulate(comm, source, policy, {
      scenarios: 5,
      onScenario: (_, { costs }) => {
        const column = costs.find(({ name }) => name === "immediate_cost");
        column?.data.forEach((cost, stage) => {
          means[stage] += (cost as number) / 5;
        });
      },
    });
    const [simulation] = policy.ruleStates;
    assert.ok(means.some((mean) => mean > 0));
    means.forEach((mean, stage) => {
      assert.ok(Math.abs(simulation.values[stage] - mean) <= 1e-9 * Math.max(1, mean));
    });
    assert.deepEqual(
      events.of("simulation_compared").map(({ iteration, lpSolves }) => [iteration, lpSolves]),
      [
        [2, 15],
        [4, 15],
      ],
    );
  });

  it("are compared by their distance, relative to the new one", async () => {
    const { policy: first } = await trainAndListen(await ruled(2, rule(5)));
    const { policy: second, events } = await trainAndListen(await ruled(4, rule(5)), {
      resume: first,
    });
    const [before, now] = [first, second].map(({ ruleStates }) => ruleStates[0].values);
    const norm = (values: Iterable<number>) => Math.hypot(...values);
    const expected = norm(now.map((cost, i) => cost - before[i])) / Math.max(1, norm(now));
    const [compared] = events.of("simulation_compared");
    assert.ok(expected > 0);
    assert.ok(Math.abs((compared.distance as number) - expected) <= 1e-12 * expected);
    assert.ok(compared.ms >= 0 && compared.ms < 600_000);
  });

  it("of a file that names no rule belong to the first rule", async () => {
    const { policy } = await trainAndListen(await ruled(2, rule(5)));
    const nameless = policy.ruleStates.map(({ values }) => ({ rule: undefined, values }));
    const { events } = await trainAndListen(await ruled(4, rule(5), rule(4)), {
      resume: { ...policy, ruleStates: nameless },
    });
    assert.deepEqual(
      events.of("simulation_compared").map(({ distance }) => distance === undefined),
      [false, true],
    );
  });
});

describe("a time limit", () => {
  beforeEach(startClock);
  afterEach(() => mock.restoreAll());

  it("ends training when it has passed, and not before", async () => {
    const limited = async (...limits: number[]) =>
      trainAndListen(
        changed(await caseNamed("sddp-tutorial"), {
          rules: [
            ...limits.map((seconds) => ({ type: "time_limit" as const, seconds })),
            { type: "iteration_limit", limit: 3 },
          ],
        }),
      );
    // The clock goes on by less than a second in an iteration; ten minutes are far away.
    assert.equal((await limited(600, 0.001)).termination, "time_limit");
    assert.equal((await limited(0.001, 600)).termination, "time_limit");
    assert.equal((await limited(600)).termination, "iteration_limit");
  });

  it("that is far away ends nothing", async () => {
    const source = changed(await caseNamed("sddp-tutorial"), {
      rules: [
        { type: "time_limit", seconds: 86_400 },
        { type: "iteration_limit", limit: 2 },
      ],
    });
    const { termination, policy } = await trainAndListen(source);
    assert.deepEqual([termination, policy.iteration], ["iteration_limit", 2]);
  });
});

describe("programs", () => {
  it("are closed when training ends, also if one of them cannot be built", async () => {
    const highs = await loadSolver("highs");
    for (const most of [Infinity, 1]) {
      const [created, closed] = [new Set<unknown>(), new Set<unknown>()];
      const solver: LpSolver = {
        name: highs.name,
        version: highs.version,
        fingerprint: highs.fingerprint,
        create: (data: LpData, options?: LpOptions) => {
          if (created.size === most) throw new RangeError("no more programs");
          const program = highs.create(data, options);
          created.add(program);
          const close = program.close.bind(program);
          program.close = () => {
            closed.add(program);
            close();
          };
          return program;
        },
      };
      using comm = new LocalCommunicator();
      const training = train(comm, await tutorial(), { solver });
      if (most === 1) await assert.rejects(training, /no more programs/);
      else await training;
      assert.equal(created.size, most === 1 ? 1 : 3);
      assert.equal(closed.size, created.size);
    }
  });
});
