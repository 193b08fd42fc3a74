import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IssueCollector } from "@cobre/core";
import { ObjectReader } from "./object-reader.js";

/** Opens a JSON file of the case. A file that may be absent gives `undefined` then; every other fault is reported. */
export async function readJson(
  directory: string,
  file: string,
  issues: IssueCollector,
  isOptional = false,
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
    return new ObjectReader(value, { file }, "", issues);
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

/** Whether a file is not there. */
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
