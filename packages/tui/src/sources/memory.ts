import { readFileSync } from "node:fs";

/** The memory of processes on this machine, in bytes; what cannot be looked up is missing. Only Linux tells. */
export function memoryOf(pids: ReadonlyMap<number, number>): Map<number, number> {
  const bytes = new Map<number, number>();
  if (process.platform !== "linux") return bytes;
  for (const [rank, pid] of pids) {
    try {
      // A process of another machine may have the number of a stranger here.
      if (!readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("cobre")) continue;
      const [, kilobytes] =
        /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
      if (kilobytes !== undefined) bytes.set(rank, Number(kilobytes) * 1024);
    } catch {
      // it has ended
    }
  }
  return bytes;
}
