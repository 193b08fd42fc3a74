/**
 * Where the portable system keeps its files. All ranks of a job must use the same directory for
 * temporary files (`TMPDIR`).
 */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RegionFile } from "./system.js";

/** The file behind the segment with that name. */
export function segmentPath(name: string): string {
  return join(tmpdir(), `cobre-shm-${name.slice(1)}`);
}

/** The file behind a region. */
export function regionPath({ pid, handle }: RegionFile): string {
  return join(tmpdir(), regionPrefix(pid) + handle);
}

/** All region files that process `pid` has made. */
export function regionPathsOf(pid: number): string[] {
  const directory = tmpdir();
  const names = readdirSync(directory).filter((name) => name.startsWith(regionPrefix(pid)));
  return names.map((name) => join(directory, name));
}

function regionPrefix(pid: number): string {
  return `cobre-region-${pid}-`;
}
