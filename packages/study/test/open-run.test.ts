/** What `openRun` gives is what the files hold; and what it says if there is nothing to open. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readOutputTable } from "@cobre/io";
import { hashPolicy } from "@cobre/sddp";
import {
  openRun,
  type Run,
  RunError,
  type RunErrorKind,
  SIMULATION_TABLES,
  type SimulationTable,
  type StudyResult,
} from "@cobre/study";
import { parseCsv } from "#internal";
import { runExample, sized } from "./example-run.js";

let folder = "";
let whole = "";
let result: StudyResult;
let run: Run;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-open-run-"));
  whole = join(folder, "whole");
  const settings = { ...sized(2, 3), exports: { states: true } };
  process.env.COBRE_COMM_STATISTICS = "1";
  const command = "cobre run four-regions";
  result = await runExample("four-regions", settings, { output: whole, command });
  delete process.env.COBRE_COMM_STATISTICS;
  run = await openRun(whole);
});
after(() => rmSync(folder, { recursive: true }));

/** The training of the run, which has one. */
const training = () => run.training ?? assert.fail("no training");
const simulation = () => run.simulation ?? assert.fail("no simulation");

interface Columns {
  readonly rows: number;
  readonly columns: Readonly<Record<string, ArrayLike<number | string>>>;
}

/** The columns hold what the rows of the file do. */
async function assertSame(
  { rows, columns }: Columns,
  file: string,
  scenario?: number,
): Promise<void> {
  const all = await readOutputTable(join(whole, file));
  const expected = all.filter((row) => scenario === undefined || row.scenario_id === scenario);
  assert.equal(rows, expected.length, file);
  for (const [name, values] of Object.entries(columns)) {
    assert.equal(values.length, rows);
    expected.forEach((row, i) => {
      assert.ok(Object.is(values[i], row[name] ?? Number.NaN), `${file}, row ${i}, ${name}`);
    });
  }
}

function isRunError(kind: RunErrorKind, said: RegExp) {
  return (error: unknown) =>
    error instanceof RunError && error.kind === kind && said.test(error.message);
}

