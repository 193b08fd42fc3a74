/** A study without the command line: what it tells, how it is cancelled and resumed, how it fails. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { OutputError } from "@cobre/io";
import { decodePolicy, hashPolicy } from "@cobre/sddp";
import { firstDifference, type StudyEvent } from "@cobre/study";
import { runExample, sized } from "./example-run.js";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-study-"));
});
after(() => rmSync(folder, { recursive: true }));

const CASE = "one-reservoir";
const UNSUMMED = fileURLToPath(new URL("./unsummed-rank.js", import.meta.url));

describe("runStudy", () => {
  it("tells the plan first, then what happens, then the results it returns", async () => {
    const events: StudyEvent[] = [];
    const onEvent = (event: StudyEvent) => events.push(event);
    const output = join(folder, "whole");
    const result = await runExample(CASE, sized(3, 2), { output, onEvent });
    assert.equal(result.status, "completed");
    assert.deepEqual(events[0], { type: "run_started", iterationLimit: 3, scenarios: 2 });
    const one = <T extends StudyEvent["type"]>(type: T) => {
      const found = events.filter((event) => event.type === type);
      assert.equal(found.length, 1, type);
      return found[0] as Extract<StudyEvent, { type: T }>;
    };
    assert.equal(events.filter(({ type }) => type === "iteration_done").length, 3);
    const trained = one("training_result");
    assert.equal(trained.iterations, 3);
    assert.equal(trained.lowerBound, result.training?.lowerBound);
    assert.equal(trained.forward?.mean, result.training?.policy.history.at(-1)?.upperBoundMean);
    const simulated = one("simulation_result");
    assert.equal(events.at(-1), simulated);
    assert.deepEqual(simulated.costs, [...(result.simulation?.costs ?? [])]);
    assert.ok(existsSync(join(output, "simulation/_SUCCESS")));
  });

  it("is cancelled after an iteration, and resumed with the same bits", async () => {
    const [whole, output] = [join(folder, "whole"), join(folder, "cancelled")];
    const cancel = new AbortController();
    const events: StudyEvent[] = [];
    const stopped = await runExample(CASE, sized(3, 2), {
      output,
      signal: cancel.signal,
      onEvent: (event) => {
        events.push(event);
        if (event.type === "iteration_done" && event.record.iteration === 2) cancel.abort();
      },
    });
    assert.equal(stopped.status, "interrupted");
    assert.equal(stopped.simulation, undefined);
    const told = { type: "interrupted", during: "training", iteration: 2 };
    assert.deepEqual(events.at(-1), told);
    assert.ok(!existsSync(join(output, "training/_SUCCESS")));
    const resumed = await runExample(CASE, sized(3, 2), { output, existing: "resume" });
    assert.equal(resumed.status, "completed");
    assert.equal(await firstDifference(whole, output), undefined);
  });

  it("is cancelled between two scenarios, and keeps what was trained", async () => {
    const output = join(folder, "half-simulated");
    const cancel = new AbortController();
    const result = await runExample(CASE, sized(3, 5), {
      output,
      signal: cancel.signal,
      onEvent: (event) => {
        if (event.type === "scenario_done" && event.done === 2) cancel.abort();
      },
    });
    assert.equal(result.status, "interrupted");
    assert.equal(result.simulation, undefined);
    assert.equal(result.training?.policy.iteration, 3);
    assert.ok(existsSync(join(output, "training/_SUCCESS")));
    assert.deepEqual(readdirSync(output).sort(), [".cobre-run", "policy", "training"]);
  });

  it("stops after the first iteration if it was cancelled before it began", async () => {
    const output = join(folder, "at-once");
    const signal = AbortSignal.abort();
    const result = await runExample(CASE, sized(3, 0), { output, signal });
    assert.equal(result.status, "interrupted");
    assert.equal(result.training?.policy.iteration, 1);
  });

  it("throws what went wrong, after it has told it", async () => {
    const output = join(folder, "foreign");
    const told: unknown[] = [];
    const onFailure = (error: unknown) => told.push(error);
    await runExample(CASE, sized(1, 0), { output });
    await assert.rejects(
      runExample(CASE, sized(1, 0), { output, onFailure }),
      (error) => error instanceof OutputError && error.kind === "OutputExists" && told[0] === error,
    );
    writeFileSync(join(output, "training/mine.txt"), "");
    await assert.rejects(
      runExample(CASE, sized(1, 0), { output, existing: "overwrite" }),
      /mine\.txt was not written by a run/,
    );
  });

  it("keeps the policy if it fails after training, before anything is written", async () => {
    const output = join(folder, "kept");
    const command = [process.execPath, UNSUMMED, CASE, output];
    const job = await launch({ ranks: 2, backend: "shm", command, output: "capture" });
    const { code, ranks } = await job.done;
    assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join(""));
    const path = join(output, "policy/policy.bin");
    assert.deepEqual(
      ranks.map(({ stdout }) => stdout),
      [`${path}\n`, ""],
    );
    assert.deepEqual(readdirSync(output).sort(), [".cobre-run", "policy"]);
    const read = (file: string) => hashPolicy(decodePolicy(readFileSync(file), file));
    assert.deepEqual(read(path).cuts, read(join(folder, "whole/policy/policy.bin")).cuts);
  });

  it("replaces a run if asked to", async () => {
    const output = join(folder, "replaced");
    const first = await runExample(CASE, sized(1, 0), { output });
    const second = await runExample(CASE, sized(2, 0), { output, existing: "overwrite" });
    const hashes = [first, second].map(({ training }) => training && hashPolicy(training.policy));
    assert.notDeepEqual(hashes[0], hashes[1]);
    assert.equal(second.training?.policy.iteration, 2);
  });
});
