/** The numbers that tools tell, beside those of the files and of the report. */
import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { createCommunicator } from "@cobre/comm";
import { BOUND_TYPE, ENTITY_TYPE, STORAGE_BINDING } from "@cobre/io";
import { type ChartRequest, renderChart } from "@cobre/report";
import { COST_SCALE, loadCase } from "@cobre/sddp";
import { openRun, type Run, reportOf, runStudy } from "@cobre/study";
import {
  answer,
  EventTail,
  explainStage,
  findProcess,
  pngOf,
  type Query,
  searchPages,
  statisticOf,
  waterValue,
} from "#internal";
import { StudyFolder } from "./study-folder.js";

const SCENARIOS = 8;

describe("results", { timeout: 120_000 }, () => {
  const folder = new StudyFolder();
  let run: Run;

  before(async () => {
    folder.addCase("small", { iterations: 6, scenarios: SCENARIOS });
    using comm = await createCommunicator({ kind: "local" });
    const output = folder.path("out");
    await runStudy(comm, await loadCase(folder.path("small")), { output, existing: "refuse" });
    run = await openRun(output);
  });
  after(() => folder[Symbol.dispose]());

  const query = (
    of: Partial<Query> & Pick<Query, "table">,
  ): Promise<{ rows: readonly (readonly number[])[]; total: number }> =>
    answer(run, { where: [], groupBy: [], statistics: [], offset: 0, limit: 1000, ...of });

  it("are not counted alike if the scenarios are paths that are not equally likely", async () => {
    const { simulation } = run;
    const metadata = { ...simulation?.metadata, isExact: true };
    const census: Run = Object.create(run, {
      simulation: { value: Object.create(simulation as object, { metadata: { value: metadata } }) },
    });
    const ask = (groupBy: readonly string[], of: "mean" | "max", where: Query["where"] = []) =>
      answer(census, {
        table: "costs",
        where,
        groupBy,
        statistics: [{ column: "immediate_cost", of }],
        offset: 0,
        limit: 10,
      });
    await assert.rejects(ask(["stage_id"], "mean"), /all paths of a tree, which are not equally/);
    assert.equal((await ask(["stage_id"], "max")).rows.length, 10);
    assert.equal((await ask(["scenario_id"], "mean")).rows.length, SCENARIOS);
    const one = [{ column: "scenario_id", is: "=", value: 2 }] as const;
    assert.equal((await ask([], "mean", one)).rows.length, 1);
  });

  it("are filtered, grouped and cut into pages", async () => {
    const expected = new Map<number, number[]>();
    for await (const { columns } of run.simulation?.scenariosOf("costs", [
      "stage_id",
      "immediate_cost",
    ]) ?? []) {
      columns.stage_id.forEach((stage, row) => {
        const values = expected.get(stage) ?? [];
        values.push(columns.immediate_cost[row] as number);
        expected.set(stage, values);
      });
    }
    const { rows } = await query({
      table: "costs",
      groupBy: ["stage_id"],
      statistics: [
        { column: "immediate_cost", of: "mean" },
        { column: "immediate_cost", of: "max" },
        { column: "immediate_cost", of: "count" },
      ],
      where: [{ column: "stage_id", is: ">=", value: 3 }],
      orderBy: { column: "stage_id", descending: true },
    });
    assert.deepEqual(
      rows.map(([stage]) => stage),
      [11, 10, 9, 8, 7, 6, 5, 4, 3],
    );
    for (const [stage, mean, max, count] of rows) {
      const values = expected.get(stage as number) ?? [];
      const sum = values.reduce((total, value) => total + value, 0);
      assert.deepEqual([mean, max, count], [sum / SCENARIOS, Math.max(...values), SCENARIOS]);
    }
    const one = await query({
      table: "costs",
      columns: ["scenario_id", "stage_id"],
      where: [{ column: "scenario_id", is: "=", value: 5 }],
      offset: 10,
      limit: 1,
    });
    assert.deepEqual(one.rows, [[5, 10]]);
    assert.equal(one.total, 12);
    await assert.rejects(query({ table: "costs", columns: ["nothing"] }), /no column nothing/);
  });

  it("have these statistics", () => {
    const values = [4, 1, Number.NaN, 3, 2];
    assert.equal(statisticOf("count", values), 4);
    assert.equal(statisticOf("mean", values), 2.5);
    assert.equal(statisticOf("p50", values), 2.5);
    assert.equal(statisticOf("p25", values), 1.75);
    assert.equal(statisticOf("std", values), Math.sqrt(5 / 3));
    assert.equal(statisticOf("min", values), 1);
    assert.equal(statisticOf("sum", []), Number.NaN);
  });

  it("tell the value of water as the report draws it", async () => {
    const { values } = await reportOf(run);
    const policy = await run.policy();
    const entities = await run.entities();
    for (const [s, stage] of (values?.stages ?? []).entries()) {
      const of = values?.functions[0]?.[s];
      assert.ok(of);
      for (const [cut, end] of of.ends.entries()) {
        const start = cut === 0 ? of.min : (of.ends[cut - 1] as number);
        const storage = (start + end) / 2;
        const found = waterValue(policy, entities, stage.id, { lake: storage });
        const drawn = (of.intercepts[cut] as number) + (of.slopes[cut] as number) * storage;
        // The report draws cuts alone; a program has the floor of its stage beside them.
        const floor =
          (policy.origin.floors?.[policy.origin.stageIds.indexOf(stage.id)] ?? 0) * COST_SCALE;
        const gap = Math.abs(found.futureCost - Math.max(floor, drawn));
        assert.ok(gap <= 1e-6 * Math.abs(drawn) + 1e-3, JSON.stringify([found, drawn, floor]));
        if (end - start < 1e-6 || drawn <= floor) continue;
        const value = found.reservoirs[0]?.value as number;
        assert.ok(Math.abs(value + (of.slopes[cut] as number)) <= 1e-6 * Math.abs(value) + 1e-6);
      }
    }
    assert.throws(() => waterValue(policy, entities, 0, { sea: 1 }), /no hydro plant sea/);
    assert.throws(() => waterValue(policy, entities, 99, {}), /no stage 99/);
  });

  it("explain a stage by its tables", async () => {
    const { simulation } = run;
    assert.ok(simulation);
    const bounds = (await run.bounds()).columns;
    const limitOf = (plant: number, stage: number) => {
      const at = bounds.bound_value.findIndex(
        (_, row) =>
          bounds.entity_type_code[row] === ENTITY_TYPE.thermal &&
          bounds.bound_type_code[row] === BOUND_TYPE.generation_max &&
          bounds.entity_id[row] === plant &&
          bounds.stage_id[row] === stage,
      );
      return bounds.bound_value[at] as number;
    };
    let seen = 0;
    const { columns: hydros } = await simulation.table("hydros", 3);
    const { columns: thermals } = await simulation.table("thermals", 3);
    for (let stage = 0; stage < 12; stage++) {
      const found = await explainStage(run, simulation, 3, stage);
      const row = hydros.stage_id.indexOf(stage);
      assert.equal(found.waterValues[0]?.value, 0 - (hydros.water_value_per_hm3[row] as number));
      const isEmpty = hydros.storage_binding_code[row] === STORAGE_BINDING.at_minimum;
      const told = found.binding.filter(({ limit }) => limit === "storage at its minimum");
      assert.equal(told.length, isEmpty ? 1 : 0);
      const full: number[] = [...thermals.stage_id.keys()].filter((at) => {
        const limit = limitOf(thermals.thermal_id[at] as number, stage);
        return (
          thermals.stage_id[at] === stage &&
          Math.abs((thermals.generation_mw[at] as number) - limit) < 1e-6
        );
      });
      const atMaximum = found.binding.filter(
        ({ kind, limit }) => kind === "thermal" && limit === "generation at its maximum",
      );
      assert.equal(atMaximum.length, full.length);
      seen += told.length + full.length;
    }
    assert.ok(seen > 0, "no limit was reached in any stage: nothing was tested");
    await assert.rejects(explainStage(run, simulation, 99, 0), /no scenario 99/);
    await assert.rejects(explainStage(run, simulation, 0, 99), /no stage 99/);
  });

  it("are drawn, every kind of chart", async () => {
    const report = await reportOf(run);
    const kinds: readonly ChartRequest[] = [
      { kind: "convergence" },
      { kind: "costs" },
      { kind: "generation" },
      { kind: "storage", hydroId: 0 },
      { kind: "water_value", hydroId: 0 },
      { kind: "price", busId: 0 },
      { kind: "value_function", hydroId: 0, stageId: 0 },
    ];
    for (const request of kinds) {
      const { svg, title } = renderChart(report, request);
      assert.ok(svg.includes(title.split(",")[0] as string));
      assert.ok(!svg.includes("var("), "colours are plain");
      const png = await pngOf(svg); // none where the system has no font
      if (png !== undefined) assert.equal(Buffer.from(png.subarray(1, 4)).toString(), "PNG");
    }
    const nowhere: ChartRequest = { kind: "storage", hydroId: 99 };
    assert.throws(() => renderChart(report, nowhere), /no hydro plant 99; there are 0/);
  });

  it("of a run under way are read as they are written", async () => {
    const file = folder.path("events.jsonl");
    const done = (iteration: number) =>
      `${JSON.stringify({ type: "iteration_done", rank: 0, record: { iteration, lowerBound: iteration } })}\n`;
    const earlier = done(9);
    writeFileSync(file, earlier);
    const tail = new EventTail(file, earlier.length);
    assert.equal((await tail.read()).iteration, 0);
    const line = done(2);
    appendFileSync(file, done(1) + line.slice(0, 20));
    assert.equal((await tail.read()).iteration, 1);
    appendFileSync(file, `${line.slice(20)}{"type":"error","error":{"message":"no water"}}\n`);
    const { iteration, lowerBound, error } = await tail.read();
    assert.deepEqual([iteration, lowerBound, error], [2, 2, "no water"]);
  });

  it("are found in the documentation", async () => {
    const [first] = await searchPages("exit code interrupted by a signal", 3);
    assert.equal(first?.page, "commands");
    assert.deepEqual(await searchPages("xyzzy", 3), []);
  });

  it("know a process by when it began", async () => {
    const self = await findProcess(process.pid);
    assert.ok(self?.command.includes("results.test.js"));
    assert.notEqual(self?.began, "");
    assert.deepEqual(await findProcess(process.pid), self);
  });
});
