import { readFileSync } from "node:fs";

/** What this process has in memory, in KiB: shared pages counted by its share of them, and in full. */
export function memoryInUse(): { pssKiB: number; rssKiB: number } {
  const text = readFileSync("/proc/self/smaps_rollup", "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return { pssKiB: field("Pss"), rssKiB: field("Rss") };
}
