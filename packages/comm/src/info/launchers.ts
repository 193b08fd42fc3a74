import { access, constants, realpath } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../select/backend.js";
import type { MpiLauncherInfo } from "./info.js";

/** Debian installs Open MPI and MPICH side by side, under the names with a suffix. */
const LAUNCHERS = ["mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "srun"];

/** The MPI launchers on PATH: for each name, the one that a shell would run. */
export async function findMpiLaunchers(env: Environment): Promise<MpiLauncherInfo[]> {
  const directories = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const found = await Promise.all(
    LAUNCHERS.map(async (name) => {
      for (const directory of directories) {
        const path = join(directory, name);
        if (await isExecutable(path)) return { name, path, target: await realpath(path) };
      }
      return undefined;
    }),
  );
  return found.filter((launcher) => launcher !== undefined);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
