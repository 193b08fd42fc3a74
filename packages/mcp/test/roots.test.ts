/** Nothing outside of the roots is read or written, whatever clients ask for. */
import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Roots } from "#internal";
import { TestClient } from "./mcp-process.js";
import { StudyFolder } from "./study-folder.js";

const SECRET = "the-secret-of-another-folder";

describe("attempts to leave the roots", { timeout: 120_000 }, () => {
  const folder = new StudyFolder();
  const { root, outside } = folder;
  let client: TestClient;
  let listing: string[];

  before(async () => {
    folder.addCase("small", { iterations: 2, scenarios: 2 });
    folder.addCase("linked", { iterations: 2, scenarios: 2 });
    folder.addCase("nosy", { iterations: 2, scenarios: 2 });
    // Cases outside that could be used; the path of one begins like that of the root.
    for (const name of ["secret", "root-too"]) {
      cpSync(folder.path("small"), join(outside, name), { recursive: true });
      const hydros = join(outside, name, "system/hydros.json");
      writeFileSync(hydros, readFileSync(hydros, "utf8").replace("lake", SECRET));
    }
    symlinkSync(join(outside, "secret"), join(root, "door"));
    symlinkSync(outside, join(root, "up"));
    rmSync(join(root, "linked/config.json"));
    symlinkSync(join(outside, "secret/config.json"), join(root, "linked/config.json"));
    mkdirSync(join(root, "forged/mcp"), { recursive: true });
    writeFileSync(join(root, "forged/.cobre-run"), "");
    const state = {
      version: 1,
      case: join(outside, "secret"),
      pid: process.pid,
      began: "1",
      started_at: "2026-01-01",
      ranks: 1,
      settings: { set: [], iterations: null },
      events_from: 0,
      attempts: 1,
      minutes: 1,
      ended: null,
    };
    writeFileSync(join(root, "forged/mcp/run.json"), JSON.stringify(state));
    cpSync(join(root, "forged"), join(root, "misled"), { recursive: true });
    const set = [{ path: "policy.path", value: join(outside, "secret") }];
    const misled = { ...state, case: folder.path("small"), settings: { set, iterations: null } };
    writeFileSync(join(root, "misled/mcp/run.json"), JSON.stringify(misled));
    mkdirSync(join(root, "hollow"));
    symlinkSync(join(outside, "secret"), join(root, "hollow/mcp"));
    const nosy = JSON.parse(readFileSync(join(root, "nosy/config.json"), "utf8"));
    nosy.policy = { mode: "warm_start", path: "../../secret" };
    writeFileSync(join(root, "nosy/config.json"), JSON.stringify(nosy));
    listing = readdirSync(outside).sort();
    client = await TestClient.stdio("--root", root, "--allow-write", "--allow-run");
  });

  after(async () => {
    await client.client.close();
    folder[Symbol.dispose]();
  });

  const describing = (path: string) => ["describe_case", { case: path }] as const;
  const writing = (to: string) => ["vary_case", { case: "small", to, set: [] }] as const;
  const running = (output: string) => ["start_run", { case: "small", output }] as const;
  const policy = (path: string, value: unknown) =>
    ["start_run", { case: "small", output: "new", set: [{ path, value }] }] as const;
  const ATTEMPTS: readonly (readonly [string, object])[] = [
    describing("../secret"),
    describing(".."),
    describing("small/../../secret"),
    describing("small\\..\\..\\secret"),
    describing(join(outside, "secret")),
    describing(join(outside, "root-too")),
    describing(join(outside, "nothing-there")),
    describing("/etc"),
    describing("door"),
    describing("up/secret"),
    describing("linked"),
    describing("~"),
    describing("file:///etc"),
    describing("small\0/../../secret"),
    ["validate_case", { case: "linked" }],
    ["validate_case", { case: "nosy" }],
    ["vary_case", { case: "linked", to: "copied", set: [] }],
    ["vary_case", { case: "door", to: "copied", set: [] }],
    [
      "vary_case",
      {
        case: "small",
        to: "copied",
        set: [{ file: "../secret/config.json", path: "a", value: 1 }],
      },
    ],
    [
      "vary_case",
      { case: "small", to: "copied", set: [{ path: "policy.path", value: "../../secret" }] },
    ],
    writing("../copied"),
    writing("up/copied"),
    writing(join(outside, "copied")),
    writing("door/copied"),
    running("../copied"),
    running("up/copied"),
    running(join(outside, "copied")),
    policy("policy.path", join(outside, "secret")),
    policy("policy.boundary", { path: "../../secret", source_stage: 0 }),
    ["start_run", { case: "nosy", output: "new" }],
    ["start_run", { resume: "forged" }],
    ["start_run", { resume: "misled" }],
    ["cancel_run", { run: "forged" }],
    ["run_status", { run: "hollow" }],
    ["query_results", { run: "../secret", table: "costs" }],
    ["compare_runs", { a: "up", b: "up" }],
    ["render_chart", { run: "door", chart: "costs" }],
  ];

  for (const [name, args] of ATTEMPTS) {
    it(`${name} ${JSON.stringify(args).replaceAll(outside, "OUTSIDE")}`, async () => {
      const { isError, text } = await client.call(name, args as Record<string, unknown>);
      assert.equal(isError, true, text);
      assert.ok(!text.includes(SECRET), text);
      assert.deepEqual(readdirSync(outside).sort(), listing);
      assert.ok(!readdirSync(root).includes("new"));
    });
  }

  for (const run of ["..", "../secret", "door", "up"]) {
    it(`the resource of ${run}`, async () => {
      for (const file of ["stages", "summary", "../../secret/config.json"]) {
        const uri = `cobre://runs/${encodeURIComponent(run)}/${encodeURIComponent(file)}`;
        await assert.rejects(client.client.readResource({ uri }));
      }
    });
  }

  it("a link that is put in place of a file or folder while it is opened", async () => {
    const roots = new Roots([root]);
    const place = join(root, "turning");
    const aside = join(root, "aside");
    writeFileSync(join(outside, "secret/file.txt"), SECRET);
    mkdirSync(place);
    writeFileSync(join(place, "file.txt"), "honest");
    let isOver = false;
    const turn = async () => {
      while (!isOver) {
        renameSync(place, aside);
        symlinkSync("../secret", place);
        await new Promise(setImmediate);
        unlinkSync(place);
        renameSync(aside, place);
        await new Promise(setImmediate);
      }
    };
    const turning = turn();
    const seen = new Set<string>();
    for (let i = 0; i < 500; i++) {
      await roots.read("turning/file.txt").then(
        (bytes) => seen.add(bytes.toString()),
        (error: Error) => seen.add(error.name),
      );
    }
    isOver = true;
    await turning;
    const unexpected = [...seen].filter((one) => !["Refusal", "honest"].includes(one));
    assert.deepEqual(unexpected, []);
  });

  it("what is in the roots can be used", async () => {
    assert.match((await client.get("describe_case", { case: "small" })).summary, /12 stages/);
    assert.match((await client.get("describe_case", { case: folder.path("small") })).summary, /12/);
  });
});
