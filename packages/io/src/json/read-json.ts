import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IssueCollector } from "@cobre/core";
import { mergePatch } from "./merge-patch.js";
import { ObjectReader } from "./object-reader.js";

/** Opens a JSON file of the case and merges `patch` into it. Returns `undefined` if it cannot be used; all errors are reported, except that an optional file is missing. */
export async function readJson(
  directory: string,
  file: string,
  issues: IssueCollector,
  isOptional = false,
  patch?: object,
): Promise<ObjectReader | undefined> {
  let text: string;
  try {
    text = await readFile(join(directory, file), "utf8");
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
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    const patched = patch === undefined ? value : mergePatch(value, patch);
    return new ObjectReader(patched, { file }, "", issues);
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
