import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { decodePolicy } from "@cobre/sddp";
import { inScope, runsQuick, runsRest } from "@cobre/testing/scope";
import { CobreProcess, eventually, type Finished } from "./cobre-process.js";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

const ITERATIONS = 12;

let folder = "";
/** A case of enough iterations to be interrupted, with a checkpoint after each. */
let source = "";
/** What an undisturbed run of it leaves. */
let whole = "";

async function cobre(...args: string[]): Promise<Finished> {
  const process = CobreProcess.start(args);
  const finished = await process.finished;
  assert.deepEqual(process.marked(), [], "processes are left behind");
  return finished;
}

function writeCase(name: string, change: (config: Config) => void): string {
  const directory = join(folder, name);
  cpSync(join(EXAMPLES, "one-reservoir"), directory, { recursive: true });
  const file = join(directory, "config.json");
  const config: Config = JSON.parse(readFileSync(file, "utf8"));
  config.training.stopping_rules = [{ type: "iteration_limit", limit: ITERATIONS }];
  config.training.selection.forward_passes = 3;
  config.simulation.selection.num_scenarios = 8;
  config.policy = { checkpointing: { enabled: true, interval_iterations: 1 } };
  change(config);
  writeFileSync(file, JSON.stringify(config));
  return directory;
}

