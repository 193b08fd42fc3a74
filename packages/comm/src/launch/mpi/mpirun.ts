/** Finds the mpirun that belongs to an MPI library, and knows its arguments and variables. */
import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { InitializationFailed } from "../../errors/backend-error.js";
import type { MpiLibraryInfo } from "../../info/info.js";
import type { Environment } from "../../select/backend.js";

/**
 * The two command-line syntaxes: that of Open MPI, and that of Hydra, the launcher of MPICH and its
 * relatives.
 */
type MpirunFamily = "openmpi" | "hydra";

export interface Mpirun {
  readonly file: string;
  readonly family: MpirunFamily;
}

/** The variable that names the mpirun to use. */
const MPIRUN_VARIABLE = "COBRE_MPI_MPIRUN";

/** Debian installs both side by side, under names with a suffix. The plain names may be either's. */
const NAMES: Readonly<Record<MpirunFamily, readonly string[]>> = {
  openmpi: ["mpirun.openmpi", "mpiexec.openmpi", "mpirun", "mpiexec"],
  hydra: ["mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun"],
};

const VERSION_TIMEOUT_MS = 10_000;

/**
 * The mpirun that belongs to `library`. If there is none, throws `InitializationFailed` with what
 * was tried.
 */
export async function findMpirun(library: MpiLibraryInfo, env: Environment): Promise<Mpirun> {
  const wanted: MpirunFamily = /Open MPI|Spectrum/i.test(library.version ?? "")
    ? "openmpi"
    : "hydra";
  const named = env[MPIRUN_VARIABLE];
  const tried: string[] = [];
  for (const file of named ? [named] : candidates(wanted, library.file, env)) {
    const family = await familyOf(file, env);
    if (family === wanted) return { file, family };
    tried.push(`${file}: ${family === undefined ? "cannot be run" : `is of ${NICKNAMES[family]}`}`);
  }
  const list = tried.map((line) => `\n  ${line}`).join("");
  const found = tried.length === 0 ? " none of its names is on PATH." : list;
  throw new InitializationFailed(
    "mpi",
    `no mpirun was found for ${library.version} (${library.file}):${found}\nInstall it (on Debian: apt-get install ${wanted === "openmpi" ? "openmpi-bin" : "mpich"}), or name it in ${MPIRUN_VARIABLE}.`,
  );
}

const NICKNAMES = { openmpi: "Open MPI", hydra: "MPICH or a relative" } as const;

/** Candidates next to the library first, then on PATH; each file once. */
function candidates(family: MpirunFamily, library: string, env: Environment): string[] {
  const home = dirname(realPath(library) ?? "");
  const beside = isAbsolute(home) ? [join(home, "../bin"), join(home, "../../bin")] : [];
  const onPath = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const files = [...beside, ...onPath].flatMap((folder) =>
    NAMES[family].map((name) => join(folder, name)),
  );
  const seen = new Set<string>();
  return files.filter((file) => {
    const target = isExecutable(file) ? realPath(file) : undefined;
    return target !== undefined && !seen.has(target) && seen.add(target);
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function familyOf(file: string, env: Environment): Promise<MpirunFamily | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: VERSION_TIMEOUT_MS };
    execFile(file, ["--version"], options, (_error, stdout, stderr) => {
      const text = stdout + stderr;
      if (/Open ?MPI|OpenRTE|PRRTE|prte/i.test(text)) resolve("openmpi");
      else resolve(/HYDRA|MPICH|Intel\(R\) MPI|MVAPICH/i.test(text) ? "hydra" : undefined);
    });
  });
}

/**
 * The arguments before the command. All ranks run on this machine, whatever its number of cores.
 */
export function mpirunArguments(
  { family }: Mpirun,
  ranks: number,
  binding: readonly string[],
  folder: string,
): string[] {
  const n = String(ranks);
  if (family === "hydra") return ["-launcher", "fork", ...binding, "-n", n];
  const crowded = ranks > availableParallelism() ? ["--mca", "mpi_yield_when_idle", "1"] : [];
  return [
    "-np",
    n,
    "--oversubscribe",
    ...binding,
    ...crowded,
    // Files of a killed job are removed together with our folder.
    "--mca",
    "orte_tmpdir_base",
    folder,
    "--mca",
    "btl_vader_backing_directory",
    folder,
    "--mca",
    "btl_sm_backing_directory", // its name since Open MPI 5
    folder,
  ];
}

/** Keeps Open MPI from asking batch systems where to start ranks: they start on this machine. */
const NO_ALLOCATION = "^slurm,tm,lsf,gridengine,alps";

/** Variables for mpirun itself. As root, Open MPI starts nothing unless two variables allow it. */
export function mpirunEnvironment({ family }: Mpirun): Record<string, string> {
  if (family === "hydra") return {};
  // PRRTE is the mpirun of Open MPI 5.
  const here = { OMPI_MCA_ras: NO_ALLOCATION, PRTE_MCA_ras: NO_ALLOCATION };
  if (process.getuid?.() !== 0) return here;
  return { ...here, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
}
