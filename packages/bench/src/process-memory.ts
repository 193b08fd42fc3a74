/** The memory of this process, as Linux counts it. */
import { readFileSync } from "node:fs";

/** The memory of a rank at one moment. */
export interface MemoryOfRank {
  /** RSS: every page that it has, shared ones in full. */
  readonly residentKb: number;
  /** PSS: of a page that n processes share, a n-th. The sum over all ranks counts every page once. */
  readonly proportionalKb: number;
  /** The part of PSS that is shared memory. */
  readonly sharedKb: number;
}

/** What this process holds now. */
export function memoryNow(): MemoryOfRank {
  const text = readFileSync("/proc/self/smaps_rollup", "utf8");
  return {
    residentKb: numberAfter("Rss", text),
    proportionalKb: numberAfter("Pss", text),
    sharedKb: numberAfter("Pss_Shmem", text),
  };
}

/** The largest RSS so far. */
export function peakKb(): number {
  return numberAfter("VmHWM", readFileSync("/proc/self/status", "utf8"));
}

function numberAfter(name: string, text: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN);
}
