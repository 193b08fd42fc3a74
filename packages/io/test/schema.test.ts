/** The schemas say what the readers say: files that are read are valid, and what a reader refuses by type a schema refuses, too. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { CASE_FILES, type Dialect, formatIssue, IssueCollector } from "@cobre/core";
import { ObjectReader } from "@cobre/io";
import { caseSchemas, validateCase } from "@cobre/sddp";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { explore, jsonFiles, schemaOf } from "#internal";
import { formatsWith } from "../../sddp/dist/internal.js";
import { stage } from "./case-folder.js";
import { fullCase } from "./full-case.js";
import { laterCase } from "./later-case.js";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

// `format: date` is for editors; days have a pattern, too.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  formats: { date: true },
});
const schemas = caseSchemas();
const DIALECTS = ["0.5", "0.18"] as const satisfies readonly Dialect[];
const validators = new Map<string, ValidateFunction>(
  DIALECTS.flatMap((dialect) =>
    caseSchemas(undefined, dialect).map(
      ({ file, schema }) => [`${dialect} ${file}`, ajv.compile(schema)] as const,
    ),
  ),
);

function faultsOf(file: string, value: unknown, dialect: Dialect = "0.5"): string[] {
  const validate = validators.get(`${dialect} ${file}`) ?? assert.fail(`no schema for ${file}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** The JSON files of a case that has them. */
function jsonFilesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".json") && !/^(schemas|output)\//.test(file));
}

describe("the schemas", () => {
  it("are there for every file of a case that is read", () => {
    const files = DIALECTS.flatMap((dialect) =>
      caseSchemas(undefined, dialect).map(({ file }) => file),
    );
    assert.deepEqual(
      Object.values(CASE_FILES).filter((file) => !files.includes(file)),
      [],
    );
    for (const dialect of DIALECTS) {
      const names = caseSchemas(undefined, dialect).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
    }
  });

  it("name columns of tables with their rules", () => {
    const table = schemas.find(({ file }) => file === CASE_FILES.inflowAutoregressions);
    const row = { hydro_id: 0, stage_id: 1, lag: 1, coefficient: 0.5, residual_std_ratio: 0.9 };
    assert.equal(table?.kind, "table");
    assert.deepEqual(faultsOf(CASE_FILES.inflowAutoregressions, row), []);
    for (const fault of [
      { lag: 0 },
      { lag: 1.5 },
      { residual_std_ratio: 2 },
      { coefficient: "x" },
      { other: 1 },
    ])
      assert.notDeepEqual(faultsOf(CASE_FILES.inflowAutoregressions, { ...row, ...fault }), []);
    assert.deepEqual(
      faultsOf(CASE_FILES.thermalBounds, { thermal_id: 0, stage_id: 0, block_id: null }),
      [],
    );
    assert.notDeepEqual(faultsOf(CASE_FILES.thermalBounds, { thermal_id: 0 }), []);
  });

  it("accept nodes, and a cycle without them", () => {
    const stages = [{ ...stage(0), num_scenarios: 1 }];
    const graph = (fields: object) => ({
      policy_graph: { annual_discount_rate: 0.1, ...fields },
      stages,
    });
    const nodes = [{ id: 0, stage_id: 0, label: "wet" }];
    const transitions = [{ source_id: 0, target_id: 1, probability: 0.5 }];
    const tree = graph({ type: "finite_horizon", nodes, transitions });
    assert.deepEqual(faultsOf(CASE_FILES.stages, tree), []);
    assert.deepEqual(faultsOf(CASE_FILES.stages, graph({ type: "cyclic" })), []);
    assert.notDeepEqual(faultsOf(CASE_FILES.stages, graph({ type: "circle" })), []);
  });

  for (const name of readdirSync(EXAMPLES)) {
    it(`accept every file of the example ${name}, and are named there`, () => {
      const directory = join(EXAMPLES, name);
      const files = jsonFilesOf(directory);
      const dialect = name.endsWith("-0.5") ? "0.5" : "0.18";
      const known = caseSchemas(undefined, dialect);
      assert.ok(files.length >= 8);
      for (const file of files) {
        const value = JSON.parse(readFileSync(join(directory, file), "utf8"));
        assert.deepEqual(faultsOf(file, value, dialect), [], file);
        const { name: schema } = known.find((one) => one.file === file) ?? assert.fail(file);
        const up = "../".repeat(file.split("/").length - 1);
        assert.equal(value.$schema, `${up}schemas/${schema}`, file);
      }
    });
  }

  if (referenceCases === undefined) noReferenceCases("accept the cases of the Cobre project");
  else {
    const cases = referenceCases;
    for (const name of readdirSync(cases).filter((one) =>
      existsSync(join(cases, one, "config.json")),
    )) {
      it(`judge ${name} as the readers do`, async () => {
        const directory = join(cases, name);
        const { case: found, issues } = await validateCase(directory);
        const faults = jsonFilesOf(directory).flatMap((file) => {
          const value = JSON.parse(readFileSync(join(directory, file), "utf8"));
          const dialect = name.endsWith("-0.18") ? "0.18" : "0.5";
          return faultsOf(file, value, dialect).map((fault) => `${file}${fault}`);
        });
        if (found !== undefined) assert.deepEqual(faults, []);
        else assert.notDeepEqual(faults, [], issues.map(formatIssue).join("\n"));
      });
    }
  }
});

