import type { Environment } from "../../select/backend.js";
import { STAGED_BYTES } from "../../shm/staging.js";

const VARIABLE = "GLIBC_TUNABLES";
const TUNABLE = "glibc.cpu.x86_non_temporal_threshold";

/**
 * Tells the C library of the ranks to write copies of 4 MiB and more around the caches, which they would only sweep.
 *
 * By default it does so from three quarters of the last cache on, even where that is large and shared with other machines'
 * programs; a copy of 64 MiB was a third slower for it, and so was an allgatherv. Whoever has set it keeps what was set; other C libraries
 * and processors do not know the variable.
 */
export function longCopies(env: Environment): Record<string, string> {
  const { platform, arch } = process;
  const tunables = env[VARIABLE] ?? "";
  if (platform !== "linux" || arch !== "x64" || tunables.includes(TUNABLE)) return {};
  const ours = `${TUNABLE}=${STAGED_BYTES}`;
  return { [VARIABLE]: tunables === "" ? ours : `${tunables}:${ours}` };
}
