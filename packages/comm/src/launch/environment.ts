import { InvalidArgument } from "../errors/comm-error.js";
import { NO_TIMEOUT } from "../group/settings.js";
import { LAUNCH_PROCESSORS } from "../processors/room.js";
import type { Environment } from "../select/backend.js";
import type { Binder } from "./binding.js";
import { cLibraryVariables, HUGE_PAGES } from "./c-library.js";
import type { LaunchSettings } from "./options.js";
import type { LaunchPlan } from "./plan.js";

/**
 * Variables by which an outer launch would speak to the ranks of this one: where they are, which
 * numbers they have, whom to call. What a job merely knows of its machine (SLURM_JOB_ID,
 * SLURM_CPUS_ON_NODE, I_MPI_ROOT) and what tunes a backend (COBRE_SHM_TIMEOUT_SECS) stays.
 */
const OUTER_LAUNCH: readonly RegExp[] = [
  // process managers: PMI 1 and 2, PMIx, Open MPI and its runtimes, Hydra, PALS, Flux, JSM
  /^(PMI|PMI2|PMIX|OMPI|ORTE|PRTE|HYDI|HYDRA|MPIEXEC|PALS|ALPS|FLUX_TASK|JSM_NAMESPACE)_/,
  /^(I_MPI_(?!ROOT$)|MPI_LOCAL|MV2_COMM_WORLD_)/,
  // a Slurm step
  /^SLURM_(PROCID$|LOCALID$|NODEID$|NPROCS$|GTIDS$|MPI_TYPE$|LAUNCH_|SRUN_)/,
  /^SLURM_(NTASKS|STEP|TASK|PMI|CPU_BIND|DISTRIBUTION)/,
  // ourselves
  /^COBRE_(COMM_BACKEND$|LAUNCH_)/,
  /^COBRE_SHM_(NAME|RANK|SIZE)$/,
  /^COBRE_TCP_(COORDINATOR|PORT|RANK|SIZE|TOKEN|BIND_ADDR|LISTEN_FD)$/,
];

/** `env` without what an outer launch left in it. */
export function withoutOuterLaunch(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || OUTER_LAUNCH.some((pattern) => pattern.test(name))) continue;
    kept[name] = value;
  }
  return kept;
}

/** All variables of one rank. The caller's own have the last word. */
export function rankEnvironment(
  rank: number,
  settings: LaunchSettings,
  plan: LaunchPlan,
  binder: Binder | undefined,
  outer: Environment,
): Record<string, string> {
  const processors = binder?.ownProcessors(rank);
  const tunings = [...(settings.hugePages ? [HUGE_PAGES] : []), ...(plan.tunings ?? [])];
  const env: Record<string, string> = {
    ...withoutOuterLaunch(outer),
    ...cLibraryVariables(outer, tunings),
    ...(settings.commTimeoutSecs === undefined
      ? {}
      : commTimeoutVariables(settings.commTimeoutSecs)),
    COBRE_LAUNCH_RANK: String(rank),
    COBRE_LAUNCH_SIZE: String(settings.ranks),
    ...(processors === undefined ? {} : { [LAUNCH_PROCESSORS]: processors }),
    ...plan.environment(rank),
  };
  for (const [name, value] of Object.entries(settings.env(rank))) {
    if (value === undefined) delete env[name];
    else env[name] = checkVariable(name, value);
  }
  return env;
}

function checkVariable(name: string, value: string): string {
  const isWritable = typeof value === "string" && !/[=\0]/.test(name) && !value.includes("\0");
  if (isWritable && name !== "") return value;
  throw new InvalidArgument("launch", "env", `cannot set ${JSON.stringify(name)}.`);
}

/** The variables by which ranks learn how long a collective may take; `Infinity` is no limit. */
export function commTimeoutVariables(seconds: number): Record<string, string> {
  const limit = Number.isFinite(seconds) ? String(seconds) : NO_TIMEOUT;
  return { COBRE_SHM_TIMEOUT_SECS: limit, COBRE_TCP_TIMEOUT_SECS: limit };
}
