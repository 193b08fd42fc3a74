/** Limits of numbers in a case, exactly at their edges: the last that is taken, and the first that is told. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { formatIssue, IssueCollector } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { type ColumnRule, readTable } from "#internal";
import {
  columns,
  type FileContent,
  goodCase,
  hydro,
  parquetBytes,
  withCase,
} from "./case-folder.js";
import { fullCase } from "./full-case.js";

async function issuesOf(files: Readonly<Record<string, FileContent>>): Promise<string[]> {
  let found: string[] = [];
  await withCase(files, async (directory) => {
    const { issues } = await validateCase(directory);
    found = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return found;
}

/** A copy of a JSON value with another value at a path. */
function changed(content: unknown, path: string, value: unknown): object {
  const copy = structuredClone(content) as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() as string;
  const object = keys.reduce((node, key) => {
    node[key] ??= {};
    return node[key] as Record<string, unknown>;
  }, copy);
  object[last] = value;
  return copy;
}

describe("the numbers of a configuration", () => {
  const LIMITS: readonly [path: string, min: number | undefined, max?: number][] = [
    ["training.forward_passes", 1, 100_000],
    ["training.stopping_rules.0.limit", 1, 100_000_000],
    ["training.stopping_rules.2.iterations", 1, 100_000_000],
    ["training.stopping_rules.3.replications", 1, 1_000_000],
    ["training.stopping_rules.3.period", 1, 100_000_000],
    ["training.stopping_rules.3.bound_window", 1, 100_000_000],
    ["training.cut_selection.threshold", 0],
    ["training.cut_selection.check_frequency", 1],
    ["training.cut_selection.memory_window", 0],
    ["training.solver.retry_max_attempts", 1, 100],
    ["simulation.num_scenarios", 1, 1_000_000],
    ["policy.boundary.source_stage", 0],
    ["policy.checkpointing.interval_iterations", 1, 100_000_000],
  ];
  const AT_LEAST_0 = [
    "training.stopping_rules.1.seconds",
    "training.stopping_rules.2.tolerance",
    "training.stopping_rules.3.distance_tol",
    "training.stopping_rules.3.bound_tol",
    "training.cut_selection.cut_activity_tolerance",
    "training.cut_selection.domination_epsilon",
    "modeling.inflow_non_negativity.penalty_cost",
  ];
  const config = fullCase()["config.json"];
  const issues = (path: string, value: number) =>
    issuesOf({ ...fullCase(), "config.json": changed(config, path, value) });

  it("are whole and between their limits", async () => {
    for (const [path, min = 0, max] of LIMITS) {
      const range = max === undefined ? `at least ${min}` : `between ${min} and ${max}`;
      for (const value of [min, ...(max === undefined ? [] : [max])])
        assert.deepEqual(await issues(path, value), [], `${path} ${value}`);
      for (const value of [min - 1, ...(max === undefined ? [] : [max + 1])]) {
        const [issue = "", ...others] = await issues(path, value);
        assert.ok(issue.endsWith(`is ${value}; must be ${range}`), `${path}: ${issue}`);
        assert.deepEqual(others, []);
      }
      assert.match((await issues(path, min + 0.5))[0] ?? "", /must be a whole number/, path);
    }
  });

  it("or are 0 or more", async () => {
    for (const path of AT_LEAST_0) {
      assert.deepEqual(await issues(path, 0), [], path);
      assert.deepEqual(await issues(path, 0.25), [], path);
      assert.match((await issues(path, -0.25))[0] ?? "", /is -0\.25; must be at least 0$/, path);
    }
  });

  it("say that counters of cuts have no effect", async () => {
    const enabled = changed(config, "training.cut_selection.enabled", true);
    assert.deepEqual(await issuesOf({ ...fullCase(), "config.json": enabled }), [
      "warning config.json: training.cut_selection.threshold: has no effect; cuts are judged by their height at the states that training has visited, not by how often they were tight",
    ]);
    assert.deepEqual(await issues("training.cut_selection.max_active_per_stage", 1), []);
    const none = await issues("training.cut_selection.max_active_per_stage", 0);
    assert.match(none[0] ?? "", /max_active_per_stage: is 0; must be at least 1$/);
  });

  it("say that a seed has no effect where paths come from another", async () => {
    for (const field of ["training", "simulation"]) {
      const [issue, ...others] = await issues(`${field}.scenario_source.seed`, 43);
      assert.match(
        issue ?? "",
        new RegExp(`^warning config.json: ${field}.scenario_source.seed: has no effect`),
      );
      assert.deepEqual(others, []);
    }
  });
});

