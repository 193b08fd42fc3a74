/** A warm start, as a person meets it: killed and resumed, or from a policy of other data. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CobreProcess, eventually } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

let folder = "";
/** A trained policy, a case that starts with its cuts, and what an undisturbed run of it leaves. */
let trained = "";
let source = "";
let whole = "";

async function run(...args: string[]) {
  const finished = await CobreProcess.start(["run", ...args]).finished;
  assert.equal(finished.code, 0, finished.stderr);
  return finished;
}

const metadata = (output: string) =>
  JSON.parse(readFileSync(join(output, "training/metadata.json"), "utf8"));

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-warm-"));
  trained = join(folder, "trained");
  const size = { iterations: 3, scenarios: 2 };
  await run(copyExample("sddp-tutorial", join(folder, "cold"), size), "-o", trained);
  source = copyExample("sddp-tutorial", join(folder, "warm"), size, (config) => {
    config.policy = { mode: "warm_start", path: join(trained, "policy") };
  });
  whole = join(folder, "whole");
  const { stdout } = await run(source, "-o", whole);
  assert.match(stdout, /warm start with \d+ cuts/);
  assert.doesNotMatch(stdout, /estimate/);
  assert.deepEqual(metadata(whole).convergence.lower_bound_caveats, []);
});
after(() => rmSync(folder, { recursive: true }));

async function sameAsWhole(output: string): Promise<void> {
  const { stdout } = await CobreProcess.start(["compare", whole, output]).finished;
  assert.equal(stdout, "the same bits\n");
}

describe("a warm start", { timeout: 300_000 }, () => {
  it("that was killed before a checkpoint is resumed with its cuts, even if their file is gone", async () => {
    const [output, events] = [join(folder, "killed"), join(folder, "events")];
    const endless = join(folder, "endless.json");
    const rules = [{ type: "iteration_limit", limit: 1_000_000 }];
    writeFileSync(endless, JSON.stringify({ training: { stopping_rules: rules } }));
    const args = ["run", source, "-o", output, "--config", endless, "--events", events];
    const process = CobreProcess.start(args);
    const told = () => (existsSync(events) ? readFileSync(events, "utf8") : "");
    await eventually("an iteration", () => told().includes("iteration_done"));
    process.kill("SIGKILL");
    await process.finished;
    const elsewhere = join(folder, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify({ policy: { path: join(folder, "nowhere") } }));
    await run(source, "-o", output, "--resume", "--config", elsewhere);
    await sameAsWhole(output);
  });

  it("that was killed before it wrote anything begins again with its cuts", async () => {
    const output = join(folder, "nothing");
    await run(source, "-o", output, "--resume");
    await sameAsWhole(output);
  });

  it("from a policy of other data says that its bound is an estimate", async () => {
    const size = { iterations: 3, scenarios: 2 };
    const other = copyExample("sddp-tutorial", join(folder, "other"), size, (config) => {
      config.policy = { mode: "warm_start", path: join(trained, "policy") };
    });
    const file = join(other, "constraints/thermal_bounds.csv");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("150", "10"));
    const output = join(folder, "estimate");
    const { stdout } = await run(other, "-o", output);
    assert.match(stdout, /the lower bound is an estimate.*\nthe stages of these cuts: 0, 1\n/);
    assert.match(stdout, /lower bound {4}\S+ \(an estimate/);
    assert.deepEqual(metadata(output).convergence.lower_bound_caveats, ["foreign_cuts"]);
    const { stdout: report } = await CobreProcess.start(["report", output, "--json"]).finished;
    assert.deepEqual(JSON.parse(report).lower_bound_caveats, ["foreign_cuts"]);
  });
});
