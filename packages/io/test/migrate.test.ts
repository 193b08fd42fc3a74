/** A migrated case describes the same study, in every number of its tables, but for what the notes say. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { formatIssue, type StageTable, type Study } from "@cobre/core";
import { loadCase, migrateCase, validateCase } from "@cobre/sddp";
import { parquetMetadata } from "hyparquet";
import { columns, type FileContent, withCase } from "./case-folder.js";
import { fullCase } from "./full-case.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-migrated-"));
after(() => rmSync(folder, { recursive: true }));

const EARLIER = fileURLToPath(
  new URL("../../../examples/cases/one-reservoir-0.5", import.meta.url),
);

let count = 0;

/** The full case with changes, before and after; and what could not be translated. */
async function migrated(changes: Readonly<Record<string, FileContent>> = {}) {
  const target = join(folder, String(count++));
  let result: { readonly old: Study; readonly notes: string[] } | undefined;
  await withCase({ ...fullCase(), ...changes }, async (directory) => {
    const { study } = await loadCase(directory);
    const { notes } = await migrateCase(directory, target);
    const told = notes.map(({ file, what, problem }) => `${file}: ${what}: ${problem}`);
    result = { old: study, notes: told };
  });
  const { case: found, issues } = await validateCase(target);
  assert.deepEqual(issues.filter(({ severity }) => severity === "error").map(formatIssue), []);
  return { ...(result ?? assert.fail()), target, later: found ?? assert.fail() };
}

/** All numbers of tables by stage and block. */
function numbersOf(study: Study, tables: Readonly<Record<string, StageTable>>): number[][] {
  return Object.values(tables).map((table) =>
    study.time.stages.flatMap(({ blocks }, t) =>
      Array.from({ length: table.values.length / study.time.stages.length }, (_, entity) =>
        blocks.map((_block, k) => table.at(t, entity, k)),
      ).flat(),
    ),
  );
}

