/** Who may connect, what a server may do, and what it survives. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { describe, it } from "node:test";
import { Dice } from "@cobre/testing/fuzz";
import { inScope, runsQuick, runsRest } from "@cobre/testing/scope";
import { COBRE, McpHttp, TestClient } from "./mcp-process.js";
import { StudyFolder } from "./study-folder.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

/** Sends a request with exactly these headers. */
function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  method = "POST",
): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const common = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const sent = request(
      { hostname, port, path: pathname, method, headers: { ...common, ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A test that belongs to the quick part alone. */
function quickly(name: string, test: () => Promise<void>): void {
  if (runsQuick) it(name, test);
}

/** A test that belongs to the rest alone. */
function rarely(name: string, test: () => Promise<void>): void {
  if (runsRest) it(name, test);
}

describe("HTTP", { timeout: 120_000 }, () => {
  quickly("is for those who have the token, from this machine", async () => {
    using folder = new StudyFolder();
    await using server = await McpHttp.start("--root", folder.root);
    const { url, token } = server;
    const { port } = new URL(url);
    const body = JSON.stringify(INITIALIZE);
    const authorization = `Bearer ${token}`;
    const answers: [number, Record<string, string>][] = [
      [200, { authorization }],
      [200, { authorization, host: `localhost:${port}` }],
      [200, { authorization, origin: `http://127.0.0.1:${port}` }],
      [401, {}],
      [401, { authorization: "Bearer " }],
      [401, { authorization: `Bearer ${token}x` }],
      [401, { authorization: `Bearer ${token.slice(1)}` }],
      [401, { authorization: `Basic ${token}` }],
      [403, { authorization, host: "attacker.example" }],
      [403, { authorization, host: `attacker.example:${port}` }],
      [403, { authorization, host: "127.0.0.1" }],
      [403, { authorization, origin: "http://attacker.example" }],
      [403, { authorization, origin: "null" }],
      [403, { authorization, origin: `https://127.0.0.1:${port}` }],
      [404, { authorization, "mcp-session-id": "unknown" }],
    ];
    for (const [status, headers] of answers) {
      assert.equal(await post(url, body, headers), status, JSON.stringify(headers));
    }
    const large = post(url, "x".repeat(2_000_000), { authorization });
    assert.equal(await large.catch(() => 413), 413); // it may hang up before all is sent
    assert.equal(await post(url, "{", { authorization }), 400);
    assert.equal(await post(url, "[]", { authorization }), 400);
    assert.equal(await post(url, '{"method":"ping"}', { authorization }), 400);
    assert.equal(await post(url.replace("/mcp", "/other"), body, { authorization }), 404);
    assert.equal(await post(url, "", { authorization }, "TRACE"), 405);
    assert.ok(server.isAlive);
    await assert.rejects(TestClient.http(server, { token: "another-token-that-is-long" }));
    await using client = await TestClient.http(server);
    await using other = await TestClient.http(server, { revision: "single" });
    const both = await Promise.all([client, other].map((one) => one.get("list_cases")));
    assert.deepEqual(
      both.map(({ cases }) => cases),
      [[], []],
    );
  });

  rarely("runs cases for two clients at once", async () => {
    using folder = new StudyFolder();
    folder.addCase("small", { iterations: 2, scenarios: 2 });
    await using server = await McpHttp.start("--root", folder.root, "--allow-run");
    await using one = await TestClient.http(server);
    await using two = await TestClient.http(server, { revision: "single" });
    const args = (output: string) => ({ case: "small", output, wait_seconds: 100 });
    const [a, b] = await Promise.all([
      one.get("start_run", args("a")),
      two.get("start_run", args("b")),
    ]);
    assert.deepEqual([a.state, b.state], ["completed", "completed"]);
    // Each sees the run of the other.
    const [seen, other] = await Promise.all([one.get("list_runs"), two.get("list_runs")]);
    assert.deepEqual(seen, other);
    assert.equal((await two.get("compare_runs", { a: "a", b: "b" })).is_same, true);
  });
});

describe("a server", { timeout: 120_000 }, () => {
  quickly("does not write or run unless it may", async () => {
    using folder = new StudyFolder();
    folder.addCase("small", { iterations: 2, scenarios: 2 });
    await using client = await TestClient.stdio("--root", folder.root);
    const write = await client.call("vary_case", { case: "small", to: "new", set: [] });
    assert.match(write.text, /may not write.*--allow-write/);
    for (const [name, args] of [
      ["start_run", { case: "small" }],
      ["cancel_run", { run: "small" }],
    ] as const) {
      const { isError, text } = await client.call(name, args);
      assert.ok(isError);
      assert.match(text, /may not start or cancel runs.*--allow-run/);
    }
    assert.match(client.client.getInstructions() ?? "", /may not write new cases/);
    const wrong = await client.call("describe_case", { case: "small", also: 1 });
    assert.ok(wrong.isError, "unknown arguments are refused");
  });

  for (const seed of inScope({ quick: [1], rest: [2, 3, 4, 5, 6] })) {
    it(`survives lines that are no messages, seed ${seed}`, async () => {
      using folder = new StudyFolder();
      const child = spawn(process.execPath, [COBRE, "mcp", "--root", folder.root], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      try {
        const dice = new Dice(seed);
        for (let line = 0; line < 300; line++) child.stdin.write(`${garbage(dice)}\n`);
        child.stdin.write(`${JSON.stringify({ ...INITIALIZE, id: "the-end" })}\n`);
        let told = "";
        for await (const chunk of child.stdout) {
          told += chunk;
          if (/"id":"the-end"/.test(told)) break;
        }
        assert.match(told, /"serverInfo":\{"name":"cobre"/);
        child.stdin.end();
        assert.deepEqual(await once(child, "exit"), [0, null]);
      } finally {
        child.kill("SIGKILL");
      }
    });
  }
});

/** A message with something wrong in it, or no message at all. */
function garbage(dice: Dice): string {
  const text = JSON.stringify({
    jsonrpc: dice.pick(["2.0", "1.0", 2, null]),
    id: dice.pick([1, "a", null, {}, -1, 1e99]),
    method: dice.pick([
      "tools/call",
      "tools/list",
      "initialize",
      "ping",
      "no/such",
      5,
      "resources/read",
    ]),
    params: dice.pick([
      null,
      [],
      {},
      { name: "list_cases", arguments: 5 },
      { name: "describe_case", arguments: { case: {} } },
      { name: "__proto__" },
      { uri: "cobre://runs/%ff/summary" },
      { name: "query_results", arguments: { run: "x", table: "costs", limit: 1e9 } },
    ]),
  });
  const place = dice.below(text.length);
  return dice.pick([
    text,
    text.slice(0, place),
    text.slice(0, place) + String.fromCharCode(32 + dice.below(90)) + text.slice(place + 1),
    "\u0000".repeat(5),
    "[".repeat(2000),
    "",
    "null",
  ]);
}
