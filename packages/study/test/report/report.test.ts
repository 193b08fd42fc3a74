/** The numbers of a report are those of the tables. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readOutputTable } from "@cobre/io";
import {
  type Cube,
  openRun,
  type Report,
  type ReportSummary,
  reportOf,
  type SimulationReport,
  type StudyResult,
  summaryOfReport,
} from "@cobre/study";
import { percentile, sortedValues } from "#internal";
import { near, ReportedRun, type Row, SCENARIOS } from "./reported-run.js";

const DOCUMENT = fileURLToPath(new URL("../../../../docs/report.md", import.meta.url));

let run: ReportedRun;
let whole = "";
let result: StudyResult;
let report: Report;
let simulation: SimulationReport;
/** The rows of all scenarios of a table, with the number of the scenario. */
const tables = new Map<string, Row[]>();

before(async () => {
  run = await ReportedRun.make();
  ({ whole, result, report, simulation } = run);
  for (const name of ["costs", "hydros", "thermals", "buses", "exchanges"])
    tables.set(name, await run.table(name));
});
after(() => run[Symbol.dispose]());

const rowsOf = (table: string) => tables.get(table) ?? assert.fail(table);

/** The sum of a column over the rows that fit. */
function sumOf(table: string, column: string, fits: (row: Row) => boolean) {
  return rowsOf(table)
    .filter(fits)
    .reduce((sum, row) => sum + Number(row[column]), 0);
}

/** Every value of a cube is the sum of a column over the blocks. */
function assertSums(
  cube: Cube,
  ids: readonly number[],
  table: string,
  key: string,
  column: string,
): void {
  const sums = new Map<string, number>();
  for (const row of rowsOf(table)) {
    const place = `${row[key]} ${row.stage_id} ${row.scenario}`;
    sums.set(place, (sums.get(place) ?? 0) + Number(row[column]));
  }
  assert.equal(cube.values.length, sums.size);
  ids.forEach((id, item) => {
    simulation.stages.forEach((stage, t) => {
      for (const s of SCENARIOS) {
        const place = `${id} ${stage.id} ${s}`;
        near(cube.at(item, t, s), sums.get(place) ?? Number.NaN, `${table}.${column} ${place}`);
      }
    });
  });
}

const idsOf = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);