describe("openRun", () => {
  it("has the metadata of training and simulation", () => {
    const { metadata, isComplete } = training();
    assert.equal(isComplete, true);
    assert.equal(metadata.caseName, "four-regions");
    assert.equal(metadata.lowerBound, result.training?.lowerBound);
    assert.deepEqual([metadata.iterations, metadata.maxIterations], [2, 2]);
    assert.deepEqual([metadata.ranks, metadata.backend], [1, "local"]);
    assert.equal(metadata.command, "cobre run four-regions");
    assert.deepEqual(metadata.machines, [{ host: metadata.host, ranks: [0] }]);
    assert.ok(metadata.completedAt >= metadata.startedAt);
    assert.equal(simulation().metadata.mean, result.simulation?.statistics.mean);
    assert.equal(simulation().metadata.hash, result.simulation?.hash);
  });

  it("has every table of training, column by column", async () => {
    const { convergence, timing, rankTiming, solver, retries, bounds } = {
      convergence: await training().convergence(),
      timing: await training().timing(),
      rankTiming: await training().rankTiming(),
      solver: await training().solver(),
      retries: await training().retries(),
      bounds: await run.bounds(),
    };
    await assertSame(convergence, "training/convergence.parquet");
    await assertSame(timing, "training/timing/iterations.parquet");
    await assertSame(rankTiming, "training/timing/mpi_ranks.parquet");
    await assertSame(solver, "training/solver/iterations.parquet");
    await assertSame(retries, "training/solver/retry_histogram.parquet");
    await assertSame(bounds, "training/dictionaries/bounds.parquet");
    await assertSame(await training().states(3), "policy/states/stage_003.parquet");
    assert.equal(convergence.columns.lower_bound[1], result.training?.lowerBound);
  });

  it("has what ranks called; nothing of a run that did not count it, or of an earlier version", async () => {
    const counted = await training().collectives();
    await assertSame(counted, "training/timing/collectives.parquet");
    assert.equal(counted.rows, 5);
    assert.ok((counted.columns.calls[counted.columns.collective.indexOf("allgatherv")] ?? 0) > 0);
    const file = "simulation/timing/collectives.parquet";
    await assertSame(await simulation().collectives(), file);
    const uncounted = join(folder, "uncounted");
    await runExample("one-reservoir", sized(1, 2), { output: uncounted });
    const other = await openRun(uncounted);
    assert.equal((await other.training?.collectives())?.rows, 0);
    assert.equal(other.training?.metadata.command, undefined);
    rmSync(join(uncounted, file));
    assert.equal((await other.simulation?.collectives())?.rows, 0);
  });

  it("has every table of every scenario, and of all one after the other", async () => {
    assert.deepEqual(simulation().scenarios, [0, 1, 2]);
    // The case has none of the rest.
    const there = ["costs", "hydros", "thermals", "exchanges", "buses", "inflow_lags"];
    assert.deepEqual(simulation().tables, there);
    for (const name of there) assert.ok(name in SIMULATION_TABLES);
    for (const name of simulation().tables) {
      const file = `simulation/${name}/scenarios_0000-0002.parquet`;
      await assertSame(await simulation().table<SimulationTable>(name, 1), file, 1);
      const seen: number[] = [];
      const columns = ["stage_id"] as const;
      for await (const one of simulation().scenariosOf<SimulationTable, "stage_id">(
        name,
        columns,
      )) {
        seen.push(one.scenario);
        assert.deepEqual(Object.keys(one.columns), columns);
        await assertSame(one, file, one.scenario);
      }
      assert.deepEqual(seen, [0, 1, 2]);
    }
    await assertSame(await simulation().solver(), "simulation/solver/iterations.parquet");
    await assertSame(await simulation().retries(), "simulation/solver/retry_histogram.parquet");
  });

  it("has the policy with its cuts", async () => {
    const policy = await run.policy();
    assert.deepEqual({ ...hashPolicy(policy) }, { ...training().metadata.hashes });
    assert.equal(policy.pools[0]?.count, result.training?.policy.pools[0]?.count);
    assert.equal(run.hasPolicy, true);
  });

  it("has the dictionaries", async () => {
    const { hydros, thermals, buses, lines } = await run.entities();
    assert.equal(hydros.length + thermals.length + buses.length + lines.length > 12, true);
    assert.ok(hydros.every(({ name, busId }) => name !== "" && busId !== undefined));
    assert.ok(lines.every(({ busId }) => busId === undefined));
    const stages = await run.stages();
    assert.equal(stages.length, 24);
    assert.equal(stages[0]?.end, stages[1]?.start);
    assert.ok(stages.every(({ blocks }) => blocks.every(({ hours }) => hours > 0)));
    const states = await training().stateEntries();
    assert.equal(states.length, (await run.policy()).points.dimension);
    assert.deepEqual(
      states.slice(0, hydros.length).map(({ type, hydroId }) => [type, hydroId]),
      hydros.map(({ id }) => ["storage", id]),
    );
  });

  it("has the ranges of the coefficients", async () => {
    const { overall, stages, usual, unusual } = await training().scaling();
    const file = JSON.parse(readFileSync(join(whole, "training/scaling_report.json"), "utf8"));
    assert.deepEqual(unusual, file.unusual);
    assert.equal(overall.matrix?.max, file.summary.matrix.max);
    assert.equal(stages[5]?.rhs?.min, file.stages[5].rhs.min);
    assert.ok(usual.min < usual.max);
  });

  it("says that a directory is none of a run", async () => {
    await assert.rejects(openRun(join(folder, "nowhere")), isRunError("NotARun", /nowhere is not/));
    await assert.rejects(openRun(folder), isRunError("NotARun", /is not the output of a run/));
  });

  it("says that a run has no results yet", async () => {
    const begun = join(folder, "begun");
    cpSync(join(whole, "policy"), join(begun, "policy"), { recursive: true });
    await assert.rejects(openRun(begun), isRunError("Unfinished", /--resume/));
  });

  it("opens a run that was interrupted, or has not yet simulated", async () => {
    const stopped = join(folder, "stopped");
    await runExample("one-reservoir", sized(3, 2), {
      output: stopped,
      signal: AbortSignal.abort(),
    });
    const interrupted = await openRun(stopped);
    assert.equal(interrupted.simulation, undefined);
    assert.equal(interrupted.training?.isComplete, false);
    assert.equal(interrupted.training?.metadata.status, "interrupted");
    await assert.rejects(
      interrupted.training.states(0),
      isRunError("Missing", /stage_000\.parquet does not exist/),
    );
  });

  it("says which file is damaged, when it is read", async () => {
    const damaged = join(folder, "damaged");
    cpSync(whole, damaged, { recursive: true });
    truncateSync(join(damaged, "training/convergence.parquet"), 100);
    appendFileSync(join(damaged, "policy/policy.bin"), "x");
    const rename = (table: string, from: string, to: string) =>
      renameSync(join(damaged, "simulation", table, from), join(damaged, "simulation", table, to));
    rename("buses", "scenarios_0000-0002.parquet", "scenarios_0000-0000.parquet");
    const opened = await openRun(damaged);
    await assert.rejects(
      opened.training?.convergence() ?? assert.fail(),
      isRunError("Damaged", /convergence\.parquet/),
    );
    await assert.rejects(opened.policy(), isRunError("Damaged", /policy\.bin/));
    await assert.rejects(
      opened.simulation?.table("buses", 1) ?? assert.fail(),
      isRunError("Missing", /buses has no scenario 1; the run did not write it/),
    );
    await assert.rejects(
      opened.simulation?.table("buses", 0) ?? assert.fail(),
      isRunError("Damaged", /0000-0000.parquet .* does not have the scenarios that its name says/),
    );
    truncateSync(join(damaged, "simulation/hydros/scenarios_0000-0002.parquet"), 1000);
    await assert.rejects(
      opened.simulation?.scenariosOf("hydros").next() ?? assert.fail(),
      isRunError("Damaged", /hydros.scenarios_0000-0002/),
    );
    rename("costs", "scenarios_0000-0002.parquet", "scenarios_0000-0001.parquet");
    await assert.rejects(openRun(damaged), isRunError("Damaged", /2 scenarios, not 3/));
  });
});

describe("the cells of a CSV file", () => {
  it("may be quoted, empty, and on several lines", () => {
    const text = 'a,b\n1,"x, ""y"""\r\n,"two\nlines"\n"",';
    assert.deepEqual(parseCsv(text), [
      ["a", "b"],
      ["1", 'x, "y"'],
      ["", "two\nlines"],
      ["", ""],
    ]);
    assert.deepEqual(parseCsv(""), []);
    assert.deepEqual(parseCsv("a\n"), [["a"]]);
  });
});
