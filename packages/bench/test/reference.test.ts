/** What the benchmark needs of the Rust program, without having it: how it is found, how a case is written for it, and what is read of a run. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalCommunicator } from "@cobre/comm";
import { readOutputTable } from "@cobre/io";
import { loadCase, train } from "@cobre/sddp";
import { type TrainingContestant, trainingContestants } from "../dist/reference/contestants.js";
import { describe as describeOutcomes } from "../dist/reference/describe.js";
import { readExample, writeExample } from "../dist/reference/example-case.js";
import { findReference } from "../dist/reference/find-program.js";
import { writeForReference } from "../dist/reference/reference-case.js";
import { secondsToBound, secondsToIteration } from "../dist/reference/trajectory.js";
import { sameProblem } from "../dist/reference/variant.js";

const EXAMPLE = fileURLToPath(new URL("../../../examples/cases/four-regions", import.meta.url));
const RUST_SAYS = "cobre   v0.18.0\nsolver: HiGHS 1.13.1\nbuild:  release (lto=thin)\n";
const WE_SAY = "cobre    0.1.0\nNode.js  20.0.0 on linux x64\nHiGHS    1.15.1\n";

const folder = mkdtempSync(join(tmpdir(), "cobre-reference-"));
after(() => rmSync(folder, { recursive: true }));

/** A folder with a `cobre` that answers `version` with this text. */
function folderWith(name: string, says: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "cobre"), `#!/bin/sh\ncat <<'END'\n${says}END\n`, { mode: 0o755 });
  return path;
}

