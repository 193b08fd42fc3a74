import { readFile } from "node:fs/promises";
import { ValidationError } from "@cobre/core";
import { changedSettings } from "@cobre/study";
import type { CaseFlags } from "../commands/case-options.js";

/** The settings that options give: an object that is merged into a case's `config.json`. */
export async function settingsFrom(
  directory: string,
  { config, set, iterations, seed }: CaseFlags,
): Promise<object | undefined> {
  const settings = await readSettings(config);
  return changedSettings(directory, { settings, set, iterations, seed });
}

/** Reads the file given with `--config`. */
async function readSettings(file: string | undefined): Promise<object | undefined> {
  if (file === undefined) return undefined;
  try {
    const settings: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) {
      return settings;
    }
    throw new TypeError("it is not an object");
  } catch (cause) {
    const problem = `cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
    const remedy = "it must hold a JSON object with the settings that differ from config.json";
    throw new ValidationError([{ severity: "error", layer: "schema", file, problem, remedy }]);
  }
}
