/**
 * Where the portable system keeps its files: all ranks of a job must have the same directory for
 * temporary files (`TMPDIR`).
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RegionFile } from "./shared-memory-system.js";

/** The file behind the segment of that name. */
export function segmentPath(name: string): string {
  return join(tmpdir(), `cobre-shm-${name.slice(1)}`);
}

/** The file behind a region. */
export function regionPath({ pid, handle }: RegionFile): string {
  return join(tmpdir(), `cobre-region-${pid}-${handle}`);
}
