import { InitializationFailed } from "../../errors/backend-error.js";
import { reasonOf } from "../../errors/reason-of.js";
import { ForeignFunctionsUnavailable } from "../../ffi/koffi.js";
import { debug } from "../../group/debug.js";
import type { Environment } from "../../select/backend.js";
import { claimedGroup } from "../../select/triggers.js";
import { MPI_LIBRARY_VARIABLE, type MpiCandidate, mpiCandidates } from "./candidates.js";
import { loadMpiLibrary, type MpiLibrary } from "./library.js";
import { setForLoading } from "./settings.js";

/** Open MPI 4 starts a daemon for a process without a launcher. A group of one does not need it. */
const ALONE: Readonly<Record<string, string>> = { OMPI_MCA_ess_singleton_isolated: "1" };

/** Sets the variables that an MPI library needs before it is loaded. */
export function prepareEnvironment(env: Record<string, string | undefined>): void {
  const isAlone = claimedGroup(env) === undefined && !Object.keys(env).some(isOfLauncher);
  setForLoading(env);
  for (const [name, value] of Object.entries(isAlone ? ALONE : {})) env[name] ??= value;
}

function isOfLauncher(variable: string): boolean {
  return /^PMIX?2?_/.test(variable);
}

/** Loads the named library, or else the first candidate that is a usable MPI. */
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
      debug(undefined, `${file} (${origin}) cannot be used: ${reasonOf(error)}`);
      const by = library === undefined ? ` (${origin})` : "";
      refusals.push(`${file}${by}: ${reasonOf(error)}`);
    }
  }
  throw new InitializationFailed("mpi", notFound(library, refusals), { cause });
}

function notFound(library: string | undefined, refusals: readonly string[]): string {
  const tried = refusals.map((refusal) => `\n  ${refusal}`).join("");
  if (library !== undefined) {
    return `the named MPI library cannot be used:${tried}\nGive the path of another one in ${MPI_LIBRARY_VARIABLE}, or leave it unset to search for one.`;
  }
  const list =
    tried === "" ? ` No library names are known for ${process.platform}.` : ` Tried:${tried}`;
  return `no MPI library was found.${list}\nInstall Open MPI or MPICH (on Debian: apt-get install openmpi-bin), or give a path in ${MPI_LIBRARY_VARIABLE}.`;
}