/** The places of all values in a JSON value. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...at, key]))];
}

const REMOVED = Symbol("removed");
/** What stands in the place of a value. One of them has its type. */
const OTHERS = [REMOVED, null, true, "text", 0.5, -7, {}, [{}], [], { unknown_field: 1 }];

function changed(content: unknown, at: readonly string[], value: unknown): unknown {
  const copy = structuredClone(content) as Record<string, unknown>;
  const last = at.at(-1);
  if (last === undefined) return value;
  const parent = at.slice(0, -1).reduce((node, key) => node[key] as Record<string, unknown>, copy);
  if (value !== REMOVED) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

/** What a reader says that no schema can: it goes across fields, or it is about one value of many. */
const BEYOND =
  /has no iteration_limit|is not the next|with probability|seed: is missing|output_path: is "text"|is not a known method|does not change the flow|has no effect (yet|with)|threshold: has no effect;|fpha_deviation_points: has no effect|of all groups is|has rows of another length|hydro \d+: bus_id: is (missing|null)/;

describe("a schema and a reader agree on every change of", () => {
  const FILES = DIALECTS.flatMap((dialect) =>
    jsonFiles(formatsWith({}), dialect).map(([file, , read]) => ({ dialect, file, read })),
  );
  for (const { dialect, file, read } of FILES) {
    const content = (dialect === "0.5" ? fullCase() : laterCase())[file];
    if (content === undefined) continue;
    it(`${file} of Cobre ${dialect}`, () => {
      const judge = (value: unknown): string[] => {
        const issues = new IssueCollector();
        read(new ObjectReader(value, { file }, "", issues, dialect), issues);
        return issues.issues.map(formatIssue).filter((text) => !BEYOND.test(text));
      };
      assert.deepEqual(judge(content), []);
      assert.deepEqual(faultsOf(file, content, dialect), []);
      let refused = 0;
      for (const at of placesIn(content)) {
        for (const other of OTHERS) {
          if (at.length === 0 && other === REMOVED) continue;
          if (at.at(-1) === "$schema") continue; // readers do not look at it
          const value = changed(content, at, other);
          const [told, faults] = [judge(value), faultsOf(file, value, dialect)];
          const change = `${at.join(".")} = ${other === REMOVED ? "removed" : JSON.stringify(other)}`;
          assert.equal(
            faults.length > 0,
            told.length > 0,
            `${change}\nreader: ${told.join("\n")}\nschema: ${faults.join("\n")}`,
          );
          if (told.length > 0) refused++;
        }
      }
      assert.ok(refused > 10, `only ${refused} changes were refused`);
    });
  }
});

describe("a schema that is recorded", () => {
  const made = (read: Parameters<typeof explore>[0]) => schemaOf(explore(read));

  it("has other fields for each choice, without those that are refused", () => {
    const schema = made((root, issues) => {
      const kind = root.choice("kind", ["a", "b", "c"]);
      if (kind === "a") root.number("x", { min: 0 });
      if (kind === "b") root.text("y");
      if (kind === "c") issues.error("schema", { file: "f" }, "asks for c", "no");
      root.finish();
    });
    const variant = (kind: string, field: string, type: object) => ({
      type: "object",
      properties: { kind: { const: kind }, [field]: type },
      required: ["kind", field],
      additionalProperties: false,
    });
    const x = { type: "number", minimum: 0 };
    assert.deepEqual(schema, {
      oneOf: [variant("a", "x", x), variant("b", "y", { type: "string" })],
    });
  });

  it("asks only for what is asked for whether or not a field is there", () => {
    const schema = made((root) => {
      if (root.has("a")) root.text("a");
      if (root.has("b")) root.report("b", "is there", "remove it");
      root.integer("c");
      root.boolean("d", true);
      if (root.boolean("e", false)) root.cannot("e", "something");
      if ((root.optionalList("f") ?? []).length > 0) root.cannot("f", "something");
    });
    assert.deepEqual(schema, {
      type: "object",
      properties: {
        a: { type: ["string", "null"] },
        b: { type: "null" },
        c: { type: "integer" },
        d: { type: ["boolean", "null"], default: true },
        e: { enum: [false, null], default: false },
        f: { type: ["array", "null"], maxItems: 0 },
      },
      required: ["c"],
    });
  });

  it("cannot be made of a reader that accepts nothing", () => {
    assert.throws(() => made((root) => root.report("a", "is", "no")), /accepts no file/);
  });
});
