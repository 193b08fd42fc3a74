/** Plants and production models of a migrated case, what is noted of them, and what cannot be migrated. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { migrateCase as migrateLoaded, OutputError } from "@cobre/io";
import { loadCase, migrateCase, validateCase } from "@cobre/sddp";
import {
  columns,
  type FileContent,
  goodCase,
  hydro,
  hydroPenalties,
  stage,
  withCase,
} from "./case-folder.js";
import { fullCase } from "./full-case.js";
import { laterCase } from "./later-case.js";
import { withMigrated } from "./migrated-files.js";

type Changes = Readonly<Record<string, FileContent>>;

const START = { operational_start_date: "2000-01-01" };
const HYDROS = "system/hydros.json";
const MODELS = "system/hydro_production_models.json";
const limits = {
  min_turbined_m3s: 0,
  max_turbined_m3s: 1000,
  min_generation_mw: 0,
  max_generation_mw: 1000,
};
/** A plant of the good case in the words of Cobre 0.18. */
const laterOf = (id: number, fields: object = {}) => {
  const { bus_id, generation: _, ...rest } = hydro(id) as Record<string, unknown>;
  return {
    ...rest,
    ...START,
    generation: { model: "constant_productivity", ...limits },
    unit_groups: [{ id: 0, name: `H${id}`, bus_id, ...limits }],
    ...fields,
  };
};

