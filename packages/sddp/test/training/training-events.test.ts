/** What training tells about itself: every count, and times that add up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Policy } from "@cobre/sddp";
import { clockOfTests, sum, trainAndListen, tutorial } from "./told-events.js";

describe("the events of training", () => {
  clockOfTests();

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
      assert.ok(event.solvingMs > 0 && event.solvingMs < record.totalMs);
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
