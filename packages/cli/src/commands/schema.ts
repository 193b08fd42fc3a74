import type { Dialect } from "@cobre/core";
import { Command } from "commander";
import { print } from "../standard-output.js";
import { dialectOption } from "./dialect-option.js";

interface SchemaFlags {
  readonly write?: string;
  readonly json?: boolean;
  readonly dialect: Dialect;
}

const EXAMPLES = `
Examples:
  cobre schema                                 the files of a case, and what they hold
  cobre schema hydros                          the schema of system/hydros.json
  cobre schema thermal_bounds                  the columns of a table
  cobre schema --write my-case/schemas         all of them, where editors find them
  cobre schema --json | jq 'keys'              all of them in one object
  cobre schema hydros --dialect 0.5            the schema of a case for Cobre 0.5

An editor completes and checks a file that begins with {"$schema": "schemas/config.schema.json", …}.
Schemas know fields, types, ranges and choices; cobre validate knows the rest, too.`;

/** `cobre schema`: the JSON Schemas of the files of a case. */
export function schemaCommand(): Command {
  return new Command("schema")
    .summary("show or write the JSON Schemas of the files of a case")
    .description("Shows or writes the JSON Schemas (2020-12) of the files of a case.")
    .argument("[file]", "a file of a case: config, system/hydros.json, thermal_bounds, …")
    .option("-w, --write <directory>", "write all schemas to a directory")
    .option("--json", "print all schemas as one JSON object, by file")
    .addOption(dialectOption())
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(schema);
}

async function schema(name: string | undefined, flags: SchemaFlags, self: Command): Promise<void> {
  const { write, json, dialect } = flags;
  if ([name, write, json].filter((one) => one !== undefined).length > 1) {
    self.error("error: give a file, or --write, or --json; only one of them.");
  }
  const { findSchema, nearestSchema, writeSchemas } = await import("../schemas.js");
  if (write !== undefined) {
    await print(`${writeSchemas(write, ["json", "table"], dialect)} schemas in ${write}\n`);
    return;
  }
  if (name !== undefined) {
    const found = findSchema(name, dialect);
    if (found === undefined) {
      const like = nearestSchema(name, dialect);
      const hint = like === undefined ? "" : `\n(Did you mean ${like}?)`;
      self.error(`error: '${name}' is not a file of a case${hint}`);
    }
    await print(`${JSON.stringify(found.schema, null, 2)}\n`);
    return;
  }
  const { caseSchemas } = await import("@cobre/sddp");
  const all = caseSchemas(undefined, dialect);
  if (json) {
    const byFile = Object.fromEntries(all.map(({ file, schema }) => [file, schema]));
    await print(`${JSON.stringify(byFile, null, 2)}\n`);
    return;
  }
  const width = Math.max(...all.map(({ file }) => file.length));
  const lines = all.map(({ file, about }) => `${file.padEnd(width)}  ${about}\n`);
  await print(lines.join(""));
}