describe("the plants of a migrated case", () => {
  it("feed a bus by a group of units, and have their productivity elsewhere", () =>
    withMigrated({}, ({ json, notes }) => {
      assert.deepEqual(json(HYDROS), { hydros: [laterOf(4), laterOf(2, { downstream_id: 4 })] });
      const range = {
        start_stage_id: 0,
        end_stage_id: null,
        model: "constant_productivity",
        productivity_mw_per_m3s: 1,
      };
      const model = { selection_mode: "stage_ranges", stage_ranges: [range] };
      assert.deepEqual(json(MODELS), {
        production_models: [
          { hydro_id: 2, ...model },
          { hydro_id: 4, ...model },
        ],
      });
      const { hydro: costs } = json("penalties.json") as Record<string, object>;
      const { fpha_turbined_cost: _, ...others } = hydroPenalties;
      assert.deepEqual(costs, { ...others, turbined_cost: 0 });
      assert.deepEqual(notes, {});
    }));

  it("keep groups, equipment and what they pay, and are noted where Cobre 0.18 takes them otherwise", () => {
    const full = fullCase()[HYDROS] as { hydros: Record<string, unknown>[] };
    const groups = [{ id: 3, name: "units", bus_id: 7, ...limits }];
    const [one, other] = full.hydros as [Record<string, unknown>, Record<string, unknown>];
    const hydros = [{ ...one, bus_id: null, unit_groups: groups }, other];
    return withMigrated({ ...fullCase(), [HYDROS]: { hydros } }, ({ json, notes }) => {
      const { tailrace, hydraulic_losses, efficiency } = one;
      const { bus_id: _, generation: __, penalties, ...rest } = other;
      assert.deepEqual(json(HYDROS), {
        hydros: [
          laterOf(4, { tailrace, hydraulic_losses, efficiency, unit_groups: groups }),
          { ...laterOf(2), ...rest, penalties },
        ],
      });
      const { hydro: costs } = json("penalties.json") as Record<string, Record<string, number>>;
      assert.equal(costs?.turbined_cost, 0.05);
      const parts =
        "has a production function in some stages only; in Cobre 0.18 its turbined water costs the same in all";
      assert.deepEqual(notes[HYDROS], [
        `hydro 4: ${parts}`,
        `hydro 2: ${parts}`,
        "hydro 2: in Cobre 0.18 the limits of the outflow do not count diverted water",
        "hydro 2: in Cobre 0.18 a stage has its share of a month's evaporation, in Cobre 0.5 all of it",
      ]);
    });
  });

  it("are not noted where both take them the same way", async () => {
    const hours = [744, 672, 744];
    const whole = [0, 1, 2].map((id) =>
      stage(id, { season_id: id, blocks: [{ id: 0, name: "A", hours: hours[id] }] }),
    );
    const stagesOf = (list: readonly object[]): Changes => ({
      "stages.json": { ...(goodCase()["stages.json"] as object), stages: list },
    });
    const evaporation = { coefficients_mm: new Array(12).fill(1) };
    const plants = (fields: object): Changes => ({
      [HYDROS]: { hydros: [hydro(4, fields), hydro(2)] },
      "system/hydro_geometry.parquet": columns({
        hydro_id: [4, 4],
        volume_hm3: [0, 1000],
        height_m: [1, 2],
        area_km2: [1, 2],
      }),
    });
    const diversion = { downstream_id: 2, max_flow_m3s: 3 };
    const SHARE =
      "hydro 4: in Cobre 0.18 a stage has its share of a month's evaporation, in Cobre 0.5 all of it";
    const DIVERTED = "hydro 4: in Cobre 0.18 the limits of the outflow do not count diverted water";
    const weeks = [0, 1, 2].map((id) =>
      stage(id, {
        season_id: 0,
        start_date: `2025-01-${String(1 + 7 * id).padStart(2, "0")}`,
        end_date: `2025-01-${String(8 + 7 * id).padStart(2, "0")}`,
        blocks: [{ id: 0, name: "A", hours: 168 }],
      }),
    );
    const split = [
      { id: 0, name: "A", hours: 700 },
      { id: 1, name: "B", hours: 44 },
    ];
    const inBlocks = whole.map((one, id) => (id === 0 ? { ...one, blocks: split } : one));
    for (const [changes, ...told] of [
      [{ ...stagesOf(whole), ...plants({ evaporation, diversion }) }],
      [{ ...stagesOf(inBlocks), ...plants({ evaporation }) }],
      [{ ...stagesOf(weeks), ...plants({ evaporation }) }, SHARE],
      [{ ...stagesOf(weeks), ...plants({}) }],
      [plants({ diversion, outflow: { min_outflow_m3s: 1 } }), DIVERTED],
      [plants({ diversion, outflow: { min_outflow_m3s: 0, max_outflow_m3s: 9 } }), DIVERTED],
      [plants({ outflow: { min_outflow_m3s: 1 } })],
    ] as readonly (readonly [Changes, ...string[]])[]) {
      await withMigrated(changes, ({ notes }) => {
        assert.deepEqual(notes[HYDROS] ?? [], told);
      });
    }
  });

  it("are filled by their least rate alone", () => {
    const filling = { start_stage_id: 0, filling_inflow_m3s: 3 };
    const changes: Changes = {
      [HYDROS]: { hydros: [hydro(4), hydro(2, { entry_stage_id: 2, filling })] },
      "initial_conditions.json": {
        storage: [{ hydro_id: 4, value_hm3: 700 }],
        filling_storage: [],
      },
      "constraints/hydro_bounds.parquet": columns({
        hydro_id: [2, 2],
        stage_id: [0, 1],
        filling_inflow_m3s: [null, 5],
        max_turbined_m3s: [null, 7],
      }),
    };
    return withMigrated(changes, async ({ json, notes, rows }) => {
      const { hydros } = json(HYDROS) as { hydros: Record<string, unknown>[] };
      assert.deepEqual(hydros[1]?.filling, { start_stage_id: 0 });
      assert.deepEqual(notes[HYDROS], [
        "hydro 2: Cobre 0.18 does not limit what is kept while a reservoir is filled, and without a rate its dead volume is due from the first stage of filling on",
      ]);
      const bounds = "constraints/hydro_bounds.parquet";
      assert.deepEqual(await rows(bounds), [
        [2, 0, null],
        [2, 1, 7],
      ]);
      assert.deepEqual(notes[bounds], [
        "filling_inflow_m3s: Cobre 0.18 knows only filling_min_rate_m3s, the least that is kept; it was left out",
      ]);
    });
  });

  it("of heat are committed as before, and all start on one day", () => {
    const [plant] = (goodCase()["system/thermals.json"] as { thermals: object[] }).thermals;
    const changes: Changes = {
      "system/thermals.json": {
        thermals: [
          { ...plant, gnl_config: { lag_stages: 1 } },
          { ...plant, id: 1 },
        ],
      },
      "initial_conditions.json": {
        ...(goodCase()["initial_conditions.json"] as object),
        past_anticipated_commitments: [
          { thermal_id: 0, start_date: "2025-01-01", end_date: "2025-02-01", value_mw: 5 },
        ],
      },
    };
    return withMigrated(changes, ({ json }) => {
      assert.deepEqual(json("system/thermals.json"), {
        thermals: [
          { ...plant, ...START, anticipated_config: { lead_stages: 1 } },
          { ...plant, id: 1, ...START },
        ],
      });
      assert.deepEqual(json("system/buses.json"), { buses: [{ id: 1, name: "B", ...START }] });
      assert.deepEqual(json("system/lines.json"), { lines: [] });
    });
  });
});