describe("finding the Rust program", () => {
  const rust = folderWith("rust", RUST_SAYS);
  const ours = folderWith("ours", WE_SAY);
  const older = folderWith("older", RUST_SAYS.replace("0.18.0", "0.5.1"));
  const PATH = process.env.PATH ?? "";

  it("takes the one on PATH, and not ours", async () => {
    const found = await findReference({ PATH: `${ours}:${rust}:${PATH}` });
    assert.deepEqual(found, { command: [join(rust, "cobre")], version: "0.18.0" });
  });

  it("takes the one of COBRE_RS", async () => {
    const found = await findReference({ PATH: ours, COBRE_RS: join(rust, "cobre") });
    assert.deepEqual(found, { command: [join(rust, "cobre")], version: "0.18.0" });
  });

  it("takes a Python that has its package", async () => {
    const python = join(folder, "python3.12");
    writeFileSync(python, `#!/bin/sh\nprintf 'cobre   v0.18.0\\nbuild: %s\\n' "$2"\n`, {
      mode: 0o755,
    });
    const found = await findReference({ COBRE_RS: python, PATH });
    assert.ok("command" in found);
    assert.equal(found.command[0], python);
    assert.match(found.command[1] ?? "", /peers\/cobre-rs\.py$/);
  });

  it("says what it found and how to have it", async () => {
    const found = await findReference({ PATH: ours });
    assert.ok("missing" in found);
    assert.match(found.missing, /ours\/cobre is another program; install it with `cargo install/);
    const other = await findReference({ COBRE_RS: join(older, "cobre") });
    assert.ok("missing" in other);
    assert.match(other.missing, /is version 0\.5\.1, and the case is written for 0\.18/);
    const nowhere = await findReference({ COBRE_RS: join(folder, "nowhere") });
    assert.ok("missing" in nowhere);
    assert.match(nowhere.missing, /nowhere is not installed/);
  });
});

describe("the example for both programs", () => {
  it("is read and written without a change", async () => {
    const path = join(folder, "four-regions");
    writeExample(readExample(EXAMPLE), path);
    const [{ study, uncertainty }, original] = [await loadCase(path), await loadCase(EXAMPLE)];
    assert.deepEqual(study, original.study);
    assert.deepEqual(uncertainty, original.uncertainty);
  });

  it("is the same problem for both: dear inflows, the same in every year, some stages", async () => {
    const path = join(folder, "same-problem");
    writeExample(sameProblem(readExample(EXAMPLE), { stages: 3, openings: 5 }), path);
    const { study } = await loadCase(path);
    assert.deepEqual(
      study.time.stages.map(({ openings }) => openings),
      [5, 5, 5],
    );
    const penalties = JSON.parse(readFileSync(join(path, "penalties.json"), "utf8"));
    assert.equal(penalties.hydro.inflow_nonnegativity_cost, 12000);
    const table = sameProblem(readExample(EXAMPLE)).tables["scenarios/inflow_ar_coefficients"];
    assert.ok(table !== undefined);
    assert.deepEqual(table.columns, ["hydro_id", "stage_id", "lag", "coefficient"]);
    // January of the first year, and of the second, which has 0.673 in the example.
    for (const stage of [0, 12]) {
      assert.deepEqual(table.rows[stage]?.slice(1), [stage, 1, 0.7]);
    }
  });

  it("is refused if it has a file that the benchmark does not know", () => {
    const path = join(folder, "with-more");
    writeExample(readExample(EXAMPLE), path);
    mkdirSync(join(path, "constraints"));
    writeFileSync(join(path, "constraints/hydro_bounds.csv"), "hydro_id,stage_id\n");
    assert.throws(() => readExample(path), /constraints\/hydro_bounds\.csv .* does not know/);
  });
});

describe("the example as the Rust program reads it", () => {
  const path = join(folder, "for-reference");
  const source = sameProblem(readExample(EXAMPLE), { stages: 2 });
  writeForReference(source, path, { iterations: 7, selection: "level1", scenarios: 0 });
  const read = (file: string) => JSON.parse(readFileSync(join(path, file), "utf8"));

  it("says how to train, and nothing else", () => {
    assert.deepEqual(read("config.json"), {
      training: {
        selection: { method: "sampled", forward_passes: 4 },
        stopping_rules: [{ type: "iteration_limit", limit: 7 }],
        tree_seed: 42,
        cut_selection: { selection: { method: "level1" } },
      },
      modeling: { inflow_non_negativity: { method: "penalty" } },
      simulation: { enabled: false },
    });
    const files = readdirSync(path, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      assert.ok(!("$schema" in read(file)), file);
    }
  });

  it("has the month before the study, whose statistics the first lag needs", () => {
    assert.deepEqual(read("stages.json").pre_study_stages, [
      { id: -1, start_date: "2024-12-01", end_date: "2025-01-01", season_id: 11 },
    ]);
    // Not if the study has a December of its own, whose model it would change.
    const whole = join(folder, "whole");
    writeForReference(sameProblem(readExample(EXAMPLE)), whole, { iterations: 1, scenarios: 5 });
    const ofWhole = (file: string) => JSON.parse(readFileSync(join(whole, file), "utf8"));
    assert.equal(ofWhole("stages.json").pre_study_stages, undefined);
    const simulation = { enabled: true, selection: { method: "sampled", num_scenarios: 5 } };
    assert.deepEqual(ofWhole("config.json").simulation, simulation);
  });

  it("has the tables as Parquet, with a load for every bus", async () => {
    const table = (name: string) => readOutputTable(join(path, "scenarios", `${name}.parquet`));
    const loads = await table("load_seasonal_stats");
    assert.deepEqual(loads[0], { bus_id: 0, stage_id: 0, mean_mw: 38325, std_mw: 0 });
    assert.deepEqual(loads.slice(-2), [
      { bus_id: 4, stage_id: 0, mean_mw: 0, std_mw: 0 },
      { bus_id: 4, stage_id: 1, mean_mw: 0, std_mw: 0 },
    ]);
    const inflows = await table("inflow_seasonal_stats");
    assert.equal(inflows.length, 12);
    assert.deepEqual(inflows[0], { hydro_id: 0, stage_id: -1, mean_m3s: 37565, std_m3s: 9016 });
    assert.equal((await table("inflow_ar_coefficients")).length, 8);
  });

  it("is the same problem to us as well", async () => {
    const boundOf = async (directory: string): Promise<number> => {
      const stopping_rules = [{ type: "iteration_limit", limit: 3 }];
      using comm = new LocalCommunicator();
      const settings = { training: { stopping_rules, cut_selection: null } };
      return (await train(comm, await loadCase(directory, settings))).lowerBound;
    };
    const own = join(folder, "for-us");
    writeExample(source, own);
    assert.equal(await boundOf(path), await boundOf(own));
  });
});

describe("the figures of both programs", () => {
  const contestant = (name: string, isReference: boolean, selection: "none" | "level1") => ({
    ...{ name, isReference, selection },
    train: () => Promise.reject(new Error("is not run")),
  });
  /** A training of two iterations, so many seconds each. */
  const outcome = (seconds: number, bounds: readonly [number, number]) => ({
    seconds: 3 * seconds,
    simulationSeconds: seconds / 4,
    peaksMiB: [100, 50],
    trajectory: bounds.map((lowerBound, i) => ({
      iteration: i + 1,
      seconds: (i + 1) * seconds,
      lowerBound,
      lps: 10,
      simplexIterations: 20,
    })),
  });

  it("are compared with the same selection, and to the bound of the fastest of theirs", () => {
    const lines = describeOutcomes(
      new Map<TrainingContestant, ReturnType<typeof outcome>[]>([
        [contestant("rust all", true, "none"), [outcome(4, [1, 9])]],
        [contestant("rust few", true, "level1"), [outcome(2, [1, 8])]],
        [contestant("ours all", false, "none"), [outcome(3, [8, 9])]],
        [contestant("ours few", false, "level1"), [outcome(1, [1, 7])]],
      ]),
      { workers: 1, marks: [1, 2], scenarios: 100 },
    );
    assert.match(
      lines[0] ?? "",
      /2 iterations, one process; .* target: 8\.0000000, the bound of rust few/,
    );
    const rows = (lines[1] ?? "")
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()));
    assert.equal(rows[0]?.[5], "100 scenarios");
    assert.deepEqual(rows[4]?.slice(1, -1), [
      ...["ours all", "3.00", "6.00", "3.00", "0.75"],
      ...["9.0000000", "10", "20", "150"],
    ]);
    assert.deepEqual(rows[5]?.slice(1, 5), ["ours few", "1.00", "2.00", "never"]);
    assert.deepEqual(lines.slice(2), [
      "ours all: 0.75 of the time of rust few to the target; beside rust all 0.75 to iteration 2, 0.75 to simulate and write",
      "ours few: does not reach the target in 2 iterations; beside rust few 0.50 to iteration 2, 0.50 to simulate and write",
    ]);
  });
});

describe("the course of a training", () => {
  const moment = { lps: 0, simplexIterations: 0 };
  const trajectory = [
    { iteration: 1, seconds: 2, lowerBound: 10, ...moment },
    { iteration: 2, seconds: 5, lowerBound: 30, ...moment },
    { iteration: 3, seconds: 9, lowerBound: 30, ...moment },
  ];

  it("tells the time to an iteration and to a bound", () => {
    assert.equal(secondsToIteration(trajectory, 3), 9);
    assert.equal(secondsToIteration(trajectory, 4), undefined);
    assert.equal(secondsToBound(trajectory, 30), 5);
    assert.equal(secondsToBound(trajectory, 30.1), undefined);
  });

  it("is read from a run of ours, with its memory", async () => {
    const nobody = { command: ["cobre"], version: "0.18.0" } as const;
    const contestants = await trainingContestants(nobody, ["none"], () => {});
    const ours = contestants.find(({ name }) => name === "ours, highs-wasm, none");
    assert.ok(ours !== undefined);
    const source = sameProblem(readExample(EXAMPLE), { stages: 2 });
    const run = join(folder, "run");
    const setting = { folder: run, iterations: 2, workers: 1, scenarios: 3 };
    const outcome = await ours.train(source, setting);
    const [first, last] = outcome.trajectory;
    assert.ok(first !== undefined && last !== undefined && outcome.trajectory.length === 2);
    assert.ok(last.seconds >= first.seconds && last.lowerBound >= first.lowerBound);
    // Two stages: 4 forward passes, 4 x 10 openings of the second stage, and the 10 of the first for the bound.
    assert.deepEqual([first.lps, last.lps], [58, 116]);
    assert.ok(last.simplexIterations > first.simplexIterations);
    assert.ok(outcome.seconds > 0 && (outcome.peaksMiB[0] ?? 0) > 20);
    assert.ok((outcome.simulationSeconds ?? 0) > 0);
    const without = { ...setting, folder: join(folder, "run without"), scenarios: 0 };
    assert.equal((await ours.train(source, without)).simulationSeconds, undefined);
  });
});
