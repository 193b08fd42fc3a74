/**
 * A rank that is stopped for longer than the communicator's limit and then goes on: for the solver it is only late. The run ends with the
 * bits of one that nobody disturbed.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { linesInScope, runsQuick } from "@cobre/testing/scope";
import { CobreProcess, eventually } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { wholeLines } from "./whole-lines.js";

/** What a collective would be given if the solver did not ask for more. */
const LIMIT_SECS = 1;
const NAP_MS = 2500;
const ENV = {
  COBRE_SHM_TIMEOUT_SECS: String(LIMIT_SECS),
  COBRE_TCP_TIMEOUT_SECS: String(LIMIT_SECS),
};

/** Of the programs that rank 1 solves, about 150 in each iteration and 12 in each scenario, one of the second iteration and one of the simulation. */
const PHASES = {
  training: { stopAt: "training", begins: "iteration_done", ends: "training_done" },
  simulation: { stopAt: "simulation", begins: "simulation_started", ends: "simulation_done" },
} as const;
type Phase = keyof typeof PHASES;

const PRELOAD = new URL("./stop-at-solve.js", import.meta.url).href;

let folder = "";
let source = "";
let undisturbed = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-late-"));
  source = copyExample("one-reservoir", join(folder, "case"), { iterations: 2, scenarios: 20 });
  undisturbed = join(folder, "undisturbed");
  const { code, stderr } = await CobreProcess.start(["run", source, "-o", undisturbed]).finished;
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

/** Runs on two ranks, of which rank 1 stops itself; returns when it has. */
async function runUntilStopped(backend: string, phase: Phase, flags: readonly string[] = []) {
  const { stopAt, begins, ends } = PHASES[phase];
  const name = `${backend}-${phase}-${flags.length}`;
  const [output, events] = [join(folder, name), join(folder, `${name}.events`)];
  const args = ["run", source, "-n", "2", "-b", backend, "-o", output, "--events", events];
  const env = { ...ENV, NODE_OPTIONS: `--import ${PRELOAD}`, COBRE_TEST_STOP_AT: stopAt };
  const run = CobreProcess.start([...args, ...flags], { env });
  const linesOf = (type: string): { rank: number; pid: number }[] =>
    wholeLines(events)
      .filter((line) => line.includes(`"type":"${type}"`))
      .map((line) => JSON.parse(line));
  const pidOf = () => linesOf("rank_started").find(({ rank }) => rank === 1)?.pid;
  const isStopped = () => {
    const pid = pidOf();
    return pid !== undefined && run.stateOf(pid) === "T";
  };
  await eventually(`rank 1 stops on ${backend}: ${run.stderr}`, isStopped);
  await eventually(`${begins} on ${backend}: ${run.stderr}`, () => linesOf(begins).length > 0);
  const isOver = () => [ends, "rank_done", "job_done"].some((type) => linesOf(type).length > 0);
  return { run, pid: pidOf() ?? 0, output, isOver };
}

describe("a rank that is late", { timeout: 600_000 }, () => {
  for (const { backend, phase } of linesInScope([
    { backend: "shm", phase: "training" },
    { backend: "shm", phase: "simulation", rest: true },
    { backend: "tcp", phase: "training", rest: true },
    { backend: "tcp", phase: "simulation", rest: true },
    { backend: "mpi", phase: "training", rest: true },
    { backend: "mpi", phase: "simulation", rest: true },
  ] as const)) {
    it(`${backend}, stopped in the ${phase}: the run ends with the same bits`, async () => {
      const { run, pid, output, isOver } = await runUntilStopped(backend, phase);
      await sleep(NAP_MS);
      assert.equal(isOver(), false, "the run went on while the rank slept");
      process.kill(pid, "SIGCONT");
      const { code, stderr } = await run.finished;
      assert.equal(code, 0, stderr);
      const compared = await CobreProcess.start(["compare", undisturbed, output]).finished;
      assert.equal(compared.code, 0, compared.stdout + compared.stderr);
    });
  }

  if (!runsQuick) return;

  it("--comm-timeout sets a limit, and the message names what changes it", async () => {
    const flags = ["--comm-timeout", String(LIMIT_SECS)];
    const { run } = await runUntilStopped("shm", "training", flags);
    const { code, stderr } = await run.finished;
    assert.notEqual(code, 0);
    assert.match(stderr, /after 1 s rank 1 has not come/);
    assert.match(stderr, /--comm-timeout .*COBRE_SHM_TIMEOUT_SECS.*timeoutSecs/);
  });
});
