/** The output directory: its files, their columns, and what they say. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type OutputCell, readOutputTable, TABLES } from "@cobre/io";
import { CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { filesOf } from "./results.js";

const DOCUMENT = fileURLToPath(new URL("../../../docs/outputs.md", import.meta.url));

let folder = "";
let source = "";
/** The results of one process and of three ranks. */
let alone = "";
let together = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-outputs-"));
  source = copyFourRegions(join(folder, "case"), { states: true, stochastic: true });
  alone = join(folder, "alone");
  together = join(folder, "together");
  await run(source, "-o", alone);
  await run(source, "-o", together, "-n", "3");
});
after(() => rmSync(folder, { recursive: true }));

function copyFourRegions(directory: string, exports: object): string {
  const size = { iterations: 3, scenarios: 4 };
  return copyExample("four-regions", directory, size, (config) => {
    config.exports = exports;
  });
}

async function cobre(...args: string[]) {
  const process = CobreProcess.start(args);
  const finished = await process.finished;
  assert.deepEqual(process.marked(), [], "processes are left behind");
  return finished;
}

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await cobre("run", ...args);
  assert.equal(code, 0, stderr);
}

const json = (directory: string, name: string) =>
  JSON.parse(readFileSync(join(directory, name), "utf8"));
const table = (directory: string, name: string) =>
  readOutputTable(join(directory, `${name}.parquet`));

/** The table that a file is a part of, as the data dictionary calls it. */
const tableOfFile = (file: string) =>
  file
    .replace(/\/scenarios_\d+-\d+\.parquet$/, "")
    .replace(/\/stage_\d+\.parquet$/, "")
    .replace(/\.parquet$/, "");

