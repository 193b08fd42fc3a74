/** Runs that are cancelled, left alone and found again. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { inScope, runsQuick, runsRest } from "@cobre/testing/scope";
import { McpHttp, TestClient } from "./mcp-process.js";
import { eventually, processesOf } from "./processes-of.js";
import { StudyFolder } from "./study-folder.js";

/** More iterations than anybody waits for. */
const ENDLESS = { iterations: 1_000_000, scenarios: 3 };

/** Starts a run that does not end by itself, and waits until it has trained a little. */
async function startEndless(client: TestClient, ranks: number): Promise<void> {
  await client.get("start_run", { case: "small", output: "long", ranks });
  await eventually("two iterations", async () => {
    const { state, iteration, summary } = await client.get("run_status", { run: "long" });
    assert.equal(state, "running", summary);
    return iteration >= 2;
  });
}

/** A test that belongs to one part alone. */
const only = (isChosen: boolean) => (name: string, test: () => Promise<void>) => {
  if (isChosen) it(name, test);
};

describe("a run that is cancelled", { timeout: 300_000 }, () => {
  for (const ranks of inScope({ quick: [1], rest: [2, 3] })) {
    it(`is gone when the tool answers, and goes on with the same bits (${ranks} ranks)`, async () => {
      using folder = new StudyFolder();
      folder.addCase("small", ENDLESS);
      await using client = await TestClient.stdio("--root", folder.root, "--allow-run");
      await startEndless(client, ranks);
      const directory = folder.path("long");
      const processes = processesOf(directory);
      assert.ok(processes.length >= ranks);
      // A process that is stopped cannot finish its iteration first; it can only be killed.
      for (const { pid } of processes) process.kill(pid, "SIGSTOP");
      const cancelled = await client.get("cancel_run", { run: "long" });
      assert.deepEqual(processesOf(directory), [], "processes when the tool answers");
      assert.equal(cancelled.state, "cancelled");
      const kept = cancelled.checkpoint_iteration as number;
      assert.ok(kept >= 1);
      const again = await client.call("cancel_run", { run: "long" });
      assert.equal(again.isError, true);

      const iterations = kept + 2;
      const resumed = await client.get("start_run", {
        resume: "long",
        iterations,
        wait_seconds: 100,
      });
      assert.equal(resumed.state, "completed", resumed.summary);
      assert.equal(resumed.iteration, iterations);
      const whole = { case: "small", output: "whole", iterations, wait_seconds: 100 };
      assert.equal((await client.get("start_run", whole)).state, "completed");
      const { is_same, summary } = await client.get("compare_runs", { a: "long", b: "whole" });
      assert.ok(is_same, summary);
    });
  }

  only(runsQuick)("ends with the client over stdio, and can be resumed", async () => {
    using folder = new StudyFolder();
    folder.addCase("small", ENDLESS);
    {
      await using client = await TestClient.stdio("--root", folder.root, "--allow-run");
      await startEndless(client, 1);
    }
    await eventually("the end of the run", () => processesOf(folder.path("long")).length === 0);
    await using client = await TestClient.stdio("--root", folder.root, "--allow-run");
    const { state, checkpoint_iteration } = await client.get("run_status", { run: "long" });
    assert.equal(state, "interrupted");
    const { ended } = JSON.parse(readFileSync(folder.path("long/mcp/run.json"), "utf8"));
    assert.equal(ended?.why, "server_ended", "the server ended it, at once");
    assert.ok((checkpoint_iteration ?? 0) >= 1);
  });

  only(runsRest)("goes on without its client over HTTP, and another server finds it", async () => {
    using folder = new StudyFolder();
    folder.addCase("small", ENDLESS);
    {
      await using server = await McpHttp.start("--root", folder.root, "--allow-run");
      {
        await using client = await TestClient.http(server);
        await startEndless(client, 1);
      }
      await using client = await TestClient.http(server);
      assert.equal((await client.get("run_status", { run: "long" })).state, "running");
    }
    assert.equal(processesOf(folder.path("long")).length, 1);
    await using server = await McpHttp.start(
      "--root",
      folder.root,
      "--allow-run",
      "--max-runs",
      "1",
    );
    await using client = await TestClient.http(server);
    const [run] = (await client.get("list_runs")).runs;
    assert.equal(run?.state, "running");
    const more = await client.call("start_run", { case: "small", output: "more" });
    assert.match(more.text, /1 runs are under way, and this server allows 1/);
    assert.equal((await client.get("cancel_run", { run: "long" })).state, "cancelled");
    assert.deepEqual(processesOf(folder.path("long")), []);
  });

  only(runsRest)("is ended when its time is over", async () => {
    using folder = new StudyFolder();
    folder.addCase("small", ENDLESS);
    await using client = await TestClient.stdio("--root", folder.root, "--allow-run");
    const args = { case: "small", output: "long", max_minutes: 0.05, wait_seconds: 100 };
    assert.equal((await client.get("start_run", args)).state, "time_limit");
    assert.deepEqual(processesOf(folder.path("long")), []);
  });
});
