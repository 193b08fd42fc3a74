import { InitializationFailed } from "../errors/backend-error.js";
import type { Environment } from "../select/backend.js";
import { claimedGroup, claimedGroups } from "../select/triggers.js";
import type { MpiLibrary } from "./library/library.js";

/**
 * Compares the number of ranks in the environment, set by the launcher, with the number that the
 * library sees. If the launcher says many and the library says one, they do not work together: each
 * of N processes would do all the work and write the same output. Returns the error to throw, or
 * `undefined`.
 */
export function launchContradiction(
  size: number,
  library: Pick<MpiLibrary, "file" | "version">,
  env: Environment,
): InitializationFailed | undefined {
  // Any variable counts: a launch of one rank may have started an mpirun of many.
  const claim = claimedGroups(env).find((each) => each.size > 1);
  if (claim === undefined || size > 1) return undefined;
  const facts = `${claim.variable}=${claim.size} says that ${claim.size} ranks were started, but ${library.version} (${library.file}) sees only this one`;
  return new InitializationFailed("mpi", `${facts}: ${cureFor(claim.variable)}`);
}

/**
 * A warning to print before MPI is initialised, or `undefined`. If srun started Open MPI 4 and it
 * finds no PMI that it was built for, it ends the process with a message about how it was built. It
 * may have been built for the older PMIs of Slurm, so this is only a warning.
 */
export function launchDoubt(
  library: Pick<MpiLibrary, "abi">,
  env: Environment,
): string | undefined {
  const isFirst = env.SLURM_PROCID === "0";
  if (library.abi !== "openmpi" || !isFirst || claimedGroup(env)?.variable !== "SLURM_NTASKS") {
    return undefined;
  }
  if (Object.keys(env).some((name) => name.startsWith("PMIX_"))) return undefined;
  return "cobre: srun offers Open MPI no PMIx here. If the job ends now, use srun --mpi=pmix (srun --mpi=list shows the choices).";
}

function cureFor(variable: string): string {
  switch (variable) {
    case "COBRE_LAUNCH_SIZE":
      return "launch it with cobre launch --backend mpi, which runs the mpirun of this library.";
    case "SLURM_NTASKS":
      return "srun and this library do not work together. Use srun --mpi=pmix for Open MPI, srun --mpi=pmi2 for MPICH (srun --mpi=list shows the choices).";
    case "OMPI_COMM_WORLD_SIZE":
      return "the mpirun is Open MPI's, but the library is not, or comes from another installation. Give the path of Open MPI's libmpi.so.40 in COBRE_MPI_LIBRARY, or start with the mpirun of the library.";
    default:
      return "the mpiexec is that of MPICH or its family, but the library is not, or comes from another installation. Give the path of its libmpi.so.12 (Debian: libmpich.so.12) in COBRE_MPI_LIBRARY, or start with the mpirun of the library.";
  }
}
