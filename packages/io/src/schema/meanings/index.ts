import { unitOf } from "../units.js";
import { LATER, LATER_SHARED } from "./later.js";
import type { Meaning } from "./meaning.js";
import { SETTINGS } from "./settings.js";
import { SHARED } from "./shared.js";
import { SYSTEM } from "./system.js";
import { TABLES } from "./tables.js";

const FILES = { ...SETTINGS, ...SYSTEM, ...TABLES };

/**
 * What a field of a file means: what is said of its path, else of its name in the file, else of its name in all files. `undefined` for a
 * field of which nothing is said, such as a setting of a plug-in.
 *
 * @param path as in `hydros[].reservoir.min_storage_hm3`; the column of a table
 */
export function meaningOf(file: string, path: string): Meaning | undefined {
  const name = path.replace(/^.*\./, "");
  const [ofFile, later] = [FILES[file] ?? {}, LATER[file] ?? {}];
  const found =
    ofFile[path] ??
    later[path] ??
    ofFile[name] ??
    later[name] ??
    SHARED[name] ??
    LATER_SHARED[name];
  if (found === undefined) return undefined;
  const meaning = typeof found === "string" ? { text: found } : found;
  const unit = meaning.unit ?? unitOf(name);
  return unit === undefined ? meaning : { ...meaning, unit };
}
