import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../refusal.js";
import type { Roots } from "./roots.js";

/** More files than any case or run has; beyond that a folder is something else. */
const MOST_ENTRIES = 200_000;

/**
 * Refuses a folder with a symbolic link in it that leads out of the roots, because the readers of cases and runs follow links. With
 * `toWrite`, every link is refused.
 */
export async function checkTree(roots: Roots, folder: string, toWrite = false): Promise<void> {
  const waiting = [folder];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      seen++;
      if (seen > MOST_ENTRIES) {
        throw new Refusal(
          `${roots.shown(folder)} has too many files`,
          "Give the folder of a case or of a run.",
        );
      }
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isSymbolicLink()) continue;
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined && roots.has(real) && !toWrite) continue;
      throw new Refusal(
        `${roots.shown(path)} is a symbolic link${toWrite ? "" : " that leads out of the folders of this server"}`,
        "Replace the link by the file itself, or use another folder.",
      );
    }
  }
}
