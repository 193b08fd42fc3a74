/** The tables of a migrated case, row by row, and what is noted of them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { columns, type FileContent, stage } from "./case-folder.js";
import { fullCase } from "./full-case.js";
import { filesBelow, withMigrated } from "./migrated-files.js";

type Changes = Readonly<Record<string, FileContent>>;

describe("the tables of a migrated case", () => {
  it("have the names, columns and rows of Cobre 0.18", () => {
    const sense = (id: number, relation: string) => ({
      id,
      name: `C${id}`,
      expression: "thermal_generation(0)",
      sense: relation,
      slack: { enabled: false },
    });
    const changes: Changes = {
      ...fullCase(),
      "constraints/generic_constraints.json": {
        constraints: [sense(2, ">="), sense(3, "<="), sense(4, "==")],
      },
      "constraints/generic_constraint_bounds.csv":
        "constraint_id,stage_id,block_id,bound\n2,1,,10\n3,1,0,20\n4,2,,30\n",
      "constraints/generic_constraint_bounds.parquet": undefined,
      "constraints/pumping_bounds.csv": "stage_id,station_id,max_m3s\n1,6,4\n",
      "constraints/penalty_overrides_ncs.csv": "source_id,stage_id,curtailment_cost\n3,1,0.5\n",
      "constraints/thermal_bounds.parquet": columns({
        thermal_id: [0],
        stage_id: [1],
        max_generation_mw: [900],
      }),
    };
    return withMigrated(changes, async ({ json, rows, columns: names, bytes, files }) => {
      const { constraints } = json("constraints/generic_constraints.json") as {
        constraints: object[];
      };
      assert.deepEqual(
        constraints,
        [2, 3, 4].map((id) => {
          const { sense: _, ...rest } = sense(id, "");
          return rest;
        }),
      );
      const bounds = "constraints/generic_constraint_bounds.parquet";
      assert.deepEqual(await names(bounds), [
        "constraint_id",
        "stage_id",
        "block_id",
        "bound_lower",
        "bound_upper",
      ]);
      assert.deepEqual(await rows(bounds), [
        [2, 1, null, 10, null],
        [3, 1, 0, null, 20],
        [4, 2, null, 30, 30],
      ]);
      const pumping = "constraints/pumping_bounds.parquet";
      assert.deepEqual(await names(pumping), ["stage_id", "pumping_station_id", "max_m3s"]);
      assert.deepEqual(await rows(pumping), [[1, 6, 4]]);
      const sources = "constraints/penalty_overrides_ncs.parquet";
      assert.deepEqual(await names(sources), ["ncs_id", "stage_id", "curtailment_cost"]);
      // Half of the capacity in one direction, a quarter in the other.
      assert.deepEqual(await rows("constraints/line_bounds.parquet"), [[5, 1, 0, 50, 10]]);
      assert.deepEqual(await names("scenarios/inflow_ar_coefficients.parquet"), [
        "hydro_id",
        "stage_id",
        "lag",
        "coefficient",
      ]);
      assert.deepEqual(await rows("scenarios/load_seasonal_stats.parquet"), [
        [1, 0, 150, 0],
        [1, 1, 150, 5],
        [1, 2, 150, 0],
        [7, 0, 0, 0],
        [7, 1, 0, 0],
        [7, 2, 0, 0],
      ]);
      assert.ok(files.includes("scenarios/correlation.json"));
      assert.equal(json("scenarios/correlation.json")?.method, "spectral");
      assert.ok(!files.includes("constraints/exchange_factors.json"));
      assert.ok(bytes("constraints/thermal_bounds.parquet").length > 0);
    });
  });

  it("are copied as they are where nothing changes", () => {
    const one = { hydro_id: [2], stage_id: [1] };
    const changes: Changes = {
      "system/buses.json": {
        buses: [
          { id: 1, name: "B" },
          { id: 2, name: "C" },
        ],
      },
      "system/lines.json": {
        lines: [
          {
            id: 5,
            name: "L",
            source_bus_id: 1,
            target_bus_id: 2,
            capacity: { direct_mw: 9, reverse_mw: 9 },
          },
        ],
      },
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: [1, 1, 1, 2, 2, 2],
        stage_id: [0, 1, 2, 0, 1, 2],
        mean_mw: new Array(6).fill(5),
        std_mw: new Array(6).fill(0),
      }),
      "constraints/line_bounds.parquet": columns({ line_id: [5], stage_id: [1], direct_mw: [7] }),
      "constraints/hydro_bounds.parquet": columns({ ...one, max_turbined_m3s: [7] }),
      "constraints/penalty_overrides_hydro.parquet": columns({ ...one, spillage_cost: [7] }),
      "scenarios/inflow_history.parquet": columns({ hydro_id: [2], value_m3s: [7] }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        ...one,
        lag: [1],
        coefficient: [0],
        residual_std_ratio: [1],
      }),
    };
    return withMigrated(changes, ({ bytes, files, notes }, source) => {
      assert.deepEqual(notes, {});
      for (const file of [
        "constraints/hydro_bounds.parquet",
        "constraints/line_bounds.parquet",
        "constraints/penalty_overrides_hydro.parquet",
        "scenarios/inflow_history.parquet",
        "scenarios/inflow_seasonal_stats.parquet",
        "scenarios/load_seasonal_stats.parquet",
      ]) {
        assert.deepEqual(bytes(file), readFileSync(join(source, file)), file);
      }
      assert.deepEqual(
        [...files],
        [...filesBelow(source), "system/hydro_production_models.json"].sort(),
      );
    });
  });

  it("have capacities of lines in every block once", () => {
    const blocks = [0, 1, 2].map((id) => ({ id, name: `B${id}`, hours: 100 }));
    const changes: Changes = {
      ...fullCase(),
      "scenarios/load_factors.json": undefined,
      "scenarios/non_controllable_factors.json": undefined,
      "stages.json": {
        ...(fullCase()["stages.json"] as object),
        stages: [0, 1, 2].map((id) => stage(id, { season_id: id, blocks })),
      },
      "constraints/line_bounds.csv":
        "line_id,stage_id,block_id,direct_mw\n5,1,,80\n5,1,2,60\n5,2,0,30\n",
      "constraints/exchange_factors.json": {
        exchange_factors: [
          { line_id: 5, stage_id: 1, block_factors: [{ block_id: 0, direct_factor: 0.5 }] },
          { line_id: 5, stage_id: 1, block_factors: [{ block_id: 2, reverse_factor: 0.25 }] },
        ],
      },
    };
    return withMigrated(changes, async ({ rows }) => {
      assert.deepEqual(await rows("constraints/line_bounds.parquet"), [
        [5, 1, null, 80, null],
        [5, 1, 2, 60, 10],
        [5, 2, 0, 30, null],
        [5, 1, 0, 40, 40],
        [5, 1, 1, 80, 40],
      ]);
    });
  });

  it("have inflows of the past by months", async () => {
    const file = "scenarios/inflow_history.parquet";
    const history = "hydro_id,date,value_m3s\n2,1999-12-15,3\n2,2024-02-01,4\n";
    const day = (date: string) => Date.parse(date);
    await withMigrated(
      { ...fullCase(), "scenarios/inflow_history.csv": history },
      async ({ rows, columns: names, notes }) => {
        assert.deepEqual(await names(file), ["hydro_id", "value_m3s", "start_date", "end_date"]);
        assert.deepEqual(
          (await rows(file)).map((row) => row.map(Number)),
          [
            [2, 3, day("1999-12-01"), day("2000-01-01")],
            [2, 4, day("2024-02-01"), day("2024-03-01")],
          ],
        );
        assert.equal(notes[file], undefined);
      },
    );
    const days = columns({ hydro_id: [2], date: [day("2001-03-31") / 86_400_000], value_m3s: [3] });
    const weekly = {
      cycle_type: "custom",
      seasons: [0, 1, 2].map((id) => ({ id, month_start: id + 1, month_end: id + 1 })),
    };
    const stages = { ...(fullCase()["stages.json"] as object), season_definitions: weekly };
    await withMigrated(
      { ...fullCase(), [file]: days, "stages.json": stages },
      async ({ rows, notes }) => {
        const [row] = await rows(file);
        assert.deepEqual(row?.slice(2).map(Number), [day("2001-03-01"), day("2001-04-01")]);
        assert.deepEqual(notes[file], [
          "date: its dates were taken for months, and the seasons are none",
        ]);
      },
    );
  });

  it("note where the deviation of the noise is another than follows from the coefficients", async () => {
    const file = "scenarios/inflow_ar_coefficients.parquet";
    const ratio = (coefficient: number, residual: number) => ({
      [file]: columns({
        hydro_id: [2, 4],
        stage_id: [1, 1],
        lag: [1, 1],
        coefficient: [coefficient, 0.6],
        residual_std_ratio: [residual, 0.8],
      }),
    });
    const noted = async (changes: Changes) => {
      let found: readonly string[] = [];
      await withMigrated(changes, ({ notes }) => {
        found = notes[file] ?? [];
      });
      return found;
    };
    assert.deepEqual(await noted(ratio(0.6, 0.8)), []);
    assert.deepEqual(await noted(ratio(0.6, 0.800005)), []);
    assert.deepEqual(await noted(ratio(0.6, 0.9)), [
      "hydro 2, stage 1: residual_std_ratio is 0.9; Cobre 0.18 takes 0.8, which follows from the coefficients",
    ]);
    const [refused = "", ...others] = await noted(ratio(1.5, 0.5));
    assert.match(refused, /^coefficient: Cobre 0\.18 refuses these coefficients: .*deviation/);
    assert.deepEqual(others, []);
  });
});
