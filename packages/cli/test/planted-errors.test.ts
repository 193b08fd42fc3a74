/** A case with many errors of different kinds in different files: `cobre validate` tells all of them at once, each with its place and its cure. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { formatIssue, type ValidationIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { CobreProcess } from "./cobre-process.js";
import { GOOD } from "./planted-case.js";

type File = keyof typeof GOOD;

/** An error: the file that has it, how it gets there, and what must be said of it. */
interface Planted {
  readonly file: File;
  /** In JSON: a path and what stands there, `undefined` for nothing. In a table: a text and what stands in its place. */
  readonly plant: readonly [at: string, value: unknown];
  readonly entity: string | undefined;
  readonly field: string;
  readonly cure: RegExp;
}

const PLANTED: readonly Planted[] = [
  {
    file: "config.json",
    plant: ["training.forward_passes", 0],
    entity: undefined, // the file has none
    field: "training.forward_passes",
    cure: /must be between 1 and/,
  },
  {
    file: "penalties.json",
    plant: ["line.exchange_cost", "cheap"],
    entity: undefined, // the file has none
    field: "line.exchange_cost",
    cure: /must be a number/,
  },
  {
    file: "stages.json",
    plant: ["stages.2.end_date", "2025-04-31"],
    entity: "stage 2",
    field: "end_date",
    cure: /as in 2024-01-31/,
  },
  {
    file: "initial_conditions.json",
    plant: ["storage.6", { hydro_id: 9, value_hm3: 1 }],
    entity: "hydro 9",
    field: "storage",
    cure: /id of a plant in system\/hydros.json/,
  },
  {
    file: "system/buses.json",
    plant: [
      "buses.1.deficit_segments",
      [
        { depth_mw: 5, cost: 900 },
        { depth_mw: null, cost: 800 },
      ],
    ],
    entity: "bus 2",
    field: "deficit_segments[1].cost",
    cure: /costs must increase/,
  },
  {
    file: "system/lines.json",
    plant: ["lines.0.target_bus_id", 8],
    entity: "line 0",
    field: "target_bus_id",
    cure: /id of a bus in system\/buses.json/,
  },
  {
    file: "system/thermals.json",
    plant: ["thermals.0.generation", { min_mw: 20, max_mw: 10 }],
    entity: "thermal 0",
    field: "generation.max_mw",
    cure: /must not be below the minimum/,
  },
  {
    file: "system/hydros.json",
    plant: ["hydros.1.downstream_id", 1],
    entity: "hydro 1",
    field: "downstream_id",
    cure: /set downstream_id of one of these plants/,
  },
  {
    file: "system/hydros.json",
    plant: ["hydros.2.generation.model", "constant"],
    entity: "hydro 3",
    field: "generation.model",
    cure: /must be one of: constant_productivity, /,
  },
  {
    file: "system/hydro_production_models.json",
    plant: ["production_models.0.stage_ranges.0.end_stage_id", -1],
    entity: "hydro 4",
    field: "stage_ranges[0].end_stage_id",
    cure: /must not be before it/,
  },
  {
    file: "system/fpha_hyperplanes.csv",
    plant: ["0.9,0", "-0.9,0"],
    entity: "hydro 4, plane 0",
    field: "gamma_q",
    cure: /must be above 0/,
  },
  {
    file: "system/non_controllable_sources.json",
    plant: ["non_controllable_sources.0.max_generation_mw", undefined],
    entity: "non-controllable source 0",
    field: "max_generation_mw",
    cure: /must be given/,
  },
  {
    file: "system/pumping_stations.json",
    plant: ["pumping_stations.0.destination_hydro_id", 5],
    entity: "pumping station 0",
    field: "destination_hydro_id",
    cure: /must be another plant/,
  },
  {
    file: "system/energy_contracts.json",
    plant: ["contracts.0.type", "imports"],
    entity: "contract 0",
    field: "type",
    cure: /did you mean "import"\?/,
  },
  {
    file: "scenarios/inflow_seasonal_stats.csv",
    plant: ["6,2,10,1", "6,2,10,-1"],
    entity: "row 18",
    field: "std_m3s",
    cure: /at least 0/,
  },
  {
    file: "scenarios/load_seasonal_stats.csv",
    plant: ["\n1,1,100,0", ""],
    entity: "bus 1",
    field: "stage_id",
    cure: /for every stage/,
  },
  {
    file: "scenarios/load_factors.json",
    plant: ["load_factors.0.block_factors.0.block_id", 7],
    entity: "bus 2, stage 0",
    field: "block_factors, block 7",
    cure: /stage 0 has blocks 0 to 1/,
  },
  {
    file: "scenarios/correlation.json",
    plant: ["profiles.default.correlation_groups.0.matrix.0.1", 0.6],
    entity: 'profile "default", group "rivers"',
    field: "matrix",
    cure: /must be symmetric/,
  },
  {
    file: "constraints/thermal_bounds.csv",
    plant: ["1,0,80", "1,7,80"],
    entity: "thermal 1, stage 7",
    field: "stage_id",
    cure: /correct stage_id/,
  },
  {
    file: "constraints/hydro_bounds.csv",
    plant: ["2,5", "6,5"],
    entity: "hydro 5, stage 1",
    field: "max_outflow_m3s",
    cure: /must not be below the minimum/,
  },
  {
    file: "constraints/penalty_overrides_bus.csv",
    plant: ["1,0,2", "5,0,2"],
    entity: "bus 5, stage 0",
    field: "bus_id",
    cure: /correct the id/,
  },
  {
    file: "constraints/exchange_factors.json",
    plant: ["exchange_factors.0.block_factors.1", { block_id: 0, direct_factor: 0.6 }],
    entity: "line 1, stage 0",
    field: "block_factors, block 0",
    cure: /give it once/,
  },
  {
    file: "constraints/generic_constraints.json",
    plant: ["constraints.0.expression", "thermal_generation(0) + "],
    entity: "constraint 1",
    field: "expression",
    cure: /must be there/,
  },
  {
    file: "constraints/generic_constraint_bounds.csv",
    plant: ["2,0,0,90", "2,0,0,90\n3,1,,90"],
    entity: "constraint 3, stage 1",
    field: "constraint_id",
    cure: /remove the row/,
  },
];

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-planted-"));
});
after(() => rmSync(folder, { recursive: true }));

