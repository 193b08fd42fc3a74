/** Whether the ranks of a machine can all run at the same time. */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Environment } from "../select/backend.js";
import { allowedOf } from "./processes.js";
import { formatProcessors, hasProcessorEach } from "./processor-set.js";

/**
 * The processors that the launcher bound this rank to, and no other rank of the same launch: the
 * launcher sets it.
 */
export const LAUNCH_PROCESSORS = "COBRE_LAUNCH_PROCESSORS";

/**
 * Whether each rank of this machine can have a processor to itself. `pids` are their processes,
 * `undefined` for those that cannot be seen from here; `own` is the place of this one.
 *
 * A rank may be bound to fewer processors than there are, so what this process may use says little
 * of the others.
 */
export function haveProcessorEach(pids: readonly (number | undefined)[], own: number): boolean {
  const available = availableParallelism();
  const allowed = pids.map((pid, i) => {
    if (i === own) return allowedOf("self");
    return pid === undefined ? undefined : allowedOf(pid);
  });
  const known = allowed.filter((set) => set !== undefined);
  const mine = allowed[own];
  if (known.length < pids.length || mine === undefined) {
    return isBoundByLauncher(pids.length, process.env) || pids.length <= available;
  }
  // Node.js counts fewer processors than the kernel allows if a container limits their time.
  if (available < mine.length && pids.length > available) return false;
  return hasProcessorEach(known);
}

/** Whether our launcher gave each of the `ranks` ranks processors of its own. */
function isBoundByLauncher(ranks: number, env: Environment): boolean {
  const given = env[LAUNCH_PROCESSORS];
  if (given === undefined || env.COBRE_LAUNCH_SIZE !== String(ranks)) return false;
  // Something between the launcher and this process may have bound it elsewhere.
  return given === formatProcessors(allowedOf("self") ?? []);
}

/**
 * A number for the process namespace of this process, 0 if there is none. Only within one namespace
 * do process ids mean the same.
 */
export function processNamespace(): number {
  try {
    return statSync("/proc/self/ns/pid").ino;
  } catch {
    return 0;
  }
}
