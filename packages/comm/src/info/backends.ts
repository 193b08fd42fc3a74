import { ALL_BACKENDS } from "../select/all.js";
import type { Backend, Environment } from "../select/backend.js";
import { chooseByEnvironment } from "../select/choose.js";
import { PRIORITY } from "../select/triggers.js";
import type { BackendInfo, SelectionInfo } from "./info.js";

/** All backends there can be, also those this build does not have. */
export function describeBackends(
  backends: readonly Backend[] = ALL_BACKENDS,
): Promise<BackendInfo[]> {
  return Promise.all(
    PRIORITY.map(async (name): Promise<BackendInfo> => {
      const backend = backends.find((candidate) => candidate.name === name);
      if (backend === undefined) {
        return { name, inBuild: false, usable: false, details: "not in this build" };
      }
      try {
        return { name, inBuild: true, ...(await backend.probe()) };
      } catch (error) {
        return { name, inBuild: true, usable: false, details: messageOf(error) };
      }
    }),
  );
}

/** What `createCommunicator()` would choose in `env`. */
export function describeSelection(
  env: Environment,
  backends: readonly Backend[] = ALL_BACKENDS,
): SelectionInfo {
  try {
    const { backend, reason } = chooseByEnvironment(backends, env);
    return { backend: backend.name, reason };
  } catch (error) {
    return { backend: null, reason: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