/** Writes the case with these errors. */
function write(name: string, errors: readonly Planted[]): string {
  const files: Record<string, string | object> = structuredClone(GOOD);
  for (const { file, plant } of errors) {
    const content = files[file] as string | object;
    if (typeof content === "object") put(content, ...plant);
    else files[file] = content.replace(plant[0], String(plant[1]));
  }
  const directory = join(folder, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    const text = typeof content === "string" ? `${content}\n` : JSON.stringify(content);
    writeFileSync(join(directory, file), text);
  }
  return directory;
}

function put(content: object, at: string, value: unknown): void {
  const path = at.split(".");
  const last = path.pop() as string;
  let node = content as Record<string, unknown>;
  for (const key of path) node = node[key] as Record<string, unknown>;
  node[last] = value;
}

const placeOf = ({ file, entity, field }: Pick<ValidationIssue, "file" | "entity" | "field">) =>
  [file.replace(/\.(csv|parquet)$/, ""), entity, field].join(" | ");

describe("planted errors", () => {
  it("are not in the case without them", async () => {
    const { issues } = await validateCase(write("good", []));
    assert.deepEqual(issues.map(formatIssue), []);
  });

  it(`are all told at once by cobre validate: ${PLANTED.length} of them, and nothing else`, async () => {
    assert.ok(PLANTED.length >= 20);
    const directory = write("all", PLANTED);
    const { code, stdout } = await CobreProcess.start(["validate", directory, "--json"]).finished;
    assert.equal(code, 3);
    const { issues } = JSON.parse(stdout) as { issues: readonly ValidationIssue[] };
    const errors = issues.filter(({ severity }) => severity === "error");
    assert.deepEqual(
      errors.map(placeOf).sort(),
      PLANTED.map(placeOf).sort(),
      errors.map(formatIssue).join("\n"),
    );
    for (const planted of PLANTED) {
      const found = errors.find((error) => placeOf(error) === placeOf(planted));
      assert.match(found?.remedy ?? "", planted.cure);
      assert.notEqual(found?.problem ?? "", "");
    }
  });

  for (const [i, planted] of PLANTED.entries()) {
    it(`is told alone as among others: ${placeOf(planted)}`, async () => {
      const { issues } = await validateCase(write(`only-${i}`, [planted]));
      const errors = issues.filter(({ severity }) => severity === "error");
      assert.deepEqual(errors.map(placeOf), [placeOf(planted)]);
    });
  }
});