interface Config {
  training: {
    enabled?: boolean;
    stopping_rules: object[];
    selection: { forward_passes: number };
  };
  simulation: { selection: { num_scenarios: number } };
  policy: object;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-run-"));
  source = writeCase("case", () => {});
  whole = join(folder, "whole");
  const { code, stderr } = await cobre("run", source, "--output", whole);
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

const fresh = (name: string) => join(folder, name);

/** A run of it cannot end by itself: what happens to it is decided by the test. */
const writeEndlessCase = (name: string) =>
  writeCase(name, (config) => {
    config.training.stopping_rules = [{ type: "iteration_limit", limit: 100_000_000 }];
  });

/** How far the run in a directory has come. */
function iterationOf(output: string): number {
  const file = join(output, "policy/policy.bin");
  return decodePolicy(readFileSync(file), file).iteration;
}

/** Goes on with a run to a few iterations more; a run that was never stopped must have the same bits there. */
async function assertGoesOn(name: string, output: string, ...args: string[]): Promise<void> {
  const limit = iterationOf(output) + 3;
  const rest = writeCase(`${name}-rest`, (config) => {
    config.training.stopping_rules = [{ type: "iteration_limit", limit }];
  });
  const resumed = await cobre("run", rest, "-o", output, "--resume", ...args);
  assert.equal(resumed.code, 0, resumed.stderr);
  const undisturbed = fresh(`${name}-undisturbed`);
  assert.equal((await cobre("run", rest, "-o", undisturbed)).code, 0);
  assert.equal((await cobre("compare", undisturbed, output)).stdout, "the same bits\n");
}

async function assertSame(output: string): Promise<void> {
  const { code, stdout } = await cobre("compare", whole, output);
  assert.equal(stdout, "the same bits\n");
  assert.equal(code, 0);
}

describe("cobre run", { timeout: 300_000 }, () => {
  for (const backend of inScope({ quick: [], rest: ["tcp"] })) {
    it(`has the same bits with three ranks over ${backend}`, async () => {
      const output = fresh(backend);
      const { code } = await cobre("run", source, "-o", output, "-n", "3", "--backend", backend);
      assert.equal(code, 0);
      await assertSame(output);
    });
  }

  for (const signal of inScope({ quick: [], rest: ["SIGINT", "SIGTERM"] } as const)) {
    it(`stops at ${signal}, and goes on to the same bits with other ranks`, async () => {
      const output = fresh(`stopped-${signal}`);
      const endless = writeEndlessCase(`endless-${signal}`);
      const process = CobreProcess.start(["run", endless, "-o", output, "-n", "2"]);
      await eventually("a checkpoint", () => existsSync(join(output, "policy/policy.bin")));
      process.kill(signal);
      const { code, stdout } = await process.finished;
      assert.deepEqual(process.marked(), []);
      assert.equal(code, 5);
      assert.match(stdout, /interrupted after iteration \d+; continue with --resume/);
      assert.ok(!existsSync(join(output, "training/_SUCCESS")));
      const report = JSON.parse((await cobre("report", output, "--json")).stdout);
      assert.deepEqual([report.status, report.termination], ["interrupted", "interrupted"]);
      await assertGoesOn(`stopped-${signal}`, output, "-n", "3", "-b", "tcp");
    });
  }

  if (runsRest) {
    it("begins with the cuts of another policy, and simulates without training", async () => {
      const output = fresh("warm");
      const warm = writeCase("warm-case", (config) => {
        config.training.stopping_rules = [{ type: "iteration_limit", limit: 1 }];
        config.policy = { mode: "warm_start", path: join(whole, "policy") };
      });
      assert.equal((await cobre("run", warm, "-o", output, "-n", "2")).code, 0);
      const report = JSON.parse((await cobre("report", output, "--json")).stdout);
      const before = JSON.parse((await cobre("report", whole, "--json")).stdout);
      assert.ok(report.iterations === 1 && report.lower_bound >= before.lower_bound * (1 - 1e-9));
      const only = writeCase("simulated-case", (config) => {
        config.training.enabled = false;
        config.simulation.selection.num_scenarios = 3;
      });
      assert.equal((await cobre("run", only, "-o", output)).code, 0);
      assert.ok(existsSync(join(output, "training/_SUCCESS")), "training is still done");
      const simulated = JSON.parse((await cobre("report", output, "--json")).stdout);
      assert.equal(simulated.simulation.scenarios, 3);
      const none = await cobre("run", only, "-o", fresh("no-policy"));
      assert.equal(none.code, 4);
      assert.match(none.stderr, /policy.bin does not exist; train first/);
      assert.ok(!existsSync(fresh("no-policy")));
    });

    it("counts what another policy says of the time behind the last stage", async () => {
      // Cobre 0.18 finds the stage by its date; only an earlier case can name the first stage of the same year.
      const bounded = (name: string, path: string) => {
        const directory = join(folder, name);
        cpSync(join(EXAMPLES, "one-reservoir-0.5"), directory, { recursive: true });
        const file = join(directory, "config.json");
        const config = JSON.parse(readFileSync(file, "utf8"));
        config.training.stopping_rules = [{ type: "iteration_limit", limit: ITERATIONS }];
        config.simulation.num_scenarios = 8;
        config.policy = { boundary: { path, source_stage: 0 } };
        writeFileSync(file, JSON.stringify(config));
        return directory;
      };
      const directory = bounded("bounded-case", join(whole, "policy"));
      const [alone, together] = [fresh("bounded-alone"), fresh("bounded-together")];
      assert.equal((await cobre("run", directory, "-o", alone)).code, 0);
      assert.equal((await cobre("run", directory, "-o", together, "-n", "2")).code, 0);
      assert.equal((await cobre("compare", alone, together)).stdout, "the same bits\n");
      const report = JSON.parse((await cobre("report", alone, "--json")).stdout);
      const without = JSON.parse((await cobre("report", whole, "--json")).stdout);
      assert.ok(report.lower_bound > 1.1 * without.lower_bound, `${report.lower_bound}`);
      const nowhere = await cobre(
        "run",
        bounded("nowhere-case", "nowhere"),
        "-o",
        fresh("unbounded"),
      );
      assert.equal(nowhere.code, 4);
      assert.match(nowhere.stderr, /nowhere does not exist; .*policy.boundary.path/);
      assert.ok(!existsSync(fresh("unbounded")));
    });
  }

  if (!runsQuick) return;

  it("writes a log, results that say who made them, and the markers", async () => {
    const output = fresh("logged");
    const { stdout } = await cobre("run", source, "--output", output, "-n", "2");
    assert.match(stdout, /iteration +lower bound +forward mean/);
    assert.match(
      stdout,
      new RegExp(`^status +iteration_limit after ${ITERATIONS} iterations`, "m"),
    );
    assert.match(stdout, /2 × shm/);
    assert.ok(existsSync(join(output, "training/_SUCCESS")));
    assert.ok(existsSync(join(output, "simulation/_SUCCESS")));
    const report = JSON.parse((await cobre("report", output, "--json")).stdout);
    const other = JSON.parse((await cobre("report", whole, "--json")).stdout);
    assert.deepEqual(report.hashes, other.hashes);
    assert.deepEqual(
      [report.ranks, report.backend, other.ranks, other.backend],
      [2, "shm", 1, "local"],
    );
    const { iterations, solver, seed, termination, forward, simulation } = report;
    assert.deepEqual(
      [iterations, solver, seed, termination],
      [ITERATIONS, "highs-wasm", 42, "iteration_limit"],
    );
    assert.equal(forward.passes, 3);
    assert.ok(
      forward.mean > 0 && forward.ci95 > 0 && simulation.ci95 > 0 && report.lower_bound > 0,
    );
    assert.equal(simulation.scenarios, 8);
    await assertSame(output);
  });

  it("has one word for each thing, and calls no sample a bound", async () => {
    const single = writeCase("single", (config) => {
      config.training.selection.forward_passes = 1;
    });
    for (const [directory, passes] of [
      [source, "3 forward passes"],
      [single, "1 forward pass"],
    ] as const) {
      const output = fresh(`words-${passes.length}`);
      const { stdout } = await cobre("run", directory, "-o", output);
      assert.match(stdout, new RegExp(`^training +${passes}, `, "m"));
      assert.match(
        stdout,
        new RegExp(`^forward mean +\\S+.*, ${passes}: a sample, not a bound$`, "m"),
      );
      const { stdout: report } = await cobre("report", output, "--json");
      const words = `${stdout.replaceAll(folder, "")}${report}`;
      assert.doesNotMatch(words, /upper.?bound|\bpaths?\b/i);
      assert.match(stdout, /^system +1 hydro, \d+ thermals, 1 bus, 0 lines$/m);
    }
  });

  it("names the file of a subproblem that has no solution", async () => {
    const infeasible = writeCase("infeasible", () => {});
    // The lake begins with 140 hm³, which no inflow can make 320 in a month.
    mkdirSync(join(infeasible, "constraints"), { recursive: true });
    const bounds = "hydro_id,stage_id,min_storage_hm3\n0,0,320\n";
    writeFileSync(join(infeasible, "constraints/hydro_bounds.csv"), bounds);
    const { code, stderr } = await cobre("run", infeasible, "-o", fresh("infeasible-output"));
    assert.equal(code, 1);
    const [, lp = ""] = /(\/\S+stage_0\S+\.lp)/.exec(stderr) ?? [];
    assert.ok(existsSync(lp), stderr);
    assert.ok(!existsSync(join(fresh("infeasible-output"), "training/_SUCCESS")));
  });

  it("keeps what is in the output directory unless told otherwise", async () => {
    const { code, stderr } = await cobre("run", source, "-o", whole);
    assert.equal(code, 4);
    assert.match(stderr, /is not empty; .*--resume.*--overwrite.*--output/);
    assert.ok(existsSync(join(whole, "simulation/_SUCCESS")));
  });

  it("writes a page on request, and leaves none that shows other results", async () => {
    const output = fresh("page");
    const page = join(output, "report.html");
    const two = ["-n", "2", "--backend", "shm", "--output", output];
    const { code, stdout, stderr } = await cobre("run", source, ...two, "--report");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^report +.*report\.html \(\d\.\d MB\)$/m);
    assert.match(readFileSync(page, "utf8"), /2 × shm.*8 scenarios simulated/s);
    assert.equal((await cobre("run", source, ...two, "--overwrite")).code, 0);
    assert.equal(existsSync(page), false);
  });

  it("replaces results when asked to", async () => {
    const output = fresh("replaced");
    cpSync(whole, output, { recursive: true });
    const { code } = await cobre("run", join(EXAMPLES, "fast"), "-o", output, "--overwrite");
    assert.equal(code, 0);
    const different = await cobre("compare", whole, output);
    assert.equal(different.code, 1);
    assert.match(
      different.stdout,
      /^different: training\/convergence.parquet, row 1, lower_bound: /,
    );
  });

  it("lists every error of a case and leaves no output", async () => {
    const broken = writeCase("broken", () => {});
    writeFileSync(join(broken, "system/buses.json"), "{");
    rmSync(join(broken, "penalties.json"));
    for (const ranks of [[], ["-n", "2"]]) {
      const { code, stderr } = await cobre("run", broken, "-o", fresh("none"), ...ranks);
      assert.equal(code, 3);
      assert.match(stderr, /the case has 2 errors:\n.*penalties.json.*\n.*buses.json/);
      assert.doesNotMatch(stderr, / {4}at /);
      assert.ok(!existsSync(fresh("none")));
    }
    const validated = await cobre("validate", broken);
    assert.equal(validated.code, 3);
    assert.match(validated.stdout, /cannot be used: 2 errors, 0 warnings/);
  });

  it("refuses a policy that is damaged or of another case, and leaves it as it is", async () => {
    const output = fresh("damaged");
    cpSync(whole, output, { recursive: true });
    const other = await cobre("run", join(EXAMPLES, "fast"), "-o", output, "--resume");
    assert.equal(other.code, 4);
    assert.match(other.stderr, /of another case/);
    const file = join(output, "policy/policy.bin");
    writeFileSync(file, readFileSync(file).subarray(0, 1000));
    const { code, stderr } = await cobre("run", source, "-o", output, "-n", "2", "--resume");
    assert.equal(code, 4);
    assert.equal(stderr.match(/checksum/g)?.length, 1, stderr);
  });

  const mistakes: readonly [args: string[], message: RegExp][] = [
    [["run"], /missing required argument 'case'/],
    [["run", "x", "-n", "0"], /whole number/],
    [
      ["run", "x", "--solver", "magic"],
      /Allowed choices are highs, highs-wasm, highs-native, clp, auto/,
    ],
    [["run", "x", "--resume", "--overwrite"], /give only one of them/],
    [["run", "x", "-n", "2", "--backend", "pigeon"], /pigeon/],
  ];
  for (const [args, message] of mistakes) {
    it(`explains ${args.join(" ")}`, async () => {
      const { code, stderr } = await cobre(...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }
});

describe("cobre report and compare", () => {
  if (!runsQuick) return;

  it("say what is not the output of a run", async () => {
    for (const args of [
      ["report", EXAMPLES],
      ["compare", EXAMPLES, EXAMPLES],
    ]) {
      const { code, stderr } = await cobre(...args);
      assert.equal(code, 4);
      assert.match(stderr, /is not the output of a run/);
    }
  });
});
