import { setTimeout as sleep } from "node:timers/promises";
import { descendantsOf, findProcess, listProcesses } from "./processes.js";

/** The launcher of ranks has this watchdog, which removes what a killed launcher leaves. It ends by itself. */
const WATCHDOG = "cobre-launch-watchdog";
/** So long a launcher may take to tidy up after its ranks. */
const TIDY_MS = 400;
/** A process that is stuck in the kernel ignores even SIGKILL. */
const UNKILLABLE_MS = 5000;
const POLL_MS = 20;

/**
 * Kills a run: its ranks first, so that their launcher can remove what they shared, then the launcher. Returns when all of them are gone;
 * `false` if one cannot be killed.
 */
export async function endTree(pid: number, began: string): Promise<boolean> {
  const start = performance.now();
  const struck = new Map<number, string>();
  for (;;) {
    const self = await findProcess(pid);
    const isAlive = self !== undefined && self.began === began;
    const below = descendantsOf(pid, isAlive ? await listProcesses() : []);
    for (const one of below) {
      if (one.command.includes(WATCHDOG)) continue;
      struck.set(one.pid, one.began);
      kill(one.pid);
    }
    const elapsed = performance.now() - start;
    if (isAlive && (struck.size === 0 || elapsed > TIDY_MS)) kill(pid);
    if (!isAlive && (await areGone(struck))) return true;
    if (elapsed > UNKILLABLE_MS) return false;
    await sleep(POLL_MS);
  }
}

async function areGone(struck: ReadonlyMap<number, string>): Promise<boolean> {
  for (const [pid, began] of struck) {
    if ((await findProcess(pid))?.began === began) return false;
  }
  return true;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended
  }
}
