/** A signal during the simulation: exit code 5, no half simulation, and a run that `--resume` completes. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { linesInScope } from "@cobre/testing/scope";
import { CobreProcess, eventually } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

const ITERATIONS = 3;

let folder = "";
/** Nobody waits for the end of its simulation. */
let endless = "";
let source = "";
let undisturbed = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-interrupted-"));
  const write = (name: string, scenarios: number) =>
    copyExample("one-reservoir", join(folder, name), { iterations: ITERATIONS, scenarios });
  endless = write("endless", 1_000_000);
  source = write("case", 8);
  undisturbed = join(folder, "undisturbed");
  const { code, stderr } = await CobreProcess.start(["run", source, "-o", undisturbed]).finished;
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

describe("a signal during the simulation", { timeout: 300_000 }, () => {
  for (const { ranks, signal } of linesInScope([
    { ranks: [], signal: "SIGINT" },
    { ranks: ["-n", "2"], signal: "SIGINT", rest: true },
    { ranks: [], signal: "SIGTERM", rest: true },
    { ranks: ["-n", "2", "-b", "tcp"], signal: "SIGTERM", rest: true },
  ] as const)) {
    const name = `${signal} ${ranks.join(" ") || "one process"}`;
    it(`ends with exit code 5 and can be resumed (${name})`, async () => {
      const output = join(folder, name.replaceAll(" ", ""));
      const events = `${output}.events`;
      const args = ["run", endless, ...ranks, "-o", output, "--events", events];
      const run = CobreProcess.start(args);
      const hasBegun = () =>
        existsSync(events) && readFileSync(events, "utf8").includes('"scenario_done"');
      await eventually("a scenario", hasBegun);
      run.kill(signal);
      const { code, stdout, stderr } = await run.finished;
      assert.equal(code, 5, stderr);
      assert.equal(stderr, "");
      assert.deepEqual(run.marked(), []);
      assert.match(stdout, /^interrupted in the simulation; continue with --resume$/m);
      const left = readdirSync(output).filter((entry) => !entry.startsWith("."));
      assert.deepEqual(left.sort(), ["policy", "training"]);
      assert.ok(existsSync(join(output, "training/_SUCCESS")));
      const resumed = CobreProcess.start(["run", source, "-o", output, "--resume"]);
      assert.equal((await resumed.finished).code, 0);
      const compared = await CobreProcess.start(["compare", undisturbed, output]).finished;
      assert.equal(compared.stdout, "the same bits\n");
    });
  }
});
