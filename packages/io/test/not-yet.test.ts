/** What this version cannot do is refused wherever a case asks for it, and only there. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { LATER_FIELDS } from "#internal";
import { columns, type FileContent, withCase } from "./case-folder.js";
import { fullCase } from "./full-case.js";

async function issuesOf(changes: Readonly<Record<string, FileContent>>): Promise<string[]> {
  let found: string[] = [];
  await withCase({ ...fullCase(), ...changes }, async (directory) => {
    const { issues } = await validateCase(directory);
    found = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return found;
}

/** A file of the full case with a field set in one of its objects. */
function withField(
  file: string,
  at: string,
  field: string,
  value: unknown,
  content: FileContent = fullCase()[file],
): Record<string, object> {
  const copy = structuredClone(content) as Record<string, unknown>;
  const keys = at === "" ? [] : at.split(".");
  const object = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
  object[field] = value;
  return { [file]: copy };
}

describe("a field of Cobre 0.18 is refused", () => {
  const PLACES: Readonly<Record<keyof typeof LATER_FIELDS, readonly [file: string, at: string][]>> =
    {
      training: [["config.json", "training"]],
      solver: [["config.json", "training.solver"]],
      cutSelection: [["config.json", "training.cut_selection"]],
      scenarioSource: [
        ["config.json", "training.scenario_source"],
        ["config.json", "simulation.scenario_source"],
      ],
      modeling: [["config.json", "modeling"]],
      simulation: [["config.json", "simulation"]],
      stages: [["stages.json", "stages.1"]],
      hydroPenalties: [
        ["penalties.json", "hydro"],
        ["system/hydros.json", "hydros.1.penalties"],
      ],
      productionModels: [["system/hydro_production_models.json", ""]],
      productionChoice: [
        ["system/hydro_production_models.json", "production_models.0.stage_ranges.0"],
      ],
      bus: [["system/buses.json", "buses.0"]],
      line: [["system/lines.json", "lines.0"]],
      thermal: [["system/thermals.json", "thermals.0"]],
      hydro: [["system/hydros.json", "hydros.0"]],
      pumpingStation: [["system/pumping_stations.json", "pumping_stations.0"]],
      energyContract: [["system/energy_contracts.json", "contracts.0"]],
      nonControllable: [["system/non_controllable_sources.json", "non_controllable_sources.0"]],
    };
  const all = Object.entries(PLACES).flatMap(([kind, places]) =>
    places.flatMap(([file, at]) =>
      Object.keys(LATER_FIELDS[kind as keyof typeof LATER_FIELDS]).map((field) => ({
        file,
        at,
        field,
      })),
    ),
  );
  const withAll = (value: unknown) => {
    const changes: Record<string, object> = {};
    for (const { file, at, field } of all) {
      const before = changes[file] ?? (fullCase()[file] as object);
      Object.assign(changes, withField(file, at, field, value, before));
    }
    return issuesOf(changes);
  };

  it("by its name in every object that may have it", async () => {
    const issues = await withAll(1);
    assert.equal(issues.length, all.length, issues.join("\n"));
    for (const { file, field } of all) {
      const told = new RegExp(`^error ${file}: .*\\b${field}: is a field of Cobre 0\\.18`);
      assert.equal(
        issues.filter((issue) => told.test(issue)).length,
        all.filter((one) => one.file === file && one.field === field).length,
        `${file} ${field}\n${issues.join("\n")}`,
      );
    }
  });

  it("unless it is null", async () => assert.deepEqual(await withAll(null), []));
});

describe("a column that this version cannot use is refused", () => {
  const COLUMNS: readonly [
    file: string,
    column: string,
    asksForNothing: number | null,
    asks: number,
  ][] = [["penalty_overrides_hydro", "turbined_cost", 0, 1]];
  for (const [name, column, asksForNothing, asks] of COLUMNS)
    it(`${column} of ${name}, unless it asks for nothing`, async () => {
      const file = `constraints/${name}.parquet`;
      const table = (value: number | null) =>
        issuesOf({
          [file]: columns({ hydro_id: [2, 4], stage_id: [0, 0], [column]: [null, value] }),
        });
      assert.deepEqual(await table(asksForNothing), []);
      assert.deepEqual(await table(asks), [
        `error ${file}: ${column}: asks for ${column}; this version cannot do that yet`,
      ]);
    });

  it("block_id of penalties, with the number of rows that have one", async () => {
    const file = "constraints/penalty_overrides_bus.parquet";
    const content = columns({
      bus_id: [1, 1, 1],
      stage_id: [0, 1, 2],
      excess_cost: [900, 900, 900],
      block_id: [null, 0, 0],
    });
    assert.deepEqual(await issuesOf({ [file]: content }), [
      `error ${file}: block_id: asks for values of a single block, in 2 rows; this version cannot do that yet`,
    ]);
    const compat = withField("config.json", "", "compat", "cobre-0.5");
    const [told] = await issuesOf({ [file]: content, ...compat });
    assert.deepEqual(
      told,
      `warning ${file}: block_id: 2 rows of a single block have no effect; as in Cobre 0.5; remove compat "cobre-0.5" to be told as an error`,
    );
  });
});