describe("the output directory", { timeout: 300_000 }, () => {
  it("has the documented files, with one of each table for each rank", () => {
    const tables = ["buses", "costs", "exchanges", "hydros", "inflow_lags", "thermals"];
    const stages = Array.from({ length: 24 }, (_, i) => `stage_${String(i).padStart(3, "0")}`);
    const expected = (ranges: readonly string[]) =>
      [
        ".cobre-run",
        "policy/policy.bin",
        ...stages.map((stage) => `policy/states/${stage}.parquet`),
        ...tables.flatMap((name) =>
          ranges.map((range) => `simulation/${name}/scenarios_${range}.parquet`),
        ),
        "simulation/_SUCCESS",
        "simulation/metadata.json",
        "simulation/scenario_summary.parquet",
        "simulation/solver/iterations.parquet",
        "simulation/solver/retry_histogram.parquet",
        "simulation/timing/collectives.parquet",
        "stochastic/correlation.json",
        "stochastic/inflow_ar_coefficients.parquet",
        "stochastic/inflow_seasonal_stats.parquet",
        "stochastic/load_seasonal_stats.parquet",
        "stochastic/noise_openings.parquet",
        "training/_SUCCESS",
        "training/convergence.parquet",
        "training/dictionaries/bounds.parquet",
        "training/dictionaries/codes.json",
        "training/dictionaries/entities.csv",
        "training/dictionaries/stages.json",
        "training/dictionaries/state_dictionary.json",
        "training/dictionaries/variables.csv",
        "training/metadata.json",
        "training/model_provenance.json",
        "training/scaling_report.json",
        "training/solver/iterations.parquet",
        "training/solver/retry_histogram.parquet",
        "training/timing/collectives.parquet",
        "training/timing/iterations.parquet",
        "training/timing/mpi_ranks.parquet",
      ].sort();
    assert.deepEqual(filesOf(alone), expected(["0000-0003"]));
    assert.deepEqual(filesOf(together), expected(["0000-0000", "0001-0001", "0002-0003"]));
  });

  it("has tables with the columns of the data dictionary, and gaps only where it says so", async () => {
    const dictionary = readFileSync(join(alone, "training/dictionaries/variables.csv"), "utf8");
    for (const file of filesOf(together).filter((name) => name.endsWith(".parquet"))) {
      const name = tableOfFile(file);
      const spec = TABLES[name] ?? assert.fail(`${name} is not in the dictionary`);
      const rows = await readOutputTable(join(together, file));
      for (const row of rows) {
        assert.deepEqual(Object.keys(row), Object.keys(spec), file);
        for (const [column, value] of Object.entries(row)) {
          assert.ok(value !== null || spec[column]?.isNullable, `${file} ${column} has a gap`);
          assert.ok(!Number.isNaN(value), `${file} ${column}`);
        }
      }
      for (const column of Object.keys(spec)) {
        assert.ok(dictionary.includes(`\n${name},${column},`), `${name} ${column}`);
      }
    }
  });

  it("has a document that tells every table and column", () => {
    const told = new Map<string, string[]>();
    for (const section of readFileSync(DOCUMENT, "utf8").split(/^### /m).slice(1)) {
      const [heading = "", ...lines] = section.split("\n");
      const columns = lines.flatMap((line) => /^\| (\w+) \| \w+\?? \|/.exec(line)?.[1] ?? []);
      for (const [, name = ""] of heading.matchAll(/`([^`]+)`/g)) told.set(name, columns.slice(1));
    }
    const known = Object.entries(TABLES).map(([name, spec]) => [name, Object.keys(spec)] as const);
    assert.deepEqual(told, new Map(known));
  });

  it("counts attempts by how many there were", async () => {
    const output = join(folder, "retried");
    const NODE_OPTIONS = `--import ${new URL("./retry-sometimes.js", import.meta.url).href}`;
    const process = CobreProcess.start(["run", source, "-o", output], { env: { NODE_OPTIONS } });
    assert.equal((await process.finished).code, 0);
    const iterations = await table(output, "training/solver/iterations");
    const retries = await table(output, "training/solver/retry_histogram");
    const solved = sum(iterations, "lp_solves");
    const [twice, thrice] = [1, 2].map((level) =>
      sum(
        retries.filter(({ retry_level }) => retry_level === level),
        "count",
      ),
    ) as [number, number];
    // The first solves are those of the initial bound, which is of no iteration.
    assert.ok(Math.abs(twice + thrice - solved / 10) <= 1, `${twice} ${thrice} of ${solved}`);
    assert.ok(Math.abs(thrice - solved / 100) <= 1, `${thrice} of ${solved}`);
    assert.equal(sum(iterations, "lp_retries"), twice + thrice);
    assert.equal(sum(iterations, "retry_attempts"), twice + 2 * thrice);
    assert.equal(sum(iterations, "lp_successes"), solved - twice - thrice);
    assert.equal((await cobre("compare", alone, output)).stdout, "the same bits\n");
  });

  it("does not take times and ranks for results", async () => {
    const { stdout } = await cobre("compare", alone, together);
    assert.equal(stdout, "the same bits\n");
    const reports = [alone, together].map(async (output) =>
      JSON.parse((await cobre("report", output, "--json")).stdout),
    );
    const [one, three] = await Promise.all(reports);
    assert.deepEqual(one.hashes, three.hashes);
    assert.deepEqual([one.ranks, three.ranks], [1, 3]);
  });

  it("counts what the solver did alike on any number of ranks", async () => {
    for (const name of ["training/solver/iterations", "simulation/solver/iterations"]) {
      const counts = async (output: string) =>
        (await table(output, name)).map((row) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => !column.endsWith("_ms"))),
        );
      assert.deepEqual(await counts(together), await counts(alone));
    }
    const history = await table(alone, "training/convergence");
    const solved = await table(alone, "training/solver/iterations");
    for (const { iteration, lp_solves } of history) {
      const rows = solved.filter((row) => row.iteration === iteration);
      assert.equal(sum(rows, "lp_solves"), lp_solves);
      assert.deepEqual([...new Set(rows.map(({ phase }) => phase))].sort(), [
        "backward",
        "forward",
        "lower_bound",
      ]);
    }
    const simulated = await table(alone, "simulation/solver/iterations");
    assert.equal(sum(simulated, "lp_solves"), 4 * 24);
    // Each solve of a simulation starts from the basis of a trial point.
    assert.equal(sum(simulated, "basis_offered"), 4 * 24);
    for (const row of [...solved, ...simulated]) {
      assert.ok(Number(row.basis_offered) <= Number(row.lp_solves));
      assert.ok(Number(row.set_bounds_time_ms) > 0);
      for (const column of ["basis_consistency_failures", "load_model_time_ms"])
        assert.equal(row[column], null);
    }
    // A program that took more than one attempt is in the histogram, at its level.
    for (const folder of ["training", "simulation"]) {
      const iterations = await table(alone, `${folder}/solver/iterations`);
      const retries = await table(alone, `${folder}/solver/retry_histogram`);
      assert.equal(sum(retries, "count"), sum(iterations, "lp_retries"));
    }
  });

  it("has the times of every rank and iteration", async () => {
    const rows = await table(together, "training/timing/mpi_ranks");
    assert.deepEqual(
      rows.map(({ iteration, rank }) => `${iteration} ${rank}`),
      [1, 2, 3].flatMap((iteration) => [0, 1, 2].map((rank) => `${iteration} ${rank}`)),
    );
    const history = await table(together, "training/convergence");
    for (const { iteration, lp_solves, forward_passes } of history) {
      const own = rows.filter((row) => row.iteration === iteration);
      assert.equal(sum(own, "lp_solves"), lp_solves);
      assert.equal(sum(own, "scenarios_processed"), forward_passes);
    }
    const times = await table(together, "training/timing/iterations");
    assert.equal(times.length, rows.length);
    assert.ok(
      times.every(
        ({ solve_ms, forward_wall_ms }) => Number(solve_ms) > 0 && Number(forward_wall_ms) > 0,
      ),
    );
  });

  it("has codes that say what happened", async () => {
    const codes = json(alone, "training/dictionaries/codes.json");
    const bounds = await table(alone, "training/dictionaries/bounds");
    const bound = (
      type: string,
      id: OutputCell | undefined,
      stage: OutputCell | undefined,
      word: string,
    ) =>
      bounds.find(
        (row) =>
          codes.entity_type[String(row.entity_type_code)] === type &&
          codes.bound_type[String(row.bound_type_code)] === word &&
          row.entity_id === id &&
          row.stage_id === stage,
      )?.bound_value ?? assert.fail(`${type} ${id} has no ${word}`);
    const words = new Set<string>();
    for (const row of await table(alone, "simulation/thermals/scenarios_0000-0003")) {
      const word = codes.operative_state[String(row.operative_state_code)];
      const max = Number(bound("thermal", row.thermal_id, row.stage_id, "generation_max"));
      assert.equal(word === "saturated", Number(row.generation_mw) >= max * (1 - 1e-8));
      words.add(word);
    }
    assert.deepEqual([...words].sort(), ["operating", "saturated"]);
    for (const row of await table(alone, "simulation/hydros/scenarios_0000-0003")) {
      const word = codes.storage_binding[String(row.storage_binding_code)];
      const final = Number(row.storage_final_hm3);
      const [min, max] = ["storage_min", "storage_max"].map((name) =>
        Number(bound("hydro", row.hydro_id, row.stage_id, name)),
      ) as [number, number];
      assert.equal(word === "at_minimum", Math.abs(final - min) < 1e-6 * max, `${final} ${min}`);
      assert.equal(word === "at_maximum", Math.abs(final - max) < 1e-6 * max, `${final} ${max}`);
    }
  });

  it("names the entities, the states and the spread of the numbers", () => {
    const lines = readFileSync(join(alone, "training/dictionaries/entities.csv"), "utf8").split(
      "\n",
    );
    assert.equal(lines[0], "entity_type_code,entity_id,name,bus_id,system_id");
    const { problem_dimensions: sizes, ...metadata } = json(alone, "training/metadata.json");
    const { num_hydros, num_thermals, num_buses, num_lines, state_dimension } = sizes;
    assert.equal(lines.length - 2, num_hydros + num_thermals + num_buses + num_lines);
    const { state_variables } = json(alone, "training/dictionaries/state_dictionary.json");
    assert.equal(state_variables.length, state_dimension);
    assert.deepEqual(metadata.iterations, { completed: 3, converged_at: null });
    assert.deepEqual(
      [metadata.convergence.achieved, metadata.row_pool.peak_active],
      [false, metadata.row_pool.total_generated],
    );
    const { distribution } = json(together, "simulation/metadata.json");
    assert.deepEqual(distribution, {
      backend: "shm",
      world_size: 3,
      ranks_participated: 3,
      num_nodes: 1,
      machines: [{ host: hostname(), ranks: [0, 1, 2] }],
      threads_per_rank: 1,
    });
    const scaling = json(alone, "training/scaling_report.json");
    assert.equal(scaling.stages.length, 24);
    for (const part of ["matrix", "objective", "bounds", "rhs"]) {
      const { min, max, ratio } = scaling.summary[part];
      assert.ok(min > 0 && max >= min && ratio === max / min, part);
      assert.equal(
        scaling.unusual.includes(part),
        min < scaling.usual_range.min || max > scaling.usual_range.max,
      );
    }
  });

  it("tells where the model of inflows comes from", () => {
    assert.deepEqual(json(alone, "training/model_provenance.json"), {
      version: "1.0",
      estimation_path: "user_provided_no_history",
      seasonal_stats_source: "user_file",
      ar_coefficients_source: "user_file",
      annual_component_source: "none",
      correlation_source: "user_file",
      opening_tree_source: "sampled",
      n_hydros: 4,
      ar_method: null,
      ar_max_order: 1,
      white_noise_fallbacks: [],
    });
  });

  it("tells the command that was typed, to each rank the same", () => {
    for (const part of ["training", "simulation"]) {
      const { command, node_version } = json(together, `${part}/metadata.json`);
      assert.equal(command, `cobre run ${source} -o ${together} -n 3`);
      assert.equal(node_version, process.version);
      assert.equal(json(alone, `${part}/metadata.json`).command, `cobre run ${source} -o ${alone}`);
    }
  });

  it("counts what every rank called", async () => {
    const rows = await table(together, "training/timing/collectives");
    assert.deepEqual([...new Set(rows.map(({ rank }) => rank))], [0, 1, 2]);
    for (const row of rows) {
      assert.ok(Number(row.waiting_ms) <= Number(row.time_ms), JSON.stringify(row));
    }
    const calls = (name: string) =>
      rows.filter(({ collective }) => collective === name).map((row) => Number(row.calls));
    // Each of the three iterations has two allgathervs and one allreduce, and its stages meet in fences.
    for (const count of calls("allgatherv")) assert.ok(count >= 6, String(count));
    for (const count of calls("fence")) assert.ok(count >= 3 * 24, String(count));
    for (const name of ["allgatherv", "allreduce", "fence"]) {
      assert.equal(new Set(calls(name)).size, 1, `all ranks call ${name} as often`);
    }
    const simulated = await table(together, "simulation/timing/collectives");
    const hashes = simulated.filter((row) => row.collective === "allgatherv");
    // Each rank contributes 8 bytes of cost and 32 of hash for each of its scenarios.
    assert.deepEqual(
      hashes.map(({ bytes }) => bytes),
      [40, 40, 80],
    );
  });

  it("exports states that the cuts were made at, and scenarios that give the same results to another case", async () => {
    const first = await table(alone, "policy/states/stage_000");
    const initial = json(source, "initial_conditions.json").storage as { value_hm3: number }[];
    assert.deepEqual(
      first.slice(0, initial.length).map(({ value }) => value),
      initial.map(({ value_hm3 }) => value_hm3),
    );
    const { state_variables } = json(alone, "training/dictionaries/state_dictionary.json");
    assert.equal(first.length, 3 * 4 * state_variables.length);
    const copy = copyFourRegions(join(folder, "copy"), {});
    rmSync(join(copy, "scenarios"), { recursive: true });
    cpSync(join(alone, "stochastic"), join(copy, "scenarios"), { recursive: true });
    const factors = join(source, "scenarios/load_factors.json");
    if (existsSync(factors)) cpSync(factors, join(copy, "scenarios/load_factors.json"));
    const output = join(folder, "copied");
    cpSync(alone, output, { recursive: true });
    await run(copy, "-o", output, "--overwrite");
    assert.equal((await cobre("compare", alone, output)).stdout, "the same bits\n");
    assert.ok(!filesOf(output).some((name) => /^(stochastic|policy\/states)/.test(name)));
  });
});

function sum(rows: readonly Readonly<Record<string, OutputCell>>[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column]), 0);
}
