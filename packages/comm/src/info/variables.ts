import type { Environment } from "../select/backend.js";
import { MPI_LAUNCH_VARIABLES } from "../select/triggers.js";
import type { VariableInfo } from "./info.js";

const LAUNCH_VARIABLES: ReadonlySet<string> = new Set([...MPI_LAUNCH_VARIABLES, "SLURM_NTASKS"]);

/** Values that must not be shown: people paste this output into bug reports. */
const SECRET = /TOKEN|SECRET|PASSWORD|KEY$/;

/** The variables that affect how this process joins a group, sorted by name. */
export function launchVariables(env: Environment): VariableInfo[] {
  return Object.keys(env)
    .filter((name) => /^(COBRE|PMIX)_/.test(name) || LAUNCH_VARIABLES.has(name))
    .sort()
    .flatMap((name) => {
      const value = env[name];
      if (value === undefined) return [];
      const isHidden = SECRET.test(name) && value !== "";
      return [{ name, value: isHidden ? "(set, not shown)" : value }];
    });
}
