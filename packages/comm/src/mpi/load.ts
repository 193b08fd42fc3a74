import { InitializationFailed } from "../errors/backend-error.js";
import { ForeignFunctionsUnavailable } from "../ffi/koffi.js";
import { MPI_LIBRARY_VARIABLE, type MpiCandidate, mpiCandidates } from "../ffi/mpi-candidates.js";
import { loadMpiLibrary, type MpiLibrary } from "../ffi/mpi-library.js";
import { setForLoading } from "../ffi/mpi-settings.js";
import type { Environment } from "../select/backend.js";
import { claimedGroup } from "../select/triggers.js";

/** Open MPI 4 starts a daemon for a process that no launcher has started; a group of one needs none. */
const ALONE: Readonly<Record<string, string>> = { OMPI_MCA_ess_singleton_isolated: "1" };

/** Sets what an MPI library must find in the environment before it is loaded. */
export function prepareEnvironment(env: Record<string, string | undefined>): void {
  const isAlone = claimedGroup(env) === undefined && !Object.keys(env).some(isOfLauncher);
  setForLoading(env);
  for (const [name, value] of Object.entries(isAlone ? ALONE : {})) env[name] ??= value;
}

function isOfLauncher(variable: string): boolean {
  return /^PMIX?2?_/.test(variable);
}

/** Loads the library that was named, or else the first one found that is an MPI. */
export async function findAndLoad(
  library: string | undefined,
  env: Environment,
): Promise<MpiLibrary> {
  const candidates: MpiCandidate[] =
    library === undefined ? mpiCandidates(env) : [{ file: library, origin: MPI_LIBRARY_VARIABLE }];
  const refusals: string[] = [];
  let cause: unknown;
  for (const { file, origin } of candidates) {
    try {
      return await loadMpiLibrary(file);
    } catch (error) {
      if (error instanceof ForeignFunctionsUnavailable) {
        throw new InitializationFailed("mpi", `${error.message}.`, { cause: error });
      }
      cause ??= error;
      const by = library === undefined ? ` (${origin})` : "";
      refusals.push(`${file}${by}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new InitializationFailed("mpi", notFound(library, refusals), { cause });
}

function notFound(library: string | undefined, refusals: readonly string[]): string {
  const tried = refusals.map((refusal) => `\n  ${refusal}`).join("");
  if (library !== undefined) {
    return `the MPI library that was named cannot be used:${tried}\nGive the path of another one in ${MPI_LIBRARY_VARIABLE}, or leave it unset to have it looked for.`;
  }
  const list = tried === "" ? ` None is known for ${process.platform}.` : ` Tried:${tried}`;
  return `no MPI library was found.${list}\nInstall Open MPI or MPICH (on Debian: apt-get install openmpi-bin), or give a path in ${MPI_LIBRARY_VARIABLE}.`;
}