describe("the numbers of stages", () => {
  const stages = fullCase()["stages.json"];
  const issues = (path: string, value: unknown) =>
    issuesOf({ ...fullCase(), "stages.json": changed(stages, path, value) });

  it("are within their limits", async () => {
    for (const [path, value, problem] of [
      ["pre_study_stages.0.id", 0, /pre_study_stages\[0\]\.id: is 0; must be at most -1$/],
      ["stages.0.season_id", -1, /stage 0: season_id: is -1; must be at least 0$/],
      ["pre_study_stages.0.season_id", -1, /season_id: is -1; must be at least 0$/],
      ["season_definitions.seasons.0.id", -1, /seasons\[0\]\.id: is -1; must be at least 0$/],
      ["stages.0.num_scenarios", 100_001, /stage 0: num_scenarios: is 100001; must be at most/],
      [
        "policy_graph.transitions.0.probability",
        1.5,
        /probability: is 1\.5; must be between 0 and 1$/,
      ],
      [
        "policy_graph.transitions.0.probability",
        0.5,
        /asks for a transition with probability 0\.5/,
      ],
      ["policy_graph.transitions.0.probability", 0, /asks for a transition with probability 0;/],
      ["policy_graph.transitions.1.target_id", 3, /from stage 1 to 3, which is not the next/],
    ] as const) {
      const [issue = ""] = await issues(path, value);
      assert.match(issue, problem, path);
    }
  });

  it("take days as they are in the calendar", async () => {
    for (const [date, isOne] of [
      ["2024-12-01", true],
      ["2024-11-31", false],
      ["2024-00-01", false],
      ["2024-13-01", false],
      ["2024-12-00", false],
      ["2024-12-32", false],
      ["2024-12-1", false],
      ["12024-12-01", false],
    ] as const) {
      const found = await issues("pre_study_stages.0.start_date", date);
      const told = found.some((issue) => issue.includes(`is "${date}"; must be a day, as in`));
      assert.equal(told, !isOne, date);
    }
    assert.match((await issues("stages.0.start_date", null))[0] ?? "", /start_date: is null/);
  });
});

