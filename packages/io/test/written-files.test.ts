/** What is written about a case: the dictionaries, and the data of its scenarios. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type Case,
  fillOpeningTree,
  OutputDirectory,
  openingTreeLength,
  readOutputTable,
  TABLES,
  writeDictionaries,
  writeStochastic,
} from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { type FileContent, withCase } from "./case-folder.js";
import { fullCase } from "./full-case.js";

let folder = "";
let source: Case;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-written-"));
  await withCase(fullCase(), async (directory) => {
    source = await loadCase(directory);
  });
  const output = new OutputDirectory(folder);
  writeDictionaries(output, source);
  writeStochastic(output, source);
});
after(() => rmSync(folder, { recursive: true }));

const text = (name: string) => readFileSync(join(folder, "training/dictionaries", name), "utf8");
const json = (name: string) => JSON.parse(text(name));
const openings = (one: Case) =>
  fillOpeningTree(one, new Float64Array(openingTreeLength(one))).values;

describe("the dictionaries", () => {
  it("name the entities, each kind in the order of its ids, with quotes where they are needed", () => {
    assert.equal(
      text("entities.csv"),
      [
        "entity_type_code,entity_id,name,bus_id,system_id",
        "0,2,H2,1,0",
        "0,4,H4,1,0",
        "1,0,T,1,0",
        '2,1,"The ""north"", with a comma",1,0',
        "2,7,South,7,0",
        "3,5,L,-1,0",
        "4,6,P,1,0",
        "5,8,K,7,0",
        "7,3,Wind,7,0",
        "",
      ].join("\n"),
    );
  });

  it("have the stages with their dates and blocks", () => {
    const blocks = [{ block_id: 0, name: "SINGLE", hours: 1000 }];
    assert.deepEqual(json("stages.json"), {
      version: "1.0",
      stages: [
        { stage_id: 0, start_date: "2025-01-01", end_date: "2025-02-01", blocks },
        { stage_id: 1, start_date: "2025-02-01", end_date: "2025-03-01", blocks },
        { stage_id: 2, start_date: "2025-03-01", end_date: "2025-04-01", blocks },
      ],
    });
  });

  it("have the components of the state: storages, then inflows lag by lag", () => {
    const storage = { type: "storage", entity_type: "hydro", unit: "hm3" };
    const lag = { type: "inflow_lag", entity_type: "hydro", unit: "m3/s" };
    assert.deepEqual(json("state_dictionary.json"), {
      version: "1.0",
      state_variables: [
        { ...storage, entity_id: 2 },
        { ...storage, entity_id: 4 },
        { ...lag, entity_id: 2, lag_index: 1 },
        { ...lag, entity_id: 4, lag_index: 1 },
        { ...lag, entity_id: 2, lag_index: 2 },
        { ...lag, entity_id: 4, lag_index: 2 },
      ],
    });
  });

  it("have the bounds of every entity and stage that has some", async () => {
    const rows = await readOutputTable(join(folder, "training/dictionaries/bounds.parquet"));
    const of = (type: number, id: number, stage: number) =>
      Object.fromEntries(
        rows
          .filter((row) => row.entity_type_code === type && row.entity_id === id)
          .filter((row) => row.stage_id === stage)
          .map((row) => [row.bound_type_code, row.bound_value]),
      );
    for (const stage of [0, 1, 2]) {
      const common = { 0: 0, 1: 720, 2: 0, 3: 1000, 6: 0, 7: 1000 };
      // While its reservoir is being filled, a plant does nothing, and its outflow has no upper limit.
      const filling = { ...common, 3: 0, 4: 0, 7: 0 };
      assert.deepEqual(of(0, 2, stage), stage === 0 ? filling : { ...common, 4: 1, 5: 2000 });
      assert.deepEqual(of(0, 4, stage), { ...common, 4: 0 }, "its outflow has no upper limit");
      assert.deepEqual(of(1, 0, stage), { 6: 0, 7: 1000 });
      // The factors of the second stage are those of its block.
      assert.deepEqual(of(3, 5, stage), stage === 1 ? { 8: -10, 9: 50 } : { 8: -40, 9: 100 });
      assert.deepEqual(of(7, 3, stage), { 7: 80 });
      assert.deepEqual(of(4, 6, stage), { 8: 0, 9: stage === 0 ? 0 : 8 });
      assert.deepEqual(of(5, 8, stage), { 6: 0, 7: 15 });
    }
    assert.equal(rows.length, 3 * (8 + 7 + 2 + 2 + 1 + 2 + 2) - 1 + 2);
    assert.equal(rows.filter(({ block_id }) => block_id !== null).length, 2);
  });

  it("describe every column of every table, and every code", () => {
    const lines = text("variables.csv").trimEnd().split("\n");
    assert.equal(lines[0], "file,column,type,unit,description,nullable");
    const columns = Object.entries(TABLES).flatMap(([file, spec]) =>
      Object.keys(spec).map((column) => `${file},${column}`),
    );
    assert.equal(lines.length, 1 + columns.length);
    columns.forEach((column, i) => {
      assert.ok(lines[i + 1]?.startsWith(`${column},`), column);
    });
    assert.match(text("variables.csv"), /^training\/convergence,gap_percent,f64,%,[^"]+,true$/m);
    assert.match(text("variables.csv"), /^training\/convergence,iteration,i32,,from 1,false$/m);
    assert.match(JSON.stringify(json("codes.json")), /"2":"bus"/);
  });
});

describe("the data of the scenarios", () => {
  it("give the same openings in a case of their own, whatever its seed", async () => {
    const files: Record<string, FileContent> = { ...fullCase() };
    for (const name of readdirSync(join(folder, "stochastic")))
      files[`scenarios/${name}`] = readFileSync(join(folder, "stochastic", name));
    files["config.json"] = {
      training: {
        forward_passes: 1,
        stopping_rules: [{ type: "iteration_limit", limit: 1 }],
        tree_seed: 4711,
      },
    };
    await withCase(files, async (directory) => {
      const copy = await loadCase(directory);
      assert.deepEqual(copy.warnings, []);
      assert.deepEqual(openings(copy), openings(source));
      assert.deepEqual(copy.uncertainty.input, source.uncertainty.input);
    });
  });

  it("are sorted by entity and stage, and lags by their number", async () => {
    const table = async (name: string) =>
      (await readOutputTable(join(folder, `stochastic/${name}.parquet`))).map((row) =>
        Object.values(row),
      );
    assert.deepEqual(await table("inflow_seasonal_stats"), [
      [2, -1, 5, 2],
      [2, 0, 10, 1],
      [2, 1, 20, 2],
      [2, 2, 30, 3],
      [4, -1, 6, 3],
      [4, 0, 40, 4],
      [4, 1, 50, 5],
      [4, 2, 60, 6],
    ]);
    assert.deepEqual(await table("inflow_ar_coefficients"), [
      [2, 1, 1, 0.5, 0.8],
      [2, 1, 2, 0.25, 0.8],
    ]);
    const rows = await table("noise_openings");
    assert.equal(rows.length, 3 * 3 * 3);
    assert.deepEqual(
      rows.slice(8, 10).map((row) => row.slice(0, 3)),
      [
        [0, 2, 2],
        [1, 0, 0],
      ],
    );
  });

  it("have no table without rows", () => {
    assert.equal(existsSync(join(folder, "stochastic/inflow_annual_component.parquet")), false);
    assert.equal(existsSync(join(folder, "stochastic/load_seasonal_stats.parquet")), true);
  });

  it("say which noise is independent", async () => {
    const correlation = JSON.parse(
      readFileSync(join(folder, "stochastic/correlation.json"), "utf8"),
    );
    assert.deepEqual(correlation, fullCase()["scenarios/correlation.json"]);
    await withCase({}, async (directory) => {
      const output = new OutputDirectory(join(folder, "without"));
      writeStochastic(output, await loadCase(directory));
      const path = join(folder, "without/stochastic/correlation.json");
      assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), {
        method: "spectral",
        profiles: { default: { correlation_groups: [] } },
        schedule: [],
      });
    });
  });
});
