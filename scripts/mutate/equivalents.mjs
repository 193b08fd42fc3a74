/**
 * Changes that no test can notice, since the program does the same with them. Each entry of `equivalent.json` says why. It is found by the
 * code it is about and not by a line number, so that it survives edits around it.
 */
import { existsSync, readFileSync } from "node:fs";

const FIELDS = ["file", "within", "before", "after", "reason"];

export class Equivalents {
  #entries;
  #used = new Set();

  constructor(path) {
    this.#entries = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
    for (const entry of this.#entries) {
      const missing = FIELDS.filter((field) => typeof entry[field] !== "string");
      if (missing.length > 0 || entry.reason === "")
        throw new Error(`${path}: no ${missing[0] ?? "reason"} in ${JSON.stringify(entry)}`);
    }
  }

  /** Whether a change is one of them. */
  has(change) {
    const found = this.#entries.filter((entry) => isAbout(entry, change));
    for (const entry of found) this.#used.add(entry);
    return found.length > 0;
  }

  /** The entries about these files that none of their changes matched. */
  stale(files) {
    return this.#entries.filter((entry) => files.has(entry.file) && !this.#used.has(entry));
  }
}

/** What a survivor's entry would be, but for the reason. */
export function entryOf({ file, within, before, after }) {
  return { file, within, before, after, reason: "" };
}

function isAbout(entry, change) {
  return ["file", "within", "before", "after"].every((field) => entry[field] === change[field]);
}
