import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The processes that run and have a folder in their command line, such as the runs in it. */
export function processesOf(folder: string): { readonly pid: number; readonly command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const isZombie = /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return !isZombie && command.includes(folder) ? [{ pid: Number(pid), command }] : [];
      } catch {
        return []; // it has ended
      }
    });
}

/** A time that only a hang takes. */
const LIMIT_MS = 120_000;

/** Waits until something holds. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > LIMIT_MS) throw new Error(`never happened: ${what}`);
    await sleep(20);
  }
}
