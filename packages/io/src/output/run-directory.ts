import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { MAGIC } from "../policy/container.js";
import { OUTPUT_FILES } from "./output-files.js";

/** The file that marks the output directory of a run, and by which the run locks it. */
export const LOCK_FILE = ".cobre-run";

/** Whether the directory holds a run: it has our mark, one of our policies, or metadata of ours. */
export function isRunDirectory(directory: string): boolean {
  if (existsSync(join(directory, LOCK_FILE))) return true;
  if (startsWith(join(directory, OUTPUT_FILES.policy), MAGIC)) return true;
  const { trainingMetadata, simulationMetadata } = OUTPUT_FILES;
  return [trainingMetadata, simulationMetadata].some((name) => isMetadata(join(directory, name)));
}

function startsWith(path: string, text: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(text.length);
      readSync(file, bytes);
      return bytes.toString("latin1") === text;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

function isMetadata(path: string): boolean {
  try {
    const { cobre_version: version } = JSON.parse(readFileSync(path, "utf8"));
    return typeof version === "string";
  } catch {
    return false;
  }
}
