/** What a run says of its progress is not more than it knows. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readOutputTable } from "@cobre/io";
import { RunLog } from "../dist/run/log.js";
import { CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

const EARLIER = fileURLToPath(
  new URL("../../../examples/cases/one-reservoir-0.5", import.meta.url),
);

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-progress-"));
});
after(() => rmSync(folder, { recursive: true }));

const SIZE = { iterations: 2, scenarios: 2 };

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await CobreProcess.start(["run", ...args]).finished;
  assert.equal(code, 0, stderr);
  return stdout;
}

describe("a run that ends when all rules hold", () => {
  it("shows no time left, which it cannot know, and no limit", async () => {
    // In a case for Cobre 0.18 the limit of iterations ends training in any case.
    const rules = [
      { type: "iteration_limit", limit: SIZE.iterations },
      { type: "bound_stalling", iterations: 4, tolerance: 0.5 },
    ];
    const settings = [
      "training.stopping_mode=all",
      `training.stopping_rules=${JSON.stringify(rules)}`,
      "simulation.enabled=false",
    ].flatMap((setting) => ["--set", setting]);
    const events = join(folder, "events");
    const output = join(folder, "out");
    const stdout = await run(EARLIER, ...settings, "-o", output, "--events", events);
    const rows = stdout.split("\n").filter((line) => /^ +\d+ /.test(line));
    assert.ok(rows.length >= 2, stdout);
    const lastRow = rows.at(-1) ?? "";
    assert.ok(Number(/\d+/.exec(lastRow)?.[0]) > SIZE.iterations, lastRow);
    // The last column but one is the time; a single " s" means that the last one is empty.
    for (const row of rows) assert.equal(row.split(" s").length, 2, row);
    const [started] = readFileSync(events, "utf8")
      .split("\n")
      .filter((line) => line.includes("run_started"));
    assert.equal(JSON.parse(started ?? "").iterationLimit, null);
  });
});

describe("a run with a risk measure", () => {
  it("has no gap: its bound is risk-adjusted, its mean is not", async () => {
    const source = copyExample("sddp-tutorial", join(folder, "risk"), SIZE);
    const output = join(folder, "risk-out");
    await run(source, "-o", output);
    const gaps = async () =>
      (await readOutputTable(join(output, "training/convergence.parquet"))).map(
        ({ gap_percent }) => gap_percent,
      );
    const finalGap = () =>
      JSON.parse(readFileSync(join(output, "training/metadata.json"), "utf8")).convergence
        .final_gap_percent;
    assert.ok((await gaps()).every((gap) => typeof gap === "number"));
    assert.equal(typeof finalGap(), "number");
    const file = join(source, "stages.json");
    const stages = JSON.parse(readFileSync(file, "utf8"));
    for (const stage of stages.stages) stage.risk_measure = { cvar: { alpha: 0.5, lambda: 0.5 } };
    writeFileSync(file, JSON.stringify(stages));
    await run(source, "-o", output, "--overwrite");
    assert.deepEqual(await gaps(), [null, null]);
    assert.equal(finalGap(), null);
  });
});

describe("an iteration in which programs were solved again", () => {
  it("is marked, whichever rank solved them", async () => {
    const source = copyExample("one-reservoir", join(folder, "retried"), SIZE);
    const hook = new URL("./retry-sometimes.js", import.meta.url).href;
    const args = ["run", source, "-n", "2", "-o", join(folder, "retried-out")];
    const env = { NODE_OPTIONS: `--import ${hook}` };
    const { code, stdout, stderr } = await CobreProcess.start(args, { env }).finished;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ +1† +\S+/m);
    assert.match(stdout, /^† some linear programs of the iteration were solved again/m);
    const plain = await run(source, "-o", join(folder, "unmarked"));
    assert.doesNotMatch(plain, /†/);
  });
});

describe("the log", () => {
  it("tells that stored bases do not fit the programs any more", () => {
    let said = "";
    const run = { header: [], title: { name: "case", details: [] }, resume: undefined };
    const log = new RunLog({ write: (text) => (said += text) }, run);
    log.onEvent({ type: "bases_replaced", stageIds: [3, 4] });
    assert.match(said, /^the programs of 2 stages have changed since training: .*slack bases\n$/);
  });
});
