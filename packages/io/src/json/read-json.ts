import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IssueCollector } from "@cobre/core";
import { type CaseDirectory, dialectOf, MemoryCase, pathOf } from "../memory/memory-case.js";
import { mergePatch } from "./merge-patch.js";
import { ObjectReader } from "./object-reader.js";

/**
 * Opens a JSON file of the case, or the field of that name, and merges `patch` into it. Returns `undefined` if it cannot be used; all errors are
 * reported, except that an optional file is missing.
 */
export async function readJson(
  directory: CaseDirectory,
  file: string,
  issues: IssueCollector,
  isOptional = false,
  patch?: object,
): Promise<ObjectReader | undefined> {
  const found =
    directory instanceof MemoryCase
      ? directory.document(file)
      : await readJsonFile(join(pathOf(directory) ?? "", file), file, issues, isOptional);
  if (found === undefined) {
    const isTold = !(directory instanceof MemoryCase) || isOptional;
    if (!isTold) issues.error("schema", { file }, "is missing", "every case needs it");
    return undefined;
  }
  const patched = patch === undefined ? found : mergePatch(found, patch);
  return new ObjectReader(patched, { file }, "", issues, dialectOf(directory));
}

/** The value of a JSON file, which messages call `file`. Returns `undefined` under the conditions of {@link readJson}. */
export async function readJsonFile(
  path: string,
  file: string,
  issues: IssueCollector,
  isOptional = false,
): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) {
      if (!isOptional) issues.error("schema", { file }, "is missing", "every case needs this file");
    } else {
      issues.error(
        "schema",
        { file },
        `cannot be read: ${reasonOf(error)}`,
        "it must be a readable file",
      );
    }
    return undefined;
  }
  if (text.trim() === "") {
    issues.error("schema", { file }, "is empty", "it must hold a JSON object");
    return undefined;
  }
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch (error) {
    issues.error(
      "schema",
      { file },
      `is not JSON: ${reasonOf(error)}`,
      "look for a missing bracket, quote or comma",
    );
    return undefined;
  }
}

/** Whether the error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
