import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const LIMIT_MS = 60_000;

/** Waits until `condition` holds; throws after a time that only a hang takes. */
export async function eventually(what: string, condition: () => boolean): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > LIMIT_MS) throw new Error(`never happened: ${what}`);
    await sleep(10);
  }
}

/** Whether a process runs; a zombie does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return stateOf(pid) !== "Z";
}

/** The state of a process as `ps` shows it, `T` for a stopped one. */
export function stateOf(pid: number): string | undefined {
  const { stdout } = spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim()[0];
}
