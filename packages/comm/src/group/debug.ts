/**
 * With `COBRE_COMM_DEBUG=1`, a line on stderr for every decision about how ranks communicate, and for
 * every path that was rejected, with the reason.
 */
import type { CommDescription } from "../communicator.js";
import { warn } from "./warning.js";

/** Reports a decision. `who` is this process's rank, once it is known. */
export function debug(who: number | undefined, text: string): void {
  if (process.env.COBRE_COMM_DEBUG !== "1") return;
  warn(`cobre comm${who === undefined ? "" : ` [rank ${who}]`}: ${text}\n`);
}

/** Writes a debug line about the group, and one for each path that was agreed on. */
export function debugDescription({ backend, rank, size, machines, paths }: CommDescription): void {
  const where = machines.length === 1 ? "one machine" : `${machines.length} machines`;
  debug(rank, `joined ${size} ranks on ${where} over ${backend}`);
  for (const [name, path] of Object.entries(paths)) debug(rank, `${name}: ${path}`);
}
