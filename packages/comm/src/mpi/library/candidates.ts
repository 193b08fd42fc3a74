/**
 * Where an MPI library may be. This file only lists places; it loads nothing.
 *
 * The places are ordered by how likely the user meant them: the library named by COBRE_MPI_LIBRARY,
 * the installation of the launcher on PATH, whatever the dynamic loader finds, installations named
 * by variables of their own, then directories in which distributions keep an MPI out of the
 * loader's path. Under a launcher, the libraries that can talk to it come first: one of another
 * family would see a group of one.
 */
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../../select/backend.js";

/** The variable that names the MPI library to use. */
export const MPI_LIBRARY_VARIABLE = "COBRE_MPI_LIBRARY";

/** A library to try. */
export interface MpiCandidate {
  /** An absolute path, or a bare name that the dynamic loader looks up. */
  readonly file: string;
  /** Where it came from: a variable, `PATH`, `dynamic loader` or `known directory`. */
  readonly origin: string;
}

type Family = "openmpi" | "mpich" | "mpi-5";

/** Names contain the version of the ABI, so `libmpi.so.40` is always Open MPI's. */
const LIBRARY_NAMES: Partial<Record<NodeJS.Platform, Readonly<Record<Family, string[]>>>> = {
  linux: {
    openmpi: ["libmpi.so.40"],
    // Debian 12 and Ubuntu 22.04 call MPICH's library libmpich.so.12.
    mpich: ["libmpi.so.12", "libmpich.so.12"],
    "mpi-5": ["libmpi_abi.so.1"],
  },
  darwin: {
    openmpi: ["libmpi.40.dylib"],
    mpich: ["libmpi.12.dylib"],
    "mpi-5": ["libmpi_abi.1.dylib"],
  },
};

/**
 * Directories outside the loader's search path: RHEL and Fedora, openSUSE; Homebrew and MacPorts.
 */
const KNOWN_DIRECTORIES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    "/usr/lib64/openmpi/lib",
    "/usr/lib64/mpich/lib",
    "/usr/lib64/mpi/gcc/openmpi5/lib64",
    "/usr/lib64/mpi/gcc/openmpi4/lib64",
    "/usr/lib64/mpi/gcc/mpich/lib64",
    "/usr/local/lib",
  ],
  darwin: ["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"],
};

/** Variables that name the root of an installation: conda, Intel MPI, Cray MPICH, Homebrew. */
const ROOT_VARIABLES: readonly (readonly [variable: string, ...subdirectories: string[]])[] = [
  ["CONDA_PREFIX", "lib"],
  ["I_MPI_ROOT", "lib", "lib/release"],
  ["CRAY_MPICH_DIR", "lib-abi-mpich", "lib"],
  ["HOMEBREW_PREFIX", "lib"],
];

/**
 * Every library to try, best first. Files in known places are listed only if they exist. Bare names
 * are always listed, because only the dynamic loader knows where it would look.
 */
export function mpiCandidates(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): MpiCandidate[] {
  const named = env[MPI_LIBRARY_VARIABLE];
  const first: MpiCandidate[] = named ? [{ file: named, origin: MPI_LIBRARY_VARIABLE }] : [];
  const names = LIBRARY_NAMES[platform];
  if (names === undefined) return first;

  const [openmpi, mpich, mpi5] = [names.openmpi, names.mpich, names["mpi-5"]];
  const order =
    launcherFamily(env) === "mpich"
      ? [...mpich, ...openmpi, ...mpi5]
      : [...openmpi, ...mpich, ...mpi5];
  const found = places(env, platform).flatMap(({ directory, origin }) =>
    order
      .map((name) => (directory === undefined ? name : join(directory, name)))
      .filter((file) => !isAbsolute(file) || existsSync(file))
      .map((file) => ({ file, origin })),
  );
  if (launcherFamily(env) !== undefined) {
    found.sort((a, b) => preference(a.file, order) - preference(b.file, order));
  }
  return withoutRepetition([...first, ...found]);
}

interface Place {
  /** `undefined` means the search path of the dynamic loader. */
  readonly directory: string | undefined;
  readonly origin: string;
}

function places(env: Environment, platform: NodeJS.Platform): Place[] {
  const list: Place[] = [];
  for (const bin of (env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(bin)) continue;
    if (!existsSync(join(bin, "mpirun")) && !existsSync(join(bin, "mpiexec"))) continue;
    for (const lib of ["lib", "lib64"]) {
      list.push({ directory: join(dirname(bin), lib), origin: "PATH" });
    }
  }
  list.push({ directory: undefined, origin: "dynamic loader" });
  for (const [variable, ...subdirectories] of ROOT_VARIABLES) {
    const root = env[variable];
    if (!root || !isAbsolute(root)) continue;
    for (const lib of subdirectories) list.push({ directory: join(root, lib), origin: variable });
  }
  for (const directory of KNOWN_DIRECTORIES[platform] ?? []) {
    list.push({ directory, origin: "known directory" });
  }
  return list;
}

/** The family whose launcher started this process, as far as the variables show. */
function launcherFamily(env: Environment): Family | undefined {
  const variables = Object.keys(env).filter((name) => env[name] !== undefined);
  if (variables.some((name) => /^(OMPI_COMM_WORLD|PMIX)_/.test(name))) return "openmpi";
  if (variables.some((name) => /^(PMI_|HYDI_CONTROL_FD$|I_MPI_)/.test(name))) return "mpich";
  return undefined;
}

function preference(file: string, order: readonly string[]): number {
  return order.findIndex((name) => file === name || file.endsWith(`/${name}`));
}

function withoutRepetition(candidates: readonly MpiCandidate[]): MpiCandidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ file }) => !seen.has(file) && seen.add(file));
}
