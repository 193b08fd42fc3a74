/** Events become a state, and keys change what is looked at. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  EventLines,
  FIRST_SCREEN,
  Playback,
  press,
  type ScreenState,
  type ToldEvent,
} from "#internal";
import { runAfter, trainingEvents } from "./made-run.js";

describe("the state of a run", () => {
  it("has every iteration, with the times of all ranks in whatever order they come", () => {
    const run = runAfter(trainingEvents(4));
    assert.equal(run.phase, "training");
    assert.deepEqual([run.ranks, run.backend, run.stages, run.iterationLimit], [2, "shm", 24, 40]);
    assert.deepEqual(
      run.iterations.map(({ record }) => record.iteration),
      [1, 2, 3, 4],
    );
    for (const { ranks, busy } of run.iterations) {
      assert.deepEqual([...ranks.keys()].sort(), [0, 1]);
      assert.equal(ranks.get(0)?.collectiveMs, 33);
      assert.equal(ranks.get(1)?.collectiveMs, 66);
      assert.ok(Number.isNaN(ranks.get(0)?.waitingMs), "waiting was not measured apart");
      assert.deepEqual(busy, [0.9, 0.8]);
    }
    const work = run.last?.stages ?? [];
    assert.equal(work.length, 24);
    assert.deepEqual(work[3], { stage: 3, solves: 20, retried: 2, simplexIterations: 100, ms: 10 });
    assert.equal(run.leftMs, 36 * 330);
  });

  it("finds iterations by number after a resume, too", () => {
    const events = trainingEvents(5).filter(
      (event) => event.type !== "iteration_done" || event.record.iteration > 3,
    );
    const run = runAfter(events);
    assert.equal(run.iterationOf(4)?.record.iteration, 4);
    assert.equal(run.iterationOf(3), undefined);
  });

  it("tells how a run ended", () => {
    const result: ToldEvent = {
      rank: 0,
      type: "training_result",
      termination: "iteration_limit",
      iterations: 2,
      lowerBound: 1,
      boundCaveats: [],
      forward: null,
      elapsedMs: 1,
    };
    const ends = (events: readonly ToldEvent[], code: number | undefined) => {
      const run = runAfter([...trainingEvents(2), ...events]);
      run.end(code);
      return run.phase;
    };
    assert.equal(ends([result], undefined), "done");
    assert.equal(ends([], undefined), "failed", "the events end in the middle");
    assert.equal(ends([], 0), "done");
    assert.equal(ends([], 5), "interrupted");
    assert.equal(ends([result], 1), "failed");
    const error = { message: "no solution" };
    assert.equal(ends([{ rank: 1, type: "error", error, code: 1 }, result], 0), "failed");
    assert.equal(
      ends([{ rank: 0, type: "interrupted", during: "training", iteration: 2 }], 5),
      "interrupted",
    );
  });

  it("is held and goes on, and logs what a person may want to know", () => {
    const run = runAfter([
      ...trainingEvents(2),
      { rank: 0, type: "checkpoint_written", iteration: 2, ms: 7 },
      { rank: 0, type: "held", iteration: 2, policy: "/tmp/policy" },
    ]);
    assert.equal(run.isHeld, true);
    assert.deepEqual(run.policy, { path: "/tmp/policy", iteration: 2 });
    run.take({ rank: 0, type: "released", iteration: 2 });
    assert.equal(run.isHeld, false);
    const issue = {
      severity: "warning",
      layer: "schema",
      file: "a.json",
      problem: "odd",
      remedy: "mend it",
    } as const;
    run.take({ rank: 0, type: "warning", issue });
    const log = run.log.map(({ level, text }) => `${level}: ${text}`);
    assert.ok(
      log.includes("note: checkpoint written after iteration 2, in 7.0 ms"),
      log.join("\n"),
    );
    assert.ok(log.includes("warning: a.json: odd; mend it"), log.join("\n"));
  });

  it("sums the scenarios of all ranks, and takes the result for the truth", () => {
    const run = runAfter(trainingEvents(1));
    run.take({ rank: 0, type: "simulation_started", scenarios: 4 });
    run.take({ rank: 1, type: "rank_scenario", done: 1, of: 2, cost: 5 });
    run.take({ rank: 0, type: "scenario_done", done: 1, of: 2, cost: 3 });
    assert.deepEqual(run.costs, [5, 3]);
    assert.equal(run.scenariosOf.get(1)?.of, 2);
    const costs = [3, 4, 5, 6];
    run.take({ rank: 0, type: "simulation_result", mean: 4.5, std: 1, ci95: 1, costs, hash: "" });
    assert.deepEqual(run.costs, costs);
  });
});

describe("keys", () => {
  const run = runAfter(trainingEvents(5));
  const after = (keys: readonly string[], from: ScreenState = FIRST_SCREEN) =>
    keys.reduce((screen, key) => press(screen, key, run).screen, from);

  it("switch views", () => {
    assert.equal(after(["3"]).view, "stages");
    assert.equal(after(["TAB"]).view, "iterations");
    assert.equal(after(["SHIFT_TAB"]).view, "log");
    assert.equal(after(["6", "TAB"]).view, "convergence");
    assert.equal(after(["7"]).view, "convergence");
    assert.equal(after(["?"]).isHelp, true);
    assert.equal(after(["?", "4"]).isHelp, false);
  });

  it("move between iterations, and follow the last one again", () => {
    assert.equal(after(["LEFT"]).iteration, 4);
    assert.equal(after(["LEFT", "LEFT"]).iteration, 3);
    assert.equal(after(["LEFT", "RIGHT"]).iteration, undefined);
    assert.equal(after(["HOME"]).iteration, 1);
    assert.equal(after(["HOME", "LEFT"]).iteration, 1);
    assert.equal(after(["HOME", "END"]).iteration, undefined);
    assert.equal(after(["2", "UP"]).iteration, 4);
  });

  it("choose a stage and look into it", () => {
    assert.equal(after(["3", "DOWN", "DOWN", "UP"]).stage, 1);
    assert.equal(after(["3", "UP"]).stage, 0);
    assert.equal(after(["3", ...Array<string>(5).fill("PAGE_DOWN")]).stage, 23);
    assert.deepEqual(after(["ENTER"]).view, "stages");
    assert.equal(after(["ENTER", "ENTER"]).isInspecting, true);
    assert.equal(after(["ENTER", "ENTER", "DOWN"]).offset, 1);
    assert.equal(after(["ENTER", "ENTER", "ESCAPE"]).isInspecting, false);
  });

  it("ask the world for what they cannot do", () => {
    const effect = (key: string, from = FIRST_SCREEN) => press(from, key, run).effect;
    assert.equal(effect(" "), "pause");
    assert.equal(effect(" ", after([" "])), "go");
    assert.equal(effect("s"), "step");
    assert.equal(after(["s"]).isPaused, true);
    assert.equal(effect("e"), "export");
    assert.equal(effect("q"), "quit");
    assert.equal(effect("q", after(["?"])), "quit");
    assert.equal(effect("CTRL_C"), "stop");
    assert.equal(effect("CTRL_Z"), "suspend");
    assert.equal(effect("x"), undefined);
  });
});

describe("lines of events", () => {
  it("are read in whatever pieces they come, and strange ones are passed over", () => {
    const text = `{"rank":0,"type":"released","iteration":1}\n\nnot an event\n{"type":"x"}\n{"rank":0,"type":"über"}\n{"rank":null,"type":"job_done"}`;
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const lines = new EventLines();
      const found = [
        ...lines.take(bytes.subarray(0, cut)),
        ...lines.take(bytes.subarray(cut)),
        ...lines.finish(),
      ];
      assert.deepEqual(
        found.map(({ type }) => type),
        ["released", "über", "job_done"],
      );
      assert.equal(lines.strange, 2);
    }
  });
});

describe("a playback", () => {
  const played = (tickMs?: number) => {
    const types: string[] = [];
    let ended = 0;
    const listener = {
      events: (events: readonly ToldEvent[]) => types.push(...events.map(({ type }) => type)),
      ended: () => {
        ended++;
      },
    };
    const playback = new Playback(listener, tickMs);
    const iterations = () => types.filter((type) => type === "iteration_done").length;
    return { playback, iterations, ended: () => ended };
  };

  it("gives on what comes, and keeps it while it is paused", () => {
    const { playback, iterations, ended } = played();
    playback.push(trainingEvents(2));
    assert.equal(iterations(), 2);
    playback.pause();
    playback.push(trainingEvents(3));
    playback.finish(undefined);
    assert.equal(iterations(), 2);
    playback.step();
    assert.equal(iterations(), 3);
    playback.step();
    assert.equal(iterations(), 4);
    assert.equal(ended(), 0);
    playback.go();
    assert.equal(iterations(), 5);
    assert.equal(ended(), 1);
    playback.go();
    assert.equal(ended(), 1);
  });

  it("tells a replay an iteration at a time", async () => {
    const { playback, iterations, ended } = played(1);
    playback.push(trainingEvents(3));
    assert.equal(iterations(), 1);
    playback.finish(undefined);
    while (ended() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(iterations(), 3);
  });
});
