/** What must be true of an output directory whatever happened to the run that wrote it. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readOutputTable } from "@cobre/io";
import { decodePolicy, hashPolicy } from "@cobre/sddp";

/** The files below a directory, without those that say of themselves that they are not finished. */
export function filesOf(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1))
    .filter((name) => !name.split("/").some((part) => part.endsWith(".partial")))
    .sort();
}

/** The same names without the ranges of scenarios, which depend on the number of ranks. */
export function withoutRanges(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.replace(/scenarios_\d+-\d+/, "scenarios")))];
}

/** No half file; and results that are there are those of the policy, all of them. */
export async function assertNothingHalf(directory: string, whole: string): Promise<void> {
  const files = filesOf(directory);
  for (const name of files) {
    const path = join(directory, name);
    if (name.endsWith(".parquet")) await readOutputTable(path);
    if (name.endsWith(".json")) JSON.parse(readFileSync(path, "utf8"));
    if (name.endsWith("policy.bin")) decodePolicy(readFileSync(path), path);
  }
  for (const folder of ["training", "simulation"]) {
    const inFolder = (names: readonly string[]) =>
      withoutRanges(names).filter(
        (name) => name.startsWith(`${folder}/`) && name !== `${folder}/_SUCCESS`,
      );
    const found = inFolder(files);
    if (found.length === 0) continue;
    assert.deepEqual(found, inFolder(filesOf(whole)), `${folder} is not whole`);
  }
  if (!files.includes("training/metadata.json")) return;
  const metadata = JSON.parse(readFileSync(join(directory, "training/metadata.json"), "utf8"));
  const policy = join(directory, "policy/policy.bin");
  const hashes = hashPolicy(decodePolicy(readFileSync(policy), policy));
  assert.deepEqual({ ...metadata.hashes }, { ...hashes }, "results of another policy");
}
