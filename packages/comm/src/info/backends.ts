import { reasonOf } from "../errors/reason-of.js";
import { ALL_BACKENDS } from "../select/all.js";
import type { Backend, Environment } from "../select/backend.js";
import { chooseByEnvironment } from "../select/choose.js";
import { PRIORITY } from "../select/triggers.js";
import type { BackendInfo, SelectionInfo } from "./info.js";

/** Describes all four backends, including those that this build does not have. */
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
        return { name, inBuild: true, usable: false, details: reasonOf(error) };
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
    return { backend: null, reason: reasonOf(error) };
  }
}