describe("a report", () => {
  it("has the costs of the scenarios, of which the kinds are the parts", () => {
    const { total, byKind, kinds, discount, afterStudy, distribution } = simulation.costs;
    SCENARIOS.forEach((s) => {
      near(total[s] as number, result.simulation?.costs[s] ?? 0, `scenario ${s}`);
      let parts = afterStudy[s] as number;
      kinds.forEach((_, k) => {
        simulation.stages.forEach((_, t) => {
          parts += (discount[t] as number) * byKind.at(k, t, s);
        });
      });
      near(parts, total[s] as number, `the kinds of scenario ${s}`);
    });
    const { mean, std, ci95 } = result.simulation?.statistics ?? assert.fail();
    near(distribution.mean, mean);
    near(distribution.std, std);
    near(distribution.ci95 ?? 0, ci95 ?? 0);
    assert.ok(kinds.includes("thermal") && !kinds.includes("pumping"));
    const thermal = kinds.indexOf("thermal");
    simulation.stages.forEach((stage, t) => {
      const expected = sumOf(
        "costs",
        "thermal_cost",
        (row) => row.stage_id === stage.id && row.scenario === 2,
      );
      near(byKind.at(thermal, t, 2), expected);
    });
  });

  it("has the energy of plants and buses", () => {
    const { hydros, thermals, buses } = simulation;
    assertSums(hydros.energy, idsOf(hydros.plants), "hydros", "hydro_id", "generation_mwh");
    const plants = idsOf(thermals.plants);
    assertSums(thermals.energy, plants, "thermals", "thermal_id", "generation_mwh");
    assertSums(thermals.cost, plants, "thermals", "thermal_id", "generation_cost");
    for (const name of ["load", "deficit", "excess"] as const) {
      assertSums(buses[name], idsOf(buses.buses), "buses", "bus_id", `${name}_mwh`);
    }
  });

  it("has the storage of reservoirs, its percentiles and limits, and the value of water", async () => {
    const { hydros, stages } = simulation;
    const { storage, waterValue, isEmpty, isFull, mwhPerHm3, spilled } = hydros;
    const bands = storage.bands();
    const { hours = 0 } = stages[4]?.blocks[0] ?? {};
    hydros.plants.forEach(({ id }, plant) => {
      stages.forEach((stage, t) => {
        const values = SCENARIOS.map((s) => {
          const rows = rowsOf("hydros").filter(
            (row) => row.hydro_id === id && row.stage_id === stage.id && row.scenario === s,
          );
          const [row] = rows;
          near(waterValue.at(plant, t, s), -Number(row?.water_value_per_hm3));
          assert.equal(isEmpty.at(plant, t, s) === 1, row?.storage_binding_code === 1);
          assert.equal(isFull.at(plant, t, s) === 1, row?.storage_binding_code === 2);
          if (t === 0) assert.equal(hydros.initialStorage[plant], row?.storage_initial_hm3);
          if (t === 4 && rows.length === 1) {
            near(spilled.at(plant, t, s), (Number(row?.spillage_m3s) * hours * 3600) / 1e6);
          }
          near(
            mwhPerHm3[plant] as number,
            (Number(row?.productivity_mw_per_m3s) * 1e6) / 3600,
            "MWh per hm3",
          );
          assert.equal(storage.at(plant, t, s), row?.storage_final_hm3);
          return Number(row?.storage_final_hm3);
        });
        const sorted = Float64Array.from(values).sort();
        bands.levels.forEach((level, l) => {
          const place = (plant * stages.length + t) * bands.levels.length + l;
          assert.equal(bands.values[place], percentile(sortedValues(sorted), level));
        });
        assert.equal(bands.values[(plant * stages.length + t) * 7], sorted[0]);
      });
    });
    assert.ok(
      waterValue.values.some((value) => value > 0),
      "water is worth something",
    );
    const limits = (
      await readOutputTable(join(whole, "training/dictionaries/bounds.parquet"))
    ).filter(
      (row) => row.entity_type_code === 0 && row.bound_type_code === 1 && row.stage_id === 3,
    );
    for (const row of limits) {
      const plant = idsOf(hydros.plants).indexOf(Number(row.entity_id));
      assert.equal(hydros.maxStorage[plant * stages.length + 3], row.bound_value);
    }
    assert.equal(limits.length, hydros.plants.length);
  });

  it("has prices and flows by block, with the limits of lines", () => {
    const { buses, lines, stages } = simulation;
    const check = (
      cube: Cube,
      ids: readonly number[],
      blocks: readonly number[],
      table: string,
      key: string,
      column: string,
    ) => {
      const stageIds = idsOf(stages);
      for (const row of rowsOf(table)) {
        const item =
          ids.indexOf(Number(row[key])) * blocks.length + blocks.indexOf(Number(row.block_id));
        const stage = stageIds.indexOf(Number(row.stage_id));
        assert.equal(cube.at(item, stage, row.scenario), row[column]);
      }
      assert.equal(cube.values.length, rowsOf(table).length);
    };
    check(buses.prices, idsOf(buses.buses), buses.blocks, "buses", "bus_id", "spot_price");
    check(lines.flows, idsOf(lines.lines), lines.blocks, "exchanges", "line_id", "net_flow_mw");
    lines.flows.bands([0, 100]).values.forEach((value, i) => {
      const line = Math.floor(i / 2 / stages.length / lines.blocks.length);
      const stage = Math.floor(i / 2) % stages.length;
      const [low, high] = [lines.minFlow, lines.maxFlow].map(
        (of) => of[line * stages.length + stage],
      );
      assert.ok(value >= (low as number) - 1e-6 && value <= (high as number) + 1e-6);
    });
  });

  it("has the iterations, the times and the counts of the solver", () => {
    const { convergence, time, numerics } = report;
    const history = result.training?.policy.history ?? [];
    assert.deepEqual(
      [...(convergence?.lowerBound ?? [])],
      history.map((one) => one.lowerBound),
    );
    assert.deepEqual(
      [...(convergence?.forwardMean ?? [])],
      history.map((one) => one.upperBoundMean),
    );
    const solves = history.reduce((sum, one) => sum + one.lpSolves, 0);
    assert.equal(numerics.training?.solves, solves);
    assert.equal(numerics.simulation?.solves, SCENARIOS.length * simulation.stages.length);
    assert.deepEqual(
      time?.ranks.map(({ rank, lpSolves }) => [rank, lpSolves]),
      [[0, solves]],
    );
    assert.deepEqual([...(time?.iteration ?? [])], [1, 2, 3]);
    time?.communication.forEach((all, i) => {
      const [waiting, moving] = [time.waiting[i] as number, time.moving[i] as number];
      assert.ok(waiting >= 0 && moving >= 0);
      near(waiting + moving, all, "waiting and moving");
    });
  });

  it("has the value functions: the highest cuts along each reservoir", () => {
    const { values = assert.fail("no values") } = report;
    const { policy } = result.training ?? assert.fail("no training");
    assert.deepEqual(
      values.stages.map(({ id }) => id),
      simulation.stages.slice(0, -1).map(({ id }) => id),
    );
    values.reservoirs.forEach(({ id }, r) => {
      const component = policy.origin.hydroIds.indexOf(id);
      values.stages.forEach((_, stage) => {
        const found = values.functions[r]?.[stage] ?? assert.fail();
        const pool = policy.pools[stage] ?? assert.fail();
        assert.equal(found.cuts, pool.count);
        // The state at the end of a stage is the one at the start of the next.
        const { points } = policy;
        const state = Array.from({ length: pool.dimension }, (_, i) => {
          const passes = Array.from({ length: points.passes }, (_, pass) => pass);
          const all = passes.map((pass) => points.values[points.stateOffset(pass, stage + 1) + i]);
          return all.reduce<number>((sum, one) => sum + Number(one), 0) / points.passes;
        });
        for (let part = 0; part <= 20; part++) {
          const storage = found.min + ((found.max - found.min) * part) / 20;
          const at = state.with(component, storage);
          const heights = Array.from(
            { length: pool.count },
            (_, cut) =>
              1000 *
              at.reduce((sum, x, i) => sum + x * pool.coefficient(cut, i), pool.intercept(cut)),
          );
          const cut = found.ends.findIndex((end) => storage <= end * (1 + 1e-12));
          const height = Number(found.intercepts[cut]) + Number(found.slopes[cut]) * storage;
          near(height, Math.max(...heights), `reservoir ${id}, stage ${stage}, ${storage} hm³`);
        }
      });
    });
  });

  it("is the same whenever it is read", async () => {
    const again = await reportOf(await openRun(whole));
    assert.deepEqual(again, report);
  });

  it("is summarised by its tables", () => {
    const summary = summaryOfReport(report);
    const { costs, stages, thermals, reservoirs } = summary;
    const kinds = Object.values(costs?.by_kind ?? {});
    near(
      kinds.reduce((sum, cost) => sum + cost, 0),
      costs?.mean ?? 0,
    );
    assert.deepEqual(
      kinds,
      [...kinds].sort((a, b) => b - a),
    );
    for (const { stage_id, cost, deficit_mwh } of stages) {
      const here = (row: Row) => row.stage_id === stage_id;
      near(cost, sumOf("costs", "immediate_cost", here) / SCENARIOS.length);
      near(deficit_mwh, sumOf("buses", "deficit_mwh", here) / SCENARIOS.length);
    }
    const [most] = thermals;
    const its = (row: Row) => row.thermal_id === most?.id;
    near(most?.cost ?? 0, sumOf("thermals", "generation_cost", its) / SCENARIOS.length);
    for (const { id, empty_percent, full_percent, lowest, highest } of reservoirs) {
      const rows = rowsOf("hydros").filter((row) => row.hydro_id === id);
      const percent = (code: number) =>
        (100 * rows.filter((row) => row.storage_binding_code === code).length) / rows.length;
      near(empty_percent, percent(1));
      near(full_percent, percent(2));
      assert.ok(lowest.storage_hm3 <= highest.storage_hm3);
    }
    assert.equal(summary.lower_bound, result.training?.lowerBound);
    assert.equal(summary.case.name, "four-regions");
  });

  it("has the collectives that were called, of training and of the simulation", async () => {
    const file = (phase: string) => join(whole, phase, "timing/collectives.parquet");
    const called = (await readOutputTable(file("training"))).filter(({ calls }) => calls !== 0);
    const told = report.collectives.filter(({ phase }) => phase === "training");
    assert.deepEqual(
      told.map((one) => [one.collective, one.calls, one.bytes, one.ms, one.waiting_ms]),
      called.map((row) => [row.collective, row.calls, row.bytes, row.time_ms, row.waiting_ms]),
    );
    assert.ok(told.length > 0 && report.collectives.length > told.length);
  });

  it("has a document that tells every key of its summary", () => {
    const told = [...readFileSync(DOCUMENT, "utf8").matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, name]) => name as string,
    );
    // The values of some keys are named by the case: kinds of costs, hashes.
    const paths = (value: unknown, prefix: string): string[] => {
      if (Array.isArray(value))
        return value.slice(0, 1).flatMap((one) => paths(one, `${prefix}[]`));
      if (typeof value !== "object" || value === null || /by_kind$/.test(prefix)) return [prefix];
      return Object.entries(value).flatMap(([key, one]) =>
        paths(one, prefix === "" ? key : `${prefix}.${key}`),
      );
    };
    const named = { id: 0, name: "" };
    const curtailed = { available_mwh: 0, curtailed_mwh: 0, curtailed_percent: 0 };
    const filled: ReportSummary = {
      ...summaryOfReport(report),
      lower_bound_caveats: ["foreign_cuts"],
      // The case has none of these.
      sources: [{ ...named, energy_mwh: 0, ...curtailed }],
      pumps: [{ ...named, volume_hm3: 0, energy_mwh: 0 }],
      contracts: [{ ...named, type: "import", energy_mwh: 0, cost: 0 }],
    };
    assert.deepEqual([...told].sort(), [...new Set(paths(filled, ""))].sort());
  });
});
