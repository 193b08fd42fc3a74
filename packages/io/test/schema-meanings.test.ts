/** What editors show of a field: its meaning, its unit if it has one, and what holds without it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Dialect } from "@cobre/core";
import { caseSchemas } from "@cobre/sddp";

type Schema = Readonly<Record<string, unknown>>;

/** The schema at a path of keys, in which a number is an entry of a list. */
function schemaAt(dialect: Dialect, file: string, path: string): Schema {
  const { schema } =
    caseSchemas(undefined, dialect).find((one) => one.file === file) ?? assert.fail(file);
  return path.split(" ").reduce<Schema>((inner, key) => {
    const next = inner[key] ?? (inner.properties as Schema | undefined)?.[key];
    return (next ?? assert.fail(`${key} of ${path}`)) as Schema;
  }, schema);
}

describe("the description of a field", () => {
  it("has its meaning, unit and default, wherever the field is", () => {
    for (const [dialect, file, path, description] of [
      ["0.5", "system/hydros.json", "hydros items name", "what results and messages call it"],
      ["0.5", "system/hydros.json", "hydros items reservoir min_storage_hm3", /^[^;]+; in hm³$/],
      ["0.5", "system/hydros.json", "hydros items efficiency value", "from 0 to 1"],
      [
        "0.5",
        "system/hydros.json",
        "hydros items entry_stage_id",
        "first stage in which it exists; without it: the first one",
      ],
      [
        "0.5",
        "penalties.json",
        "hydro evaporation_violation_pos_cost",
        "evaporation above what is due; in $ per m³/s and h; without it: that of both directions",
      ],
      ["0.5", "config.json", "training tree_seed", /; without it: 42$/],
      [
        "0.5",
        "scenarios/correlation.json",
        "profiles additionalProperties correlation_groups",
        /./,
      ],
      ["0.5", "scenarios/load_seasonal_stats.parquet", "mean_mw", /; in MW$/],
      ["0.18", "stages.json", "stages items num_openings", "number of openings"],
      [
        "0.18",
        "stages.json",
        "stages items annual_discount_rate_override",
        "discount rate from this stage to the next; without it: that of the graph",
      ],
      ["0.18", "system/buses.json", "buses items id", /^number of the entity; unique in the file/],
    ] as const) {
      const found = schemaAt(dialect, file, path).description;
      if (typeof description === "string") assert.equal(found, description, path);
      else assert.match(String(found), description, path);
    }
  });

  it("is there in every form of an object that has several", () => {
    const rules = schemaAt("0.5", "config.json", "training stopping_rules items");
    const forms = rules.oneOf as readonly Schema[];
    assert.ok(forms.length > 3);
    for (const { properties } of forms) {
      for (const [name, field] of Object.entries(properties as Record<string, Schema>)) {
        assert.equal(typeof field.description, "string", name);
      }
    }
    const measure = schemaAt("0.5", "stages.json", "stages items risk_measure");
    const [, object] = measure.anyOf as readonly Schema[];
    const { cvar } = (object?.properties ?? {}) as Record<string, Schema>;
    const { alpha } = (cvar?.properties ?? {}) as Record<string, Schema>;
    assert.equal(typeof alpha?.description, "string");
  });

  it("says of fields of the other version only whose they are", () => {
    assert.deepEqual(schemaAt("0.5", "penalties.json", "hydro turbined_cost"), {
      type: ["array", "null"],
      maxItems: 0,
      deprecated: true,
      description: "of Cobre 0.18",
    });
    const later = schemaAt("0.18", "penalties.json", "hydro fpha_turbined_cost");
    assert.equal(later.description, "of Cobre 0.5");
  });
});

describe("the schema of a table", () => {
  it("has a type for each column, null where it may be missing, and the days of others", () => {
    assert.deepEqual(schemaAt("0.18", "scenarios/inflow_history.parquet", "start_date").type, [
      "string",
      "integer",
    ]);
    assert.equal(schemaAt("0.18", "scenarios/inflow_history.parquet", "end_date").format, "date");
    const bounds = schemaAt("0.5", "constraints/thermal_bounds.parquet", "properties");
    const types = Object.entries(bounds as Record<string, Schema>).map(([name, { type }]) => [
      name,
      type,
    ]);
    assert.deepEqual(Object.fromEntries(types), {
      thermal_id: "integer",
      stage_id: "integer",
      min_generation_mw: ["number", "null"],
      max_generation_mw: ["number", "null"],
      cost_per_mwh: ["number", "null"],
      block_id: ["integer", "null"],
    });
    assert.equal(schemaAt("0.5", "scenarios/noise_openings.parquet", "opening_index").minimum, 0);
  });

  it("says of the file what it is", () => {
    const { kind, about, schema } =
      caseSchemas().find(({ file }) => file === "constraints/thermal_bounds.parquet") ??
      assert.fail();
    assert.deepEqual(
      [kind, about, schema.title, schema.description, schema.additionalProperties, schema.required],
      [
        "table",
        "bounds of thermal plants by stage",
        "constraints/thermal_bounds.parquet",
        "bounds of thermal plants by stage; a row of the table, Parquet or CSV",
        false,
        ["thermal_id", "stage_id"],
      ],
    );
  });
});
