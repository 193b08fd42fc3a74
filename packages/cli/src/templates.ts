/** The example cases that `cobre init` copies. */
import { existsSync } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dialect } from "@cobre/core";

export const TEMPLATES = {
  "one-reservoir": { about: "a year with one reservoir and two plants; takes a second" },
  "sddp-tutorial": {
    about: "three months with one reservoir and one plant, small enough to follow by hand",
  },
  fast: { about: "two months, of which the second may be wet or dry" },
  "four-regions": {
    about: "two years, 4 reservoirs, 36 plants, lines between four regions",
  },
} as const;

export type Template = keyof typeof TEMPLATES;
export const DEFAULT_TEMPLATE: Template = "one-reservoir";

/** In the package, and in the checkout. */
const PLACES = ["../templates/", "../../../examples/cases/"];

/** What a template for Cobre 0.5 has at the end of its name. Only some have one. */
const EARLIER = "-0.5";

/** Copies a template to a directory that does not exist or is empty, as a case for a version of Cobre. */
export async function copyTemplate(
  template: Template,
  directory: string,
  dialect: Dialect,
): Promise<void> {
  const { OutputError } = await import("@cobre/io");
  const { SCHEMA_FOLDER, writeSchemas } = await import("./schemas.js");
  const from = placeOf(dialect === "0.5" ? `${template}${EARLIER}` : template);
  if (from === undefined) {
    const problem =
      dialect === "0.5" && placeOf(template) !== undefined
        ? `${template} is there for Cobre 0.18 only; for Cobre 0.5 take --template ${DEFAULT_TEMPLATE}`
        : `the template ${template} is not in this installation; take it from examples/cases of the repository`;
    throw new OutputError("InvalidOutput", template, problem);
  }
  if (existsSync(directory) && !(await isEmpty(directory))) {
    throw new OutputError(
      "OutputExists",
      directory,
      `${directory} is not empty; choose another directory`,
    );
  }
  try {
    // Results of runs in the checkout are no part of the case, and its schemas are written anew.
    const filter = (path: string) => !["output", SCHEMA_FOLDER].includes(basename(path));
    await cp(from, directory, { recursive: true, filter });
  } catch (cause) {
    throw OutputError.of(directory, cause);
  }
  writeSchemas(join(directory, SCHEMA_FOLDER), ["json"], dialect);
}

/** Where a case is; `undefined` if there is none of this name. */
function placeOf(name: string): string | undefined {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

async function isEmpty(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length === 0;
  } catch {
    return false; // a file
  }
}
