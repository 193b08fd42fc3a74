/** How mpirun binds the ranks it starts. */

import { InvalidArgument } from "../../errors/comm-error.js";
import { allowedOf } from "../../processors/processes.js";
import { areEqual, parseProcessors } from "../../processors/processor-set.js";
import { readSystemFile, readTopology } from "../../processors/topology.js";
import type { Bind } from "../binding.js";
import type { Mpirun } from "./mpirun.js";

/**
 * The arguments of mpirun that bind ranks, or keep it from binding them.
 *
 * `auto` gives each rank as many whole cores as there are for it: Node.js has other threads than the
 * one that computes. mpirun does not ask which processors it may use itself. So where the launcher
 * is bound to some of them, ranks are not bound further.
 */
export function mpirunBinding(
  mpirun: Mpirun,
  version: string | null,
  bind: Bind,
  ranks: number,
): readonly string[] {
  if (bind !== "auto" && bind !== "none") {
    const reason = `is ${JSON.stringify(bind)}, but mpirun binds the ranks of mpi: choose "auto" or "none".`;
    throw new InvalidArgument("launch", "bind", reason);
  }
  const each = bind === "auto" ? Math.floor(countUnboundCores() / ranks) : 0;
  return bindingArguments(mpirun, version, each);
}

/** The arguments for ranks with `each` cores; 0: no binding. */
export function bindingArguments(
  { family }: Mpirun,
  version: string | null,
  each: number,
): readonly string[] {
  if (family === "openmpi") {
    return each === 0
      ? ["--bind-to", "none"]
      : ["--map-by", `slot:PE=${each}`, "--bind-to", "core"];
  }
  // Relatives of MPICH have options of their own and bind by default.
  if (!/^MPICH/.test(version ?? "")) return [];
  return each === 0 ? [] : ["-bind-to", `core:${each}`];
}

/** The cores of this machine, or 0 if this process may not use all of its processors. */
function countUnboundCores(): number {
  const online = parseProcessors(readSystemFile("cpu/online") ?? "");
  const allowed = allowedOf("self");
  if (online === undefined || allowed === undefined || !areEqual(online, allowed)) return 0;
  return readTopology(allowed, readSystemFile).nodes.flatMap(({ cores }) => cores).length;
}
