/** What is wrong with a case for Cobre 0.18: fields of Cobre 0.5, what this version does not do, and all faults at once. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Columns, columns } from "./case-folder.js";
import { judgeLater as judge, withValue } from "./judge-case.js";
import { laterCase } from "./later-case.js";

describe("a field of Cobre 0.5 in a case for Cobre 0.18 is told by its file and name", () => {
  const FIELDS: readonly [file: string, path: string, value: unknown, instead: RegExp][] = [
    ["config.json", "training.forward_passes", 2, /give \{"selection"/],
    ["config.json", "training.cut_formulation", "single", /remove it/],
    ["config.json", "training.cut_selection.enabled", true, /give \{"selection"/],
    ["config.json", "simulation.num_scenarios", 2, /give \{"selection"/],
    ["config.json", "simulation.policy_type", "outer", /remove it/],
    ["config.json", "policy.validate_compatibility", true, /remove it/],
    ["config.json", "compat", "cobre-0.5", /the rules of Cobre 0\.18 hold/],
    ["config.json", "modeling.inflow_non_negativity.penalty_cost", 1, /inflow_nonnegativity_cost/],
    ["stages.json", "stages.0.num_scenarios", 2, /give num_openings/],
    ["penalties.json", "version", "1", /remove it/],
    ["penalties.json", "hydro.fpha_turbined_cost", 1, /give turbined_cost/],
    ["initial_conditions.json", "past_inflows", [{}], /recent_observations/],
    ["system/hydros.json", "hydros.0.bus_id", 1, /give it in unit_groups/],
    [
      "system/hydros.json",
      "hydros.0.generation.productivity_mw_per_m3s",
      1,
      /hydro_production_models/,
    ],
    ["system/hydros.json", "hydros.1.penalties.fpha_turbined_cost", 1, /give turbined_cost/],
    ["system/thermals.json", "thermals.0.gnl_config", {}, /give anticipated_config/],
    [
      "system/hydro_production_models.json",
      "production_models.0.stage_ranges.0.productivity_override",
      1,
      /give productivity_mw_per_m3s/,
    ],
    [
      "constraints/generic_constraints.json",
      "constraints.0.sense",
      "<=",
      /give bound_lower or bound_upper/,
    ],
  ];
  it("all of them at once", async () => {
    const changes: Record<string, object> = {};
    for (const [file, path, value] of FIELDS) {
      const before = (changes[file] ?? laterCase()[file]) as object;
      changes[file] = withValue(file, path, value, before)[file] as object;
    }
    const { issues } = await judge(changes);
    assert.equal(issues.length, FIELDS.length, issues.join("\n"));
    for (const [file, path, , instead] of FIELDS) {
      const field = path
        .replace(/^(stages|hydros|thermals|production_models|constraints)\.\d+\./, "")
        .replace(/\.(\d+)\./, "[$1].");
      const told = `${field}: is a field of Cobre 0.5; the case is written for Cobre 0.18, see training.selection in config.json: `;
      const found = issues.find(
        (issue) => issue.startsWith(`error ${file}: `) && issue.includes(told),
      );
      assert.match(found ?? "", instead, `${file} ${path} is not among\n${issues.join("\n")}`);
    }
  });

  it("once, even where the right name is missing", async () => {
    const old = withValue("stages.json", "stages.0.num_openings", undefined);
    const stages = old["stages.json"] as { stages: Record<string, unknown>[] };
    (stages.stages[0] as Record<string, unknown>).num_scenarios = 3;
    const { issues } = await judge({ "stages.json": stages });
    assert.equal(issues.length, 1, issues.join("\n"));
  });

  const COLUMNS: readonly [file: string, table: Columns, column: string, own: string][] = [
    [
      "constraints/penalty_overrides_ncs.parquet",
      columns({ source_id: [3], stage_id: [1], curtailment_cost: [1] }),
      "source_id",
      "ncs_id",
    ],
    [
      "constraints/pumping_bounds.parquet",
      columns({ station_id: [6], stage_id: [1], max_m3s: [1] }),
      "station_id",
      "pumping_station_id",
    ],
    [
      "constraints/penalty_overrides_hydro.parquet",
      columns({ hydro_id: [4], stage_id: [1], fpha_turbined_cost: [1] }),
      "fpha_turbined_cost",
      "turbined_cost",
    ],
    [
      "constraints/generic_constraint_bounds.parquet",
      columns({ constraint_id: [2], stage_id: [1], bound: [1] }),
      "bound",
      "bound_lower, bound_upper, or both",
    ],
  ];
  for (const [file, table, column, own] of COLUMNS)
    it(`${file} ${column}`, async () => {
      const { issues } = await judge({ [file]: table });
      const told = issues.filter((issue) => issue.includes("is a column of Cobre 0.5"));
      assert.deepEqual(told, [
        `error ${file}: ${column}: is a column of Cobre 0.5; the case is written for Cobre 0.18, see training.selection in config.json: give ${own}`,
      ]);
      assert.ok(
        !issues.some((issue) => issue.includes("this column is missing")),
        issues.join("\n"),
      );
    });

  it("constraints/exchange_factors.json, a file of its own", async () => {
    const { issues } = await judge({
      "constraints/exchange_factors.json": { exchange_factors: [] },
    });
    assert.equal(issues.length, 1, issues.join("\n"));
    assert.match(
      issues[0] ?? "",
      /^error constraints\/exchange_factors\.json: is a file of Cobre 0\.5; .*: give capacities in MW by block_id/,
    );
  });
});

describe("what Cobre 0.18 knows and this version does not is refused by name", () => {
  const FIELDS: readonly [file: string, path: string, value: unknown, told: RegExp][] = [
    [
      "config.json",
      "training.scenario_source",
      { seed: 7, inflow: { scheme: "historical" } },
      /training\.scenario_source\.inflow\.scheme: asks for historical; this version cannot do that yet/,
    ],
  ];
  it("all of them at once", async () => {
    const changes: Record<string, object> = {};
    for (const [file, path, value] of FIELDS) {
      const before = (changes[file] ?? laterCase()[file]) as object;
      changes[file] = withValue(file, path, value, before)[file] as object;
    }
    const { issues } = await judge(changes);
    assert.equal(issues.length, FIELDS.length, issues.join("\n"));
    for (const [file, , , told] of FIELDS) {
      assert.ok(
        issues.some((issue) => issue.startsWith(`error ${file}: `) && told.test(issue)),
        `${told} is not among\n${issues.join("\n")}`,
      );
    }
  });
});

it("all faults of a case for Cobre 0.18 are told at once, unknown fields among them", async () => {
  const { issues } = await judge({
    ...withValue("config.json", "training.nobody", 1),
    ...withValue("stages.json", "stages.0.num_openings", "x"),
    ...withValue("penalties.json", "bus.excess_cost", undefined),
    ...withValue("system/buses.json", "buses.0.operational_start_date", "soon"),
    ...withValue("system/hydros.json", "hydros.0.unit_groups.0.bus_id", 0.5),
    ...withValue("system/thermals.json", "thermals.0.operational_start_date", undefined),
  });
  assert.deepEqual(issues.sort(), [
    "error config.json: training.nobody: is not a known field; remove it, it has no effect",
    "error penalties.json: bus.excess_cost: is missing; must be given",
    'error stages.json: stage 0: num_openings: is the text "x"; must be a whole number',
    'error system/buses.json: bus 1: operational_start_date: is "soon"; must be a day, as in 2024-01-31',
    "error system/hydros.json: hydro 4: unit_groups[0].bus_id: is 0.5; must be a whole number of at most 53 bits",
    "error system/thermals.json: thermal 0: operational_start_date: is missing; must be given",
  ]);
});