describe("a migrated case", () => {
  it("has every number of the old one, and tells what differs", async () => {
    const { old, later, notes, target } = await migrated();
    const { study } = later;
    const KINDS = [
      "thermals",
      "lines",
      "busPenalties",
      "linePenalties",
      "nonControllables",
      "nonControllablePenalties",
      "pumpingStations",
      "contracts",
    ] as const;
    for (const kind of KINDS) {
      assert.deepEqual(numbersOf(study, study[kind]), numbersOf(old, old[kind]), kind);
    }
    // What units may turbine, they can also generate.
    const { maxTurbinedM3s: _, ...ofOld } = old.hydros;
    const { maxTurbinedM3s: __, ...ofLater } = study.hydros;
    assert.deepEqual(numbersOf(study, ofLater), numbersOf(old, ofOld));
    for (const field of ["spillageCost", "diversionCost", "inflowNonnegativityCost"] as const) {
      assert.deepEqual(study.hydroPenalties[field].values, old.hydroPenalties[field].values);
    }
    assert.deepEqual(study.production, old.production);
    assert.deepEqual(study.generic, old.generic);
    assert.deepEqual(study.loadFactors, old.loadFactors);
    assert.deepEqual(study.nonControllableFactors, old.nonControllableFactors);
    assert.deepEqual(study.time.discount, old.time.discount);
    // Two past inflows are given, and one stage before the study.
    assert.deepEqual(study.initialConditions.storageHm3, old.initialConditions.storageHm3);
    assert.deepEqual(study.initialConditions.pastInflowsM3s, [[11], []]);
    assert.ok(!existsSync(join(target, "constraints/exchange_factors.json")));
    const OF_PLANTS = "system/hydros.json: hydro";
    assert.deepEqual(notes.map((note) => note.replace(/: [^:]*$/, "")).sort(), [
      "config.json: exports.hive",
      "config.json: policy.boundary",
      "config.json: simulation",
      "config.json: training.stopping_mode",
      "config.json: training.stopping_rules",
      "initial_conditions.json: past_inflows",
      "scenarios/inflow_ar_coefficients.parquet: hydro 2, stage 1",
      `${OF_PLANTS} 2`,
      `${OF_PLANTS} 2`,
      `${OF_PLANTS} 2`,
      `${OF_PLANTS} 4`,
    ]);
  });

  it("charges turbined water to plants with a production function only", async () => {
    const { later, target } = await migrated();
    const costs = (name: string) => JSON.parse(readFileSync(join(target, name), "utf8"));
    assert.equal(costs("penalties.json").hydro.turbined_cost, 0.05);
    const planes = (hydro_id: number) => ({
      hydro_id,
      selection_mode: "stage_ranges",
      stage_ranges: [
        {
          start_stage_id: 0,
          end_stage_id: null,
          model: "fpha",
          fpha_config: { source: "precomputed" },
        },
      ],
    });
    assert.equal(later.study.system.hydros.length, 2);
    const one = await migrated({
      "system/hydro_production_models.json": { production_models: [planes(4)] },
      "system/fpha_hyperplanes.parquet": columns({
        hydro_id: [4],
        plane_id: [0],
        gamma_0: [2],
        gamma_v: [0.1],
        gamma_q: [2],
        gamma_s: [-0.1],
      }),
      "constraints/penalty_overrides_hydro.parquet": columns({
        hydro_id: [2, 4],
        stage_id: [1, 1],
        fpha_turbined_cost: [0.3, 0.4],
      }),
    });
    // Plant 2 pays nothing, plant 4 what it paid.
    const { study } = one.later;
    assert.deepEqual(
      [0, 1, 2].map((t) => [0, 1].map((h) => study.hydroPenalties.fphaTurbinedCost.at(t, h))),
      [
        [0, 0.05],
        [0, 0.4],
        [0, 0.05],
      ],
    );
  });

  it("has no fields that nobody reads, which Cobre 0.18 refuses", async () => {
    const set = (file: string, path: string, value: unknown = 1, content = fullCase()[file]) => {
      const copy = structuredClone(content) as Record<string, unknown>;
      const keys = path.split(".");
      const last = keys.pop() as string;
      const owner = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
      owner[last] = value;
      return { [file]: copy };
    };
    const estimation = { order_selection: "fixed" };
    const config = set("config.json", "training.solver.nobody")["config.json"];
    const { notes } = await migrated({
      ...set("config.json", "estimation", estimation, config),
      ...set("system/hydros.json", "hydros.1.reservoir.nobody"),
      ...set("stages.json", "stages.2.blocks.0.nobody"),
      ...set("system/hydro_production_models.json", "production_models.1.seasons.0.nobody"),
    });
    assert.deepEqual(notes.filter((note) => note.includes("is not a known field")).sort(), [
      "config.json: training.solver.nobody: is not a known field; it was left out",
      "stages.json: stage 2: blocks[0].nobody: is not a known field; it was left out",
      "system/hydro_production_models.json: hydro 2: seasons[0].nobody: is not a known field; it was left out",
      "system/hydros.json: hydro 2: reservoir.nobody: is not a known field; it was left out",
    ]);
  });

  it("keeps inflows of months as windows of these months", async () => {
    const { target } = await migrated({
      "scenarios/inflow_history.csv": "hydro_id,date,value_m3s\n2,1999-12-15,3\n",
    });
    assert.ok(existsSync(join(target, "scenarios/inflow_history.parquet")));
  });

  it("has what the program of Cobre 0.18 needs beside its words", async () => {
    const [old, target] = [join(folder, "old"), join(folder, "with-lags")];
    cpSync(EARLIER, old, { recursive: true });
    const buses = ["island", "rock"].map((name, id) => ({ id, name }));
    writeFileSync(join(old, "system/buses.json"), JSON.stringify({ buses }));
    const lags = Array.from({ length: 12 }, (_, stage) => `0,${stage},1,0.6,0.8\n`);
    writeFileSync(
      join(old, "scenarios/inflow_ar_coefficients.csv"),
      `hydro_id,stage_id,lag,coefficient,residual_std_ratio\n${lags.join("")}`,
    );
    const { files } = await migrateCase(old, target);
    const tables = files.filter((file) => !file.endsWith(".json"));
    assert.ok(tables.length > 0);
    for (const file of tables) {
      assert.match(file, /\.parquet$/);
      const bytes = readFileSync(join(target, file));
      const { row_groups } = parquetMetadata(new Uint8Array(bytes).buffer);
      for (const { meta_data } of row_groups.flatMap(({ columns: all }) => all)) {
        assert.equal(meta_data?.codec, "UNCOMPRESSED", file);
      }
    }
    const later = await loadCase(target);
    const { loadStatistics } = later.uncertainty.input;
    for (const { id } of later.study.system.buses) {
      const rows = loadStatistics.filter(({ busId }) => busId === id);
      assert.equal(rows.length, later.study.time.stages.length, `bus ${id}`);
    }
    assert.equal(later.study.time.seasons?.seasons.length, 12);
  });
});
