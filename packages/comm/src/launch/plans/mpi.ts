import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { InitializationFailed } from "../../errors/backend-error.js";
import { firstMpiLibrary } from "../../mpi/library/find.js";
import type { Environment } from "../../select/backend.js";
import { triggerOf } from "../../select/triggers.js";
import type { Bind } from "../binding.js";
import { CommandNotRunnable } from "../command-error.js";
import type { Conductor, Score } from "../conductor.js";
import { withoutOuterLaunch } from "../environment.js";
import { mpirunBinding } from "../mpi/binding.js";
import { findMpirun, type Mpirun, mpirunEnvironment } from "../mpi/mpirun.js";
import { MpirunJob } from "../mpi/mpirun-job.js";
import type { LaunchPlan } from "../plan.js";
import { errorCode } from "../process-group.js";

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Variables that tune an MPI. Outside an MPI job they are the user's; inside, the outer launcher
 * may have set them.
 */
const TUNING = /^(OMPI_MCA|PRTE_MCA|PMIX_MCA|I_MPI|HYDRA|MPIEXEC|MV2)_/;

/** Ranks that are started by the mpirun of the MPI library that they will load. */
export async function planMpi(ranks: number, env: Environment, bind: Bind): Promise<LaunchPlan> {
  const library = await firstMpiLibrary(env, PROBE_TIMEOUT_MS);
  if (library === undefined || library.reason !== null) {
    const reason =
      library === undefined
        ? "no MPI library was found. Install Open MPI or MPICH, or give a path in COBRE_MPI_LIBRARY."
        : `${library.file} cannot be used: ${library.reason}.`;
    throw new InitializationFailed("mpi", `${reason} (cobre info shows what was tried.)`);
  }
  const mpirun = await findMpirun(library, env);
  const binding = mpirunBinding(mpirun, library.version, bind, ranks);
  // With the number of this process: whoever finds it knows whose it was.
  const folder = mkdtempSync(join(temporaryFolder(), `cobre-mpi-${process.pid}-`));
  return {
    backend: "mpi",
    environment: () => ({ COBRE_COMM_BACKEND: "mpi", COBRE_MPI_LIBRARY: library.file }),
    conduct: (score) => conduct(mpirun, folder, binding, score),
    leftovers: [folder],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function conduct(
  mpirun: Mpirun,
  folder: string,
  binding: readonly string[],
  score: Score,
): Conductor {
  checkCommand(score);
  const outer = withoutOuterLaunch(process.env);
  const forMpirun = mpirunEnvironment(mpirun);
  const env = { ...outer, ...tuning(process.env), ...forMpirun };
  const removed = [...Object.keys(outer), ...Object.keys(forMpirun)];
  return new MpirunJob(mpirun, folder, binding, env, removed, score);
}

function tuning(env: Environment): Record<string, string> {
  if (triggerOf("mpi", env) !== undefined) return {};
  const entries = Object.entries(env).filter(([name]) => TUNING.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}

/** mpirun starts the agent, not the command, so it would not notice that the command is missing. */
function checkCommand({ settings, environments }: Score): void {
  const { file, cwd = "." } = settings;
  const folders = file.includes("/") ? [""] : (environments[0]?.PATH ?? "").split(delimiter);
  let problem = "ENOENT";
  for (const folder of folders) {
    const path = resolve(cwd, folder, file);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return;
      problem = "EACCES";
    } catch (error) {
      const code = errorCode(error);
      if (code !== undefined && code !== "ENOENT") problem = code;
    }
  }
  throw new CommandNotRunnable(file, problem);
}

/**
 * A folder in memory, if the machine has one: it holds the named pipes and Open MPI's shared
 * memory.
 */
function temporaryFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}
