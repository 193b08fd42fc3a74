import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { CASE_FILES, type IssueCollector } from "@cobre/core";
import { readJsonFile } from "../json/read-json.js";
import { MemoryCase } from "./memory-case.js";

/** Reads a case that is one JSON file. Returns `undefined` if it cannot be read, which is reported. */
export async function readCaseFile(
  path: string,
  issues: IssueCollector,
): Promise<MemoryCase | undefined> {
  const file = basename(path);
  const value = await readJsonFile(path, file, issues);
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    issues.error("schema", { file }, "is not an object", "it must hold the parts of a case");
    return undefined;
  }
  return new MemoryCase({ name: file.replace(/\.json$/, ""), ...value });
}

/**
 * The configuration of a case as it stands, before any rule has judged it: of a directory or a JSON file. Empty if it cannot be read, which
 * `loadCase` reports.
 */
export async function rawConfig(path: string): Promise<unknown> {
  const ofDirectory = await parsedJson(join(path, CASE_FILES.config));
  if (ofDirectory !== undefined) return ofDirectory;
  const whole = (await parsedJson(path)) as { readonly config?: unknown } | null | undefined;
  return whole?.config ?? {};
}

/** What a JSON file holds; `undefined` if it cannot be read, which its reader reports. */
export async function parsedJson(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
