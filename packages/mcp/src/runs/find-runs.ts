import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CASE_FILES } from "@cobre/core";
import { isRunDirectory } from "@cobre/io";
import type { Roots } from "../files/roots.js";

/** A folder that holds something of ours. */
export interface FoundFolder {
  /** The real path. */
  readonly directory: string;
}

/** Folders below a root are looked at so deep, … */
const DEEPEST = 6;
/** … so many of them, … */
const MOST_FOLDERS = 5000;
/** … but not these. */
const SKIPPED = /^(\.|node_modules$|training$|simulation$|policy$|stochastic$|mcp$|schemas$)/;

/** The output directories of runs in the roots. */
export async function findRuns(roots: Roots): Promise<FoundFolder[]> {
  return await findFolders(roots, async (folder) => isRunDirectory(folder));
}

/** The case directories in the roots. */
export async function findCases(roots: Roots): Promise<FoundFolder[]> {
  return await findFolders(roots, async (_, names) =>
    [CASE_FILES.config, CASE_FILES.stages].every((name) => names.has(name)),
  );
}

/** Symbolic links are not followed. */
async function findFolders(
  roots: Roots,
  isFound: (folder: string, names: ReadonlySet<string>) => Promise<boolean>,
): Promise<FoundFolder[]> {
  const found = new Set<string>();
  let seen = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    seen++;
    if (seen > MOST_FOLDERS) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (await isFound(folder, new Set(entries.map(({ name }) => name)))) found.add(folder);
    if (depth === DEEPEST) return;
    for (const entry of entries) {
      if (!entry.isDirectory() || SKIPPED.test(entry.name)) continue;
      await visit(join(folder, entry.name), depth + 1);
    }
  };
  for (const root of roots.folders) await visit(root, 0);
  return [...found].sort().map((directory) => ({ directory }));
}
