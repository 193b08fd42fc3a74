/** A whole study, by the client of the SDK, over both ways to connect. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inScope } from "@cobre/testing/scope";
import { McpHttp, type Revision, TestClient } from "./mcp-process.js";
import { StudyFolder } from "./study-folder.js";

const RIGHTS = ["--allow-write", "--allow-run"];

/** The same study for every way to connect. */
async function study(client: TestClient, ranks: number): Promise<void> {
  const { cases } = await client.get("list_cases");
  assert.deepEqual(cases, [{ case: "small" }]);

  const described = await client.get("describe_case", { case: "small" });
  assert.equal(described.hydros.length, 1);
  assert.match(described.summary, /12 stages/);

  assert.equal((await client.get("validate_case", { case: "small" })).valid, true);

  const varied = await client.get("vary_case", {
    case: "small",
    to: "dear",
    set: [
      { path: "training.selection.forward_passes", value: 3 },
      { file: "system/thermals.json", path: "thermals.0.cost_per_mwh", value: 100 },
    ],
  });
  assert.equal(varied.case, "dear");
  assert.equal(varied.changed.length, 2);
  assert.match(
    (await client.call("vary_case", { case: "small", to: "dear", set: [] })).text,
    /exists already/,
  );

  const messages: string[] = [];
  const started = await client.call(
    "start_run",
    { case: "small", output: "base", ranks, wait_seconds: 100 },
    (message) => messages.push(message),
  );
  assert.equal(started.isError, false, started.text);
  assert.equal(started.data.state, "completed", started.text);
  assert.equal(started.data.iteration, 4);
  assert.ok(
    messages.some((message) => /^iteration \d+: the bound is /.test(message)),
    messages.join("\n"),
  );
  const other = await client.get("start_run", { case: "dear", wait_seconds: 100 });
  assert.equal(other.run, "dear-run-1");
  assert.equal(other.state, "completed");
  assert.deepEqual((await client.get("list_runs")).runs.map(({ run }) => run).sort(), [
    "base",
    "dear-run-1",
  ]);

  const convergence = await client.get("get_convergence", { run: "base" });
  assert.equal(convergence.iterations, 4);
  assert.equal(convergence.points.length, 4);
  assert.equal(convergence.lower_bound, started.data.lower_bound);

  const page = await client.get("query_results", {
    run: "base",
    table: "hydros",
    group_by: ["stage_id"],
    statistics: [
      { column: "storage_final_hm3", of: "mean" },
      { column: "storage_final_hm3", of: "count" },
    ],
    limit: 5,
  });
  assert.equal(page.rows.length, 5);
  assert.equal(page.total, 12);
  assert.equal(page.next_offset, 5);
  assert.equal(page.rows[0]?.[2], 6, "one value for each scenario");
  assert.equal(page.columns[1]?.unit, "hm3");

  const policy = await client.get("inspect_policy", { run: "base" });
  const stage = policy.stages[0]?.stage;
  const asked = { run: "base", stage };
  const low = await client.get("get_water_value", { ...asked, storages: { 0: 10 } });
  const high = await client.get("get_water_value", { ...asked, storages: { 0: 20 } });
  const value = low.reservoirs[0]?.water_value_per_hm3 as number;
  assert.ok(value >= 0);
  // The function is convex: its slope at 10 bounds what 10 hm³ more save.
  assert.ok(low.future_cost - high.future_cost <= 10 * value * (1 + 1e-9) + 1e-6);

  const explained = await client.get("explain_stage", { run: "base", scenario: 0, stage });
  assert.equal(explained.water_values.length, 1);
  assert.ok(explained.prices.length > 0);

  const compared = await client.get("compare_runs", { a: "base", b: "dear-run-1" });
  assert.equal(compared.is_same, false);
  assert.ok(compared.quantities.some(({ name }) => name === "mean simulated cost"));
  assert.equal((await client.get("compare_runs", { a: "base", b: "base" })).is_same, true);

  const drawn = await client.get("render_chart", {
    run: "base",
    chart: "convergence",
    format: "svg",
  });
  assert.match(drawn.svg, /^<svg xmlns/);
  assert.ok(!drawn.svg.includes("var("), "colours are plain");
  assert.match((await client.get("get_schema", { file: "config" })).summary, /config\.json/);
  const required = async (dialect?: string) => {
    const { schema } = await client.get("get_schema", { file: "config", dialect });
    return schema.properties.training?.required;
  };
  assert.deepEqual(await required(), ["selection", "stopping_rules"]);
  assert.deepEqual(await required("0.5"), ["forward_passes", "stopping_rules"]);
  const docs = await client.get("search_docs", { query: "warm start foreign cuts" });
  assert.equal(docs.passages[0]?.page, "cobre://docs/policy-format");

  const { resources } = await client.client.listResources();
  const uri = resources.find(({ uri }) => uri.startsWith("cobre://runs/base/"))?.uri as string;
  const { contents } = await client.client.readResource({ uri });
  assert.equal(JSON.parse((contents[0] as { text: string }).text).iterations, 4);
  const page2 = await client.client.readResource({ uri: "cobre://docs/outputs" });
  assert.match((page2.contents[0] as { text: string }).text, /^# The output directory/);
  const prompt = await client.client.getPrompt({
    name: "diagnose_convergence",
    arguments: { run: "base" },
  });
  assert.match(JSON.stringify(prompt.messages), /get_convergence/);
}

describe("a study over MCP", { timeout: 300_000 }, () => {
  const lines = inScope({
    quick: [{ way: "http", revision: "sessions", ranks: 1 }],
    rest: [
      { way: "stdio", revision: "sessions", ranks: 1 },
      { way: "stdio", revision: "single", ranks: 2 },
      { way: "http", revision: "sessions", ranks: 3 },
      { way: "http", revision: "single", ranks: 1 },
    ],
  });
  for (const { way, revision, ranks } of lines) {
    it(`over ${way} (${revision}), runs with ${ranks} ranks`, async () => {
      using folder = new StudyFolder();
      folder.addCase("small", { iterations: 4, scenarios: 6 });
      if (way === "stdio") {
        await using client = await TestClient.stdioAt(
          revision as Revision,
          "--root",
          folder.root,
          ...RIGHTS,
        );
        await study(client, ranks);
      } else {
        await using server = await McpHttp.start("--root", folder.root, ...RIGHTS);
        await using client = await TestClient.http(server, { revision: revision as Revision });
        await study(client, ranks);
      }
    });
  }
});