describe("a setting that this version cannot follow is refused", () => {
  const SETTINGS: readonly [
    file: string,
    at: string,
    field: string,
    value: unknown,
    told: RegExp,
  ][] = [
    ["config.json", "training", "cut_formulation", "multi", /asks for a cut for each opening/],
    ["config.json", "training.forward_pass", "type", "other", /asks for the forward pass "other"/],
    ["config.json", "upper_bound_evaluation", "enabled", true, /asks for an upper bound by inner/],
    ["config.json", "simulation", "policy_type", "inner", /asks for a policy by inner/],
    [
      "config.json",
      "simulation",
      "output_path",
      "there",
      /output_path: is "there"; results are in/,
    ],
    [
      "config.json",
      "policy",
      "validate_compatibility",
      false,
      /is false; policies are always checked/,
    ],
    [
      "stages.json",
      "",
      "scenario_source",
      {},
      /is no longer a field of this file; move it to training/,
    ],
    ["initial_conditions.json", "", "recent_observations", [{}], /asks for inflows observed/],
  ];
  for (const [file, at, field, value, told] of SETTINGS)
    it(`${field} of ${file}`, async () => {
      const issues = await issuesOf(withField(file, at, field, value));
      assert.equal(issues.length, 1, issues.join("\n"));
      assert.match(issues[0] ?? "", told);
      assert.match(issues[0] ?? "", new RegExp(`^error ${file}: .*${field}: `));
    });

  it("or is told where it makes no difference", async () => {
    const head = withField("system/hydros.json", "hydros.0.generation", "model", "linearized_head");
    assert.deepEqual(await issuesOf(head), [
      "warning system/hydros.json: hydro 4: generation.model: linearized_head is taken as constant_productivity; give fpha where the head matters",
    ]);
    const method = withField("scenarios/correlation.json", "", "method", "other");
    assert.deepEqual(await issuesOf(method), [
      'warning scenarios/correlation.json: method: "other" is not a known method; spectral is used',
    ]);
    for (const known of ["cholesky", "spectral"])
      assert.deepEqual(
        await issuesOf(withField("scenarios/correlation.json", "", "method", known)),
        [],
      );
  });

  it("paths of results are taken in any of their spellings", async () => {
    for (const path of ["simulation", "simulation/", "./simulation", ".", ""])
      assert.deepEqual(
        await issuesOf(withField("config.json", "simulation", "output_path", path)),
        [],
      );
  });

  it("the cost of added water is that of the penalties", async () => {
    const field = ["config.json", "modeling", "inflow_non_negativity"] as const;
    const cost = (method: string, penalty_cost: number) =>
      issuesOf(withField(...field, { method, penalty_cost }));
    assert.deepEqual(await cost("penalty", 900), []);
    assert.deepEqual(await cost("truncation", 1), []);
    assert.deepEqual(await cost("penalty", 1), [
      "warning config.json: modeling.inflow_non_negativity.penalty_cost: is 1 and has no effect: the penalties say 900; set hydro.inflow_nonnegativity_cost in penalties.json, and remove it here",
    ]);
  });
});

describe("files of a case", () => {
  it("that change results just by being there are refused, also as text", async () => {
    const productivities = "system/hydro_energy_productivity";
    for (const file of [`${productivities}.parquet`, `${productivities}.csv`])
      assert.deepEqual(await issuesOf({ [file]: "x" }), [
        `error ${file}: asks for productivities by stage (Cobre 0.18); this version cannot do that yet`,
      ]);
  });

  it("that nothing uses, or nobody knows, are told", async () => {
    assert.deepEqual(await issuesOf({ "system/tailrace_curves.csv": "x" }), [
      "warning system/tailrace_curves.csv: has no effect; fpha uses it where planes are fitted, and no plant of this case has such",
    ]);
    assert.deepEqual(
      await issuesOf({ "system/zzz.json": {}, "system/bus.json": {}, "system/notes.txt": "x" }),
      ["bus", "zzz"].map(
        (name) => `warning system/${name}.json: is not a file of a case; it is not read`,
      ),
    );
    assert.deepEqual(await issuesOf({ "constraints/line_bounds.csv": "line_id,stage_id" }), []);
  });
});
