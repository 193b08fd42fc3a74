import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { type LaunchOptions, launch } from "@cobre/comm/launch";
import { eventually, runs, stateOf } from "./eventually.js";

/** A grace time that a test which needs it to pass would notice. */
const NEVER = 60;

/** A file that a test or a rank makes to say that it is ready. */
const folder = mkdtempSync(join(tmpdir(), "cobre-launch-"));
const flag = join(folder, "flag");
beforeEach(() => rmSync(flag, { force: true }));
after(() => rmSync(folder, { recursive: true }));

/** Runs a shell program on every rank. */
function shell(program: string, ranks: number, options: Partial<LaunchOptions> = {}) {
  const command = ["sh", "-c", program];
  return launch({ ranks, command, output: "capture", graceSecs: NEVER, ...options });
}

/** Runs a shell program on every rank and collects the lines they print. */
async function shellWithLines(
  program: string,
  ranks: number,
  options: Partial<LaunchOptions> = {},
) {
  const lines: string[] = [];
  const job = await shell(program, ranks, {
    ...options,
    output: (rank, stream, text) => lines.push(`${rank} ${stream} ${text}`),
  });
  return { job, lines };
}

describe("launch: how a job ends", { timeout: 300_000 }, () => {
  it("with 0 when every rank exits with 0", async () => {
    const job = await shell("exit 0", 3);
    const result = await job.done;
    assert.equal(result.code, 0);
    assert.equal(result.firstFailure, undefined);
    assert.equal(result.timedOut, false);
    assert.deepEqual(
      result.ranks.map(({ rank, code, signal }) => ({ rank, code, signal })),
      [0, 1, 2].map((rank) => ({ rank, code: 0, signal: null })),
    );
    assert.deepEqual(
      result.ranks.map((exit) => exit.pid),
      job.ranks.map((rank) => rank.pid),
    );
  });

  it("with the code of the rank that failed, as soon as the others are gone", async () => {
    const job = await shell('[ "$COBRE_LAUNCH_RANK" = 1 ] && exit 5; exec sleep 300', 3);
    const start = performance.now();
    const result = await job.done;
    assert.ok(performance.now() - start < 20_000, "it did not wait for the grace time");
    assert.equal(result.code, 5);
    assert.equal(result.firstFailure?.rank, 1);
    assert.deepEqual(
      result.ranks.map((exit) => exit.signal),
      ["SIGTERM", null, "SIGTERM"],
    );
    for (const { pid } of result.ranks) assert.equal(runs(pid), false);
  });

  it("with the code of the first of several that fail", async () => {
    const { job, lines } = await shellWithLines(
      `trap 'exit 9' TERM; echo ready
       while [ "$COBRE_LAUNCH_RANK" != 2 ] || [ ! -e "$FLAG" ]; do sleep 0.05; done
       exit 7`,
      4,
      { env: { FLAG: flag } },
    );
    await eventually("all ranks are ready", () => lines.length === 4);
    writeFileSync(flag, "");
    const result = await job.done;
    assert.equal(result.code, 7);
    assert.equal(result.firstFailure?.rank, 2);
    assert.deepEqual(
      result.ranks.map((exit) => exit.code),
      [9, 9, 7, 9],
    );
  });

  it("with the code that tells most, if the launcher learns of several failures at once", async () => {
    const job = await shell(
      'while [ ! -e "$FLAG" ]; do sleep 0.05; done; [ "$COBRE_LAUNCH_RANK" = 1 ] && exit 7; exit 1',
      3,
      { env: { FLAG: flag } },
    );
    writeFileSync(flag, "");
    // Nothing reaches this process's event loop meanwhile.
    while (job.ranks.some(({ pid }) => runs(pid)));
    const result = await job.done;
    assert.equal(result.code, 7);
    assert.equal(result.firstFailure?.rank, 1);
    assert.deepEqual(
      result.ranks.map((exit) => exit.code),
      [1, 7, 1],
    );
  });

  it("with 128 + the signal's number when a signal ended the rank", async () => {
    const job = await shell('[ "$COBRE_LAUNCH_RANK" = 0 ] && kill -SEGV $$; exec sleep 300', 2);
    const result = await job.done;
    assert.equal(result.code, 139);
    assert.equal(result.firstFailure?.signal, "SIGSEGV");
    assert.equal(result.firstFailure?.code, null);
  });

  it("kills ranks that do not end when asked to", async () => {
    const notices: string[] = [];
    const { job, lines } = await shellWithLines(
      "trap '' TERM; echo ready; while :; do sleep 0.05; done",
      2,
      {
        graceSecs: 0.2,
        onNotice: (message) => notices.push(message),
      },
    );
    await eventually("all ranks are ready", () => lines.length === 2);
    const result = await job.end();
    assert.deepEqual(
      result.ranks.map((exit) => exit.signal),
      ["SIGKILL", "SIGKILL"],
    );
    assert.deepEqual(notices, ["ranks 0, 1 did not end when asked to and had to be killed."]);
  });

  it("ends stopped ranks too", async () => {
    const job = await shell("exec sleep 300", 3);
    const [first, second] = job.ranks;
    assert.ok(first && second);
    second.kill("SIGSTOP");
    await eventually("rank 1 is stopped", () => stateOf(second.pid) === "T");
    first.kill("SIGKILL");
    const result = await job.done;
    assert.equal(result.code, 137);
    assert.deepEqual(
      result.ranks.map((exit) => exit.signal),
      ["SIGKILL", "SIGTERM", "SIGTERM"],
    );
  });

  it("with 124 when it takes longer than it may", async () => {
    const notices: string[] = [];
    const job = await shell("exec sleep 300", 2, {
      timeoutSecs: 0.2,
      onNotice: (message) => notices.push(message),
    });
    const result = await job.done;
    assert.equal(result.code, 124);
    assert.equal(result.timedOut, true);
    assert.deepEqual(notices, ["the job was not done after 0.2 s (its time limit); ending it."]);
    for (const { pid } of result.ranks) assert.equal(runs(pid), false);
  });

  it("says once which rank failed and how, after that rank's last words", async () => {
    const said: string[] = [];
    const program = '[ "$COBRE_LAUNCH_RANK" = 1 ] && { echo why >&2; exit 5; }; exec sleep 300';
    const job = await shell(program, 3, {
      output: (rank, stream, text) => said.push(`${rank} ${stream} ${text}`),
      onNotice: (message) => said.push(message),
    });
    await job.done;
    assert.deepEqual(said, ["1 stderr why", "rank 1 exited with code 5; ending the other ranks."]);
  });

  it("leaves the others alone with endOnFailure: false", async () => {
    const program = '[ "$COBRE_LAUNCH_RANK" = 0 ] && exit 3; sleep 0.3; echo done';
    const result = await (await shell(program, 2, { endOnFailure: false })).done;
    assert.equal(result.code, 3);
    assert.equal(result.ranks[1]?.code, 0);
    assert.equal(result.ranks[1]?.stdout, "done\n");
  });

  it("when it is disposed of", async () => {
    let pids: number[];
    {
      await using job = await shell("exec sleep 300", 2);
      pids = job.ranks.map((rank) => rank.pid);
      assert.ok(pids.every(runs));
    }
    assert.ok(!pids.some(runs));
  });

  it("tells of each rank's end as it happens", async () => {
    await using job = await shell('[ "$COBRE_LAUNCH_RANK" = 1 ] && exit 0; exec sleep 300', 2);
    const exit = await job.ranks[1]?.exited;
    assert.equal(exit?.code, 0);
    assert.equal(runs(job.ranks[0]?.pid ?? 0), true);
    assert.equal(job.ranks[1]?.kill("SIGTERM"), false, "nobody is left to receive it");
  });
});