describe("the production models of a migrated case", () => {
  it("say for every stage what each plant generates", () =>
    withMigrated(fullCase(), ({ json }) => {
      const constant = (start: number, end: number | null, productivity: number) => ({
        start_stage_id: start,
        end_stage_id: end,
        model: "constant_productivity",
        productivity_mw_per_m3s: productivity,
      });
      const [ofFour] = (fullCase()[MODELS] as { production_models: Record<string, unknown>[] })
        .production_models;
      const [, planes] = (ofFour?.stage_ranges ?? []) as object[];
      assert.deepEqual(json(MODELS), {
        production_models: [
          {
            hydro_id: 4,
            selection_mode: "stage_ranges",
            stage_ranges: [constant(0, 1, 1.5), planes, constant(0, null, 1)],
          },
          {
            hydro_id: 2,
            selection_mode: "stage_ranges",
            stage_ranges: [
              constant(0, 0, 1),
              constant(1, 1, 0.8),
              {
                start_stage_id: 2,
                end_stage_id: 2,
                model: "fpha",
                fpha_config: { source: "precomputed" },
              },
            ],
          },
        ],
      });
    }));

  it("have the productivity of each plant where a range or a season names none", () => {
    const productive = (id: number, productivity_mw_per_m3s: number) => {
      const { generation } = hydro(id) as { generation: object };
      return hydro(id, { generation: { ...generation, productivity_mw_per_m3s } });
    };
    const stages = [0, 1, 2].map((id) => stage(id, { season_id: id }));
    const constant = { model: "constant_productivity" };
    const changes: Changes = {
      [HYDROS]: { hydros: [productive(4, 0.5), productive(2, 0.25)] },
      "stages.json": { ...(goodCase()["stages.json"] as object), stages },
      [MODELS]: {
        production_models: [
          {
            hydro_id: 2,
            selection_mode: "stage_ranges",
            stage_ranges: [{ start_stage_id: 0, end_stage_id: 1, ...constant }],
          },
          {
            hydro_id: 4,
            selection_mode: "seasonal",
            default_model: "constant_productivity",
            seasons: [{ season_id: 1, ...constant, productivity_override: 2 }],
          },
        ],
      },
    };
    const range = (start: number, end: number | null, productivity_mw_per_m3s: number) => ({
      start_stage_id: start,
      end_stage_id: end,
      ...constant,
      productivity_mw_per_m3s,
    });
    const ranges = (hydro_id: number, ...list: object[]) => ({
      hydro_id,
      selection_mode: "stage_ranges",
      stage_ranges: list,
    });
    return withMigrated(changes, ({ json }) => {
      assert.deepEqual(json(MODELS), {
        production_models: [
          ranges(2, range(0, 1, 0.25), range(0, null, 0.25)),
          ranges(4, range(0, 0, 0.5), range(1, 1, 2), range(2, 2, 0.5)),
        ],
      });
    });
  });

  it("are none where there are no plants", () =>
    withMigrated(
      {
        [HYDROS]: { hydros: [] },
        "initial_conditions.json": { storage: [], filling_storage: [] },
        "scenarios/inflow_seasonal_stats.parquet": undefined,
      },
      ({ json }) => assert.equal(json(MODELS), undefined),
    ));
});

describe("a case cannot be migrated", () => {
  const refusal = async (action: Promise<unknown>): Promise<OutputError> => {
    try {
      await action;
    } catch (error) {
      assert.ok(error instanceof OutputError, String(error));
      return error;
    }
    return assert.fail("it was migrated");
  };

  it("into a directory that holds something, or that cannot be made", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-targets-"));
    try {
      await withCase({}, async (directory) => {
        writeFileSync(join(folder, "file"), "");
        for (const target of [folder, join(folder, "file")]) {
          const { kind, message } = await refusal(migrateCase(directory, target));
          assert.deepEqual(
            [kind, message],
            ["OutputExists", `${target} exists already; choose another directory`],
          );
        }
        const below = join(folder, "file/below");
        assert.equal((await refusal(migrateCase(directory, below))).kind, "CannotWrite");
        mkdirSync(join(folder, "empty"));
        await migrateCase(directory, join(folder, "empty"));
        const { issues } = await validateCase(join(folder, "empty"));
        assert.deepEqual(issues, []);
        const { $schema } = JSON.parse(readFileSync(join(folder, "empty", HYDROS), "utf8"));
        assert.equal($schema, "../schemas/hydros.schema.json");
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("if it is one for Cobre 0.18, or not a directory", async () => {
    await withCase(laterCase(), async (directory) => {
      const { kind, message } = await refusal(migrateCase(directory, join(directory, "new")));
      assert.deepEqual(
        [kind, message],
        ["InvalidOutput", `${directory} is written for Cobre 0.18 already`],
      );
    });
    await withCase({}, async (directory) => {
      const NO_DIRECTORY = "is not a case directory; give the directory that holds config.json";
      const loaded = await loadCase(directory);
      const object = { ...loaded, path: undefined, name: "mine" };
      const { message, path } = await refusal(migrateLoaded(object, join(directory, "new")));
      assert.deepEqual([message, path], [`mine ${NO_DIRECTORY}`, "mine"]);
      const file = { ...loaded, path: join(directory, "case.json") };
      const told = await refusal(migrateLoaded(file, join(directory, "new")));
      assert.equal(told.message, `${file.path} ${NO_DIRECTORY}`);
    });
  });
});
