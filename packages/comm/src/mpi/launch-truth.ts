import { InitializationFailed } from "../errors/backend-error.js";
import type { MpiLibrary } from "../ffi/mpi-library.js";
import type { Environment } from "../select/backend.js";
import { claimedGroup, claimedGroups } from "../select/triggers.js";

/**
 * Compares what the launcher says in the environment with what the library says. If the one says many
 * and the other says one, they do not know each other: N processes would each do all the work and
 * write the same output. Returns the error to throw, or `undefined`.
 */
export function launchContradiction(
  size: number,
  library: Pick<MpiLibrary, "file" | "version">,
  env: Environment,
): InitializationFailed | undefined {
  // Any claim: a launch of one rank may have started an mpirun of many.
  const claim = claimedGroups(env).find((each) => each.size > 1);
  if (claim === undefined || size > 1) return undefined;
  const facts = `${claim.variable}=${claim.size} says that ${claim.size} ranks were started, but ${library.version} (${library.file}) sees only this one`;
  return new InitializationFailed("mpi", `${facts}: ${cureFor(claim.variable)}`);
}

/**
 * What to say before MPI is initialised, or `undefined`. Open MPI 4 ends the process by itself if it was
 * started by srun and finds no PMI that it was built for, and speaks of how it was built. It may have
 * been built for Slurm's older PMIs, so this is no reason to refuse.
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
  return "cobre: srun gives Open MPI no PMIx here. If it ends now, use srun --mpi=pmix (srun --mpi=list shows what there is).";
}

function cureFor(variable: string): string {
  switch (variable) {
    case "COBRE_LAUNCH_SIZE":
      return "launch it with cobre launch --backend mpi, which runs the mpirun of this library.";
    case "SLURM_NTASKS":
      return "srun and this library do not understand each other. Use srun --mpi=pmix for Open MPI, srun --mpi=pmi2 for MPICH (srun --mpi=list shows what there is).";
    case "OMPI_COMM_WORLD_SIZE":
      return "the mpirun is Open MPI's and the library is not, or is of another installation. Give the path of Open MPI's libmpi.so.40 in COBRE_MPI_LIBRARY, or start with the mpirun of the library.";
    default:
      return "the mpiexec is that of MPICH or a relative and the library is not, or is of another installation. Give the path of its libmpi.so.12 (Debian: libmpich.so.12) in COBRE_MPI_LIBRARY, or start with the mpirun of the library.";
  }
}
