import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CobreProcess, eventually, type StartOptions } from "./cobre-process.js";

/** Two ranks that run a shell program. */
function launch(program: string, flags: string[] = [], options: StartOptions = {}): CobreProcess {
  const args = ["launch", "-n", "2", ...flags, "--", "sh", "-c", program];
  return CobreProcess.start(args, options);
}

const FOR_EVER = "while :; do sleep 0.05; done";

describe("cobre launch: signals", { timeout: 300_000 }, () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const) {
    it(`${signal} ends the ranks, and the launcher with ${code}`, async () => {
      const job = launch("ulimit -c 0; echo ready; exec sleep 300", ["--grace", "60"]);
      await job.printed(/ready/, 2);
      job.kill(signal);
      const finished = await job.finished;
      assert.equal(finished.code, code);
      assert.equal(finished.stderr, "");
      assert.deepEqual(job.marked(), []);
    });
  }

  it("a rank may end as it likes, and its code counts", async () => {
    const job = launch(`trap 'echo bye; exit 3' INT; echo ready; ${FOR_EVER}`);
    await job.printed(/ready/, 2);
    job.kill("SIGINT");
    const { code, stdout } = await job.finished;
    assert.equal(code, 3);
    assert.equal(stdout.match(/bye/g)?.length, 2);
  });

  it("ranks that end well when asked to make it end well", async () => {
    const job = launch(`trap 'exit 0' TERM; echo ready; ${FOR_EVER}`);
    await job.printed(/ready/, 2);
    job.kill("SIGTERM");
    assert.equal((await job.finished).code, 0);
  });

  it("ranks that do not heed are killed after the grace time", async () => {
    const job = launch(`trap '' TERM; echo ready; ${FOR_EVER}`, ["--grace", "0.3"]);
    await job.printed(/ready/, 2);
    job.kill("SIGTERM");
    const { code, stderr } = await job.finished;
    assert.equal(code, 143);
    assert.match(stderr, /ranks 0, 1 did not end when asked to and had to be killed/);
    assert.deepEqual(job.marked(), []);
  });

  it("a second signal insists, but not the same one twice at once", async () => {
    const job = launch(`trap 'echo asked' INT; echo ready; ${FOR_EVER}`, ["--grace", "60"]);
    await job.printed(/ready/, 2);
    job.kill("SIGINT");
    await job.printed(/asked/, 2);
    job.kill("SIGINT"); // npm passes on what the terminal has sent already
    await sleep(1500);
    assert.ok(job.marked().length >= 4, "everybody still runs");
    assert.equal(job.stdout.match(/asked/g)?.length, 2);
    job.kill("SIGINT");
    const { code } = await job.finished;
    assert.equal(code, 130);
    assert.deepEqual(job.marked(), []);
  });

  it("SIGUSR2 is passed on, and nothing else happens", async () => {
    const job = launch(`trap 'echo heard; exit 0' USR2; echo ready; ${FOR_EVER}`);
    await job.printed(/ready/, 2);
    job.kill("SIGUSR2");
    const { code, stdout } = await job.finished;
    assert.equal(stdout.match(/heard/g)?.length, 2);
    assert.equal(code, 0);
  });

  it("SIGTSTP stops the ranks and the launcher, SIGCONT lets them go on", async () => {
    const job = launch("echo $$; exec sleep 300");
    await job.printed(/^\[\d\] \d+$/, 2);
    const pids = [...job.stdout.matchAll(/^\[\d\] (\d+)$/gm)].map((match) => Number(match[1]));
    const everybody = [job.pid, ...pids];
    const areStopped = (): boolean[] => everybody.map((pid) => job.stateOf(pid) === "T");
    job.kill("SIGTSTP");
    await eventually("all are stopped", () => areStopped().every(Boolean));
    job.kill("SIGCONT");
    await eventually("all go on", () => !areStopped().some(Boolean));
    job.kill("SIGTERM");
    assert.equal((await job.finished).code, 143);
  });

  it("stopped ranks end when asked to", async () => {
    const job = launch("echo $$; kill -STOP $$; sleep 300", ["--grace", "60"]);
    await job.printed(/^\[\d\] \d+$/, 2);
    const pids = [...job.stdout.matchAll(/^\[\d\] (\d+)$/gm)].map((match) => Number(match[1]));
    await eventually("both are stopped", () => pids.every((pid) => job.stateOf(pid) === "T"));
    job.kill("SIGTERM");
    assert.equal((await job.finished).code, 143);
    assert.deepEqual(job.marked(), []);
  });
});

describe("cobre launch: when the launcher is killed", { timeout: 300_000 }, () => {
  it("leaves nothing: no rank, no child of a rank, no watchdog", async () => {
    const job = launch("sleep 300 & echo ready; wait");
    await job.printed(/ready/, 2);
    assert.ok(job.marked().length >= 6, "launcher, watchdog, two ranks, two children");
    job.kill("SIGKILL");
    await eventually("everything is gone", () => job.marked().length === 0);
  });

  it("leaves no segment", async () => {
    const script = 'file="/dev/shm$COBRE_SHM_NAME"; : > "$file"; echo "$file"; exec sleep 300';
    const job = launch(script, ["--backend", "shm"]);
    await job.printed(/cobre-/, 2);
    const [file = ""] = job.stdout.match(/\/dev\/shm\/.*/) ?? [];
    assert.equal(existsSync(file), true);
    job.kill("SIGKILL");
    await eventually("everything is gone", () => job.marked().length === 0);
    assert.equal(existsSync(file), false);
  });

  it("asks before it kills", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-launch-"));
    try {
      const note = `: > "${folder}/$COBRE_LAUNCH_RANK"`;
      // The shell would say "Terminated" into a pipe that has broken, and die of that instead.
      const program = `trap '${note}; exit' TERM; echo ready; exec 2> /dev/null; ${FOR_EVER}`;
      const job = launch(program, ["--grace", "60"]);
      await job.printed(/ready/, 2);
      job.kill("SIGKILL");
      await eventually("everything is gone", () => job.marked().length === 0);
      assert.deepEqual(readdirSync(folder).sort(), ["0", "1"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("kills those that do not heed", async () => {
    const job = launch(`trap '' TERM; echo ready; ${FOR_EVER}`, ["--grace", "0.3"]);
    await job.printed(/ready/, 2);
    job.kill("SIGKILL");
    await eventually("everything is gone", () => job.marked().length === 0);
  });
});

describe("cobre launch: when nobody reads", { timeout: 300_000 }, () => {
  const FLOOD = "exec yes this is one of many lines that nobody reads";

  it("holds the ranks back instead of filling its memory", async () => {
    const job = launch(FLOOD, ["--grace", "0.5"], { reads: false });
    await eventually("ranks run", () => job.marked().some(([, command]) => /^yes/.test(command)));
    const residentMiB = (): number =>
      Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${job.pid}/status`, "latin1"))?.[1]) /
      1024;
    const before = residentMiB();
    await sleep(2000);
    assert.ok(residentMiB() - before < 100, `${before} MiB grew to ${residentMiB()} MiB`);
    job.kill("SIGTERM");
    assert.equal((await job.finished).code, 143);
    assert.deepEqual(job.marked(), []);
  });

  it("the time limit holds all the same", async () => {
    const job = launch(FLOOD, ["--grace", "0.2", "--timeout", "0.5"], { reads: false });
    assert.equal((await job.finished).code, 124);
    assert.deepEqual(job.marked(), []);
  });
});
