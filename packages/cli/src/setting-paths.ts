/** The settings of `config.json`, by their paths, for `--set`. */
import { CASE_FILES, type Dialect } from "@cobre/core";
import { type JsonSchema, nearest } from "@cobre/io";
import { caseSchemas } from "@cobre/sddp";

/** The paths of all settings, those of cases for Cobre 0.18 among them: `training.forward_passes`. Lists are settings as a whole. */
export function settingPaths(): string[] {
  return [...new Set(DIALECTS.flatMap(pathsOf))];
}

function pathsOf(dialect: Dialect): string[] {
  return pathsIn(configSchema(dialect), "").filter((path) => path !== "$schema");
}

/** The names of Cobre 0.5 first: they are the shorter ones, and settings of any case may use them. */
const DIALECTS: readonly Dialect[] = ["0.5", "0.18"];

/** Made once: the readers are asked for every field. */
const configSchemas = new Map<Dialect, JsonSchema>();

function configSchema(dialect: Dialect): JsonSchema {
  const made = configSchemas.get(dialect);
  if (made !== undefined) return made;
  const schemas = caseSchemas(undefined, dialect);
  const schema = schemas.find(({ file }) => file === CASE_FILES.config)?.schema ?? {};
  configSchemas.set(dialect, schema);
  return schema;
}

function pathsIn(schema: JsonSchema, path: string): string[] {
  const forms = [schema, ...((schema.oneOf ?? []) as readonly JsonSchema[])];
  const fields = forms.flatMap((form) =>
    Object.entries((form.properties ?? {}) as Record<string, JsonSchema>),
  );
  if (fields.length === 0) return [path];
  return fields
    .filter(([, field]) => field.deprecated !== true)
    .flatMap(([key, field]) => pathsIn(field, path === "" ? key : `${path}.${key}`));
}

/** What is wrong with a path that is none of a setting, or `undefined`. A section is a setting, too: `--set policy={}`. */
export function faultOfPath(path: string): string | undefined {
  // Most paths are in the first dialect. To make the schema of the other takes as long as a small case.
  const isSetting = (one: string) => one === path || one.startsWith(`${path}.`);
  if (DIALECTS.some((dialect) => pathsOf(dialect).some(isSetting))) return undefined;
  const known = settingPaths();
  const inside = known.find((one) => path.startsWith(`${one}.`));
  if (inside !== undefined && isFree(inside)) return undefined;
  if (inside !== undefined) return `--set ${path}: ${inside} is one value, without parts`;
  const sections = known.flatMap((one) => {
    const parts = one.split(".");
    return parts.map((_, i) => parts.slice(0, i + 1).join("."));
  });
  const like =
    nearest(path, sections) ??
    known.find((one) => one.split(".").at(-1) === path.split(".").at(-1));
  const hint = like === undefined ? "cobre schema config lists all" : `did you mean ${like}?`;
  return `--set ${path}: there is no such setting; ${hint}`;
}

/** Whether anything may stand at the path. */
function isFree(path: string): boolean {
  return DIALECTS.every((dialect) => {
    const found = path
      .split(".")
      .reduce<JsonSchema>(
        (schema, key) => (schema.properties as Record<string, JsonSchema> | undefined)?.[key] ?? {},
        configSchema(dialect),
      );
    return found.type === undefined;
  });
}
