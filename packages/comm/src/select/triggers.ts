/**
 * What the environment says about how this process was started. This file covers all backends, even
 * those that a build does not have: a process that was started as one of many must never run alone.
 */
import type { BackendName } from "../communicator.js";
import type { Environment } from "./backend.js";

/** The order in which `auto` considers the backends. */
export const PRIORITY: readonly BackendName[] = ["mpi", "tcp", "shm", "local"];

/** Variables that an MPI launcher sets in each rank. */
export const MPI_LAUNCH_VARIABLES = [
  "PMI_RANK",
  "PMI_SIZE",
  "OMPI_COMM_WORLD_RANK",
  "OMPI_COMM_WORLD_SIZE",
  "MPI_LOCALRANKID",
  "SLURM_PROCID",
] as const;

/** The variable in `env` that makes `auto` choose `backend`, or `undefined`. */
export function triggerOf(backend: BackendName, env: Environment): string | undefined {
  switch (backend) {
    case "mpi":
      return MPI_LAUNCH_VARIABLES.find((name) =>
        name === "SLURM_PROCID" ? isSlurmMpiStep(env) : env[name] !== undefined,
      );
    case "tcp":
      if (env.COBRE_TCP_COORDINATOR !== undefined) return "COBRE_TCP_COORDINATOR";
      return env.COBRE_TCP_RANK?.trim() === "0" ? "COBRE_TCP_RANK" : undefined;
    case "shm":
      return env.COBRE_SHM_NAME !== undefined ? "COBRE_SHM_NAME" : undefined;
    case "local":
      return undefined;
  }
}

/**
 * A plain batch script has SLURM_PROCID, too. Only several tasks, or PMI variables, make an MPI
 * step.
 */
function isSlurmMpiStep(env: Environment): boolean {
  if (env.SLURM_PROCID === undefined) return false;
  if (!isSlurmBatchScript(env) && Number(env.SLURM_NTASKS) > 1) return true;
  return Object.keys(env).some((name) => /^PMIX?_/.test(name) && env[name] !== undefined);
}

/**
 * A batch script is one process, but sees the SLURM_NTASKS of its job. Only srun sets a step
 * number.
 */
function isSlurmBatchScript(env: Environment): boolean {
  return env.SLURM_JOB_ID !== undefined && env.SLURM_STEP_ID === undefined;
}

/** A variable that gives the number of ranks, and that number. */
interface GroupClaim {
  readonly variable: string;
  readonly size: number;
}

const SIZE_VARIABLES = [
  "COBRE_LAUNCH_SIZE",
  "OMPI_COMM_WORLD_SIZE",
  "PMI_SIZE",
  "MPI_LOCALNRANKS",
] as const;

/**
 * What launchers say about the size of the group. SLURM_NTASKS counts only in an MPI step, and only
 * if no other variable is set: a batch script of a four-task job is one process, and the tasks of a
 * step may be the helpers of an mpirun.
 */
export function claimedGroups(env: Environment): GroupClaim[] {
  const claims = SIZE_VARIABLES.flatMap((variable) => claimOf(variable, env));
  return claims.length > 0 || !isSlurmMpiStep(env) ? claims : claimOf("SLURM_NTASKS", env);
}

function claimOf(variable: string, env: Environment): GroupClaim[] {
  const size = Number(env[variable]);
  return env[variable]?.trim() && Number.isInteger(size) && size >= 1 ? [{ variable, size }] : [];
}

/** The claim that counts if claims differ. */
export function claimedGroup(env: Environment): GroupClaim | undefined {
  return claimedGroups(env)[0];
}