describe("a table", () => {
  const directory = mkdtempSync(join(tmpdir(), "cobre-edges-"));
  after(() => rmSync(directory, { recursive: true }));
  const read = async (
    content: string | Uint8Array,
    rules: Readonly<Record<string, ColumnRule>>,
    key: readonly string[] = [],
  ) => {
    const name = typeof content === "string" ? "t.csv" : "t.parquet";
    writeFileSync(join(directory, name), content);
    const issues = new IssueCollector();
    const table = await readTable(directory, "t.parquet", rules, key, issues);
    rmSync(join(directory, name));
    const told = issues.issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
    return { table, told };
  };
  const column = (...values: (number | null)[]) => parquetBytes(columns({ x: values }));

  it("has numbers within the limits of their column", async () => {
    const rules = { x: { min: 1, max: 3 } };
    const { table, told } = await read(column(1, 2.5, 3), rules);
    assert.deepEqual([told, [...(table?.columns.x ?? [])]], [[], [1, 2.5, 3]]);
    assert.deepEqual((await read(column(0.5, 3.5), rules)).told, [
      "error t.parquet: row 1: x: is 0.5; must be at least 1",
      "error t.parquet: row 2: x: is 3.5; must be at most 3",
    ]);
    assert.deepEqual((await read(column(1e15, -1e15), { x: {} })).told, []);
    assert.equal((await read(column(1.1e15, -1.1e15), { x: {} })).told.length, 2);
    assert.deepEqual((await read(column(1.5), { x: { isInteger: true } })).told, [
      "error t.parquet: row 1: x: is 1.5; must be a whole number",
    ]);
  });

  it("has days as numbers, as texts, and as no other texts or numbers", async () => {
    const rules = { x: { isDay: true } };
    const { table, told } = await read("x\n2024-02-29\n19000\n-1", rules);
    const day = Date.parse("2024-02-29") / 86_400_000;
    assert.deepEqual([told, [...(table?.columns.x ?? [])]], [[], [day, 19_000, -1]]);
    for (const text of ["1.5", "2024-02-30", "2024-2-1", "x2024-02-01", "today", "Infinity"]) {
      const { told: faults } = await read(`x\n${text}`, rules);
      assert.equal(faults.length, 1, text);
      assert.match(faults[0] ?? "", /row 1: x: is .*; must be a day, as in 2024-01-31$/);
    }
    assert.deepEqual((await read("x,y\n,1", { ...rules, y: {} })).told, [
      "error t.parquet: row 1: x: is null; must be given",
    ]);
  });

  it("tells five faults of a column, and how many more there are", async () => {
    const rules = { x: { min: 0 } };
    const five = (await read(column(-1, -1, -1, -1, -1), rules)).told;
    assert.equal(five.length, 5);
    const seven = (await read(column(-1, -1, -1, -1, -1, -1, -1), rules)).told;
    assert.equal(seven.length, 6);
    assert.match(seven[5] ?? "", /x: 2 more rows are wrong in the same column/);
  });

  it("tells five rows that are repeated, and how many more there are", async () => {
    const told = async (count: number) =>
      (await read(column(...new Array(count).fill(7)), { x: {} }, ["x"])).told;
    assert.deepEqual(await told(2), [
      "error t.parquet: row 2: x 7 is already given in row 1; remove one of the rows",
    ]);
    assert.equal((await told(6)).length, 5);
    const eight = await told(8);
    assert.deepEqual(
      [eight.length, eight[5]],
      [6, "error t.parquet: 2 more rows are repeated; remove them, too"],
    );
    assert.deepEqual((await read(column(7, 7), { x: {} })).told, [], "without a key");
  });

  it("may have gaps where they are allowed, and says null elsewhere", async () => {
    const { table, told } = await read(column(1, null), { x: { isOptional: true, min: 1 } });
    assert.deepEqual([told, table?.columns.x], [[], Float64Array.of(1, Number.NaN)]);
    assert.deepEqual((await read(column(1, null), { x: {} })).told, [
      "error t.parquet: row 2: x: is null; must be given",
    ]);
  });

  it("has known columns, and says which may have been meant", async () => {
    assert.deepEqual((await read(column(1), { mean_m3s: {} })).told, [
      "error t.parquet: mean_m3s: this column is missing; add it",
      "warning t.parquet: x: is not a known column; remove it, it has no effect",
    ]);
    assert.deepEqual((await read(column(1), { xy: {} })).told, [
      'error t.parquet: xy: this column is missing; is it the one named "x"?',
      'warning t.parquet: x: is not a known column; did you mean "xy"?',
    ]);
    assert.deepEqual((await read("x,xy\n1,2", { xy: {} })).told, [
      "warning t.parquet: x: is not a known column; remove it, it has no effect",
    ]);
  });

  it("may be text: with a mark in front, blanks, any line ends, and empty lines behind", async () => {
    const rules = { x: {}, y: { isOptional: true } };
    const { table, told } = await read("\uFEFFx, y\r\n 1 ,2\n3,\n\n \n", rules);
    assert.deepEqual(told, []);
    assert.deepEqual(table?.rows, 2);
    assert.deepEqual(table?.columns, {
      x: Float64Array.of(1, 3),
      y: Float64Array.of(2, Number.NaN),
    });
    const text = (await read("x\n1\ntwo", { x: {} })).told;
    assert.deepEqual(text, ['error t.parquet: row 2: x: is the text "two"; must be a number']);
    assert.match(
      (await read("x,y\n1,2,3", rules)).told[0] ?? "",
      /line 2: has 3 cells; must have 2/,
    );
    assert.match(
      (await read("x,y,x\n1,2,3", rules)).told[0] ?? "",
      /x: is the name of two columns/,
    );
    assert.match((await read("", rules)).told[0] ?? "", /t\.csv: is empty; its first line/);
    assert.deepEqual((await read("x,y", rules)).table?.rows, 0);
  });

  it("may be missing, but not empty or a folder", async () => {
    const issues = new IssueCollector();
    const absent = await readTable(directory, "no.parquet", { x: {} }, [], issues);
    assert.deepEqual([absent, issues.issues], [undefined, []]);
    await readTable(directory, "no.parquet", { x: {} }, [], issues, false);
    assert.match(
      formatIssue(issues.issues[0] as never),
      /no\.parquet: is missing; every case needs/,
    );
    mkdirSync(join(directory, "folder.csv"));
    const told = new IssueCollector();
    await readTable(directory, "folder.parquet", { x: {} }, [], told);
    assert.match(
      told.issues.map(formatIssue).join(),
      /^folder\.csv: cannot be read: EISDIR.*; make it readable$/,
    );
    const empty = await read(new Uint8Array(0), { x: {} });
    assert.deepEqual(empty.told, ["error t.parquet: is empty; it must be a Parquet file"]);
  });
});

describe("a hydro plant that comes or goes", () => {
  const lives = (fields: object) => ({
    "system/hydros.json": { hydros: [hydro(4, fields), hydro(2, { downstream_id: 4 })] },
  });

  it("is told only if Cobre 0.5 does not look at it, and it does not exist in all stages", async () => {
    const config = (goodCase()["config.json"] ?? {}) as object;
    const of05 = (fields: object) =>
      issuesOf({ ...lives(fields), "config.json": { ...config, compat: "cobre-0.5" } });
    const told = (field: string) =>
      `warning system/hydros.json: hydro 4: ${field}: has no effect; as in Cobre 0.5; set the bounds of the stages without it to 0`;
    assert.deepEqual(await of05({ entry_stage_id: 0, exit_stage_id: 3 }), []);
    assert.deepEqual(await of05({ entry_stage_id: 1 }), [told("entry_stage_id")]);
    assert.deepEqual(await of05({ exit_stage_id: 2 }), [told("exit_stage_id")]);
    assert.deepEqual(await of05({ entry_stage_id: -1, exit_stage_id: 9 }), []);
    assert.deepEqual(await issuesOf(lives({ entry_stage_id: 1, exit_stage_id: 2 })), []);
  });
});