describe("launch: what ranks leave behind", { timeout: 300_000 }, () => {
  it("is removed when they are gone", async () => {
    const job = await shell(
      'file="/dev/shm$COBRE_SHM_NAME"; echo "$file"; : > "$file"; exit 1',
      1,
      {
        backend: "shm",
      },
    );
    const file = (await job.done).ranks[0]?.stdout.trim() ?? "";
    assert.match(file, /^\/dev\/shm\/cobre-/);
    assert.equal(existsSync(file), false);
  });
});

describe("launch: what ranks start", { timeout: 300_000 }, () => {
  const START_CHILD = "sleep 300 & echo $!";

  for (const [how, then] of [
    ["fails", "exit 5"],
    ["ends well", "exit 0"],
    ["is killed", "kill -KILL $$"],
  ] as const) {
    it(`is ended when the rank ${how}`, async () => {
      const result = await (await shell(`${START_CHILD}; ${then}`, 1)).done;
      const child = Number(result.ranks[0]?.stdout);
      assert.ok(child > 1);
      assert.equal(runs(child), false);
    });
  }

  it("is killed if it ignores being asked", async () => {
    const program = `sh -c 'trap "" TERM; echo $$; : > "$FLAG"; while :; do sleep 0.05; done' &
      while [ ! -e "$FLAG" ]; do sleep 0.02; done`;
    const result = await (await shell(program, 1, { graceSecs: 0.2, env: { FLAG: flag } })).done;
    const child = Number(result.ranks[0]?.stdout);
    assert.ok(child > 1);
    assert.equal(runs(child), false);
    assert.equal(result.code, 0);
  });

  it("is ended with the rank when another rank fails", async () => {
    const { job, lines } = await shellWithLines(`${START_CHILD}; wait`, 2);
    await eventually("both children run", () => lines.length === 2);
    job.ranks[0]?.kill("SIGKILL");
    await job.done;
    const children = lines.map((line) => Number(line.split(" ")[2]));
    assert.ok(children.every((pid) => pid > 1));
    assert.ok(!children.some(runs));
  });

  it("does not keep the job waiting if it became a daemon that holds the output open", async () => {
    const program = `${process.execPath} -e '
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["300"], { detached: true, stdio: "inherit" });
      console.log(child.pid);
      child.unref();'`;
    const start = performance.now();
    const result = await (await shell(program, 1)).done;
    const daemon = Number(result.ranks[0]?.stdout);
    assert.ok(runs(daemon), "it has left the rank's group: out of reach");
    process.kill(daemon, "SIGKILL");
    assert.ok(performance.now() - start < 20_000);
    assert.equal(result.code, 0);
  });
});
