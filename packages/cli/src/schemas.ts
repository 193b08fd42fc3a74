/** The schemas of a case, as files that editors find. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_DIALECT, type Dialect } from "@cobre/core";
import { type CaseSchema, nearest, OutputError } from "@cobre/io";
import { caseSchemas } from "@cobre/sddp";

/** Where a case has its schemas: `"$schema": "schemas/config.schema.json"`. */
export const SCHEMA_FOLDER = "schemas";

/** Writes schemas of the files of a case to a directory: all, or those of the kinds given. Returns how many. */
export function writeSchemas(
  directory: string,
  kinds: readonly CaseSchema["kind"][] = ["json", "table"],
  dialect: Dialect = DEFAULT_DIALECT,
): number {
  const schemas = caseSchemas(undefined, dialect).filter(({ kind }) => kinds.includes(kind));
  try {
    mkdirSync(directory, { recursive: true });
    for (const { name, schema } of schemas) {
      writeFileSync(join(directory, name), `${JSON.stringify(schema, null, 2)}\n`);
    }
  } catch (cause) {
    throw OutputError.of(directory, cause);
  }
  return schemas.length;
}

/** The schema for a file, by any of its names: `hydros`, `system/hydros.json`, `my-case/system/hydros.json`, `hydros.schema.json`. */
export function findSchema(
  name: string,
  dialect: Dialect = DEFAULT_DIALECT,
): CaseSchema | undefined {
  return caseSchemas(undefined, dialect).find((schema) => baseOf(schema.file) === baseOf(name));
}

/** The name of a schema that may have been meant. */
export function nearestSchema(
  name: string,
  dialect: Dialect = DEFAULT_DIALECT,
): string | undefined {
  return nearest(
    baseOf(name),
    caseSchemas(undefined, dialect).map(({ file }) => baseOf(file)),
  );
}

function baseOf(name: string): string {
  return name.replace(/^.*[\\/]/, "").replace(/(\.schema)?\.(json|parquet|csv)$/, "");
}
