import type { BackendName } from "../communicator.js";
import {
  BackendNotAvailable,
  InitializationFailed,
  InvalidBackend,
} from "../errors/backend-error.js";
import type { Backend, Environment } from "./backend.js";
import { claimedGroup, PRIORITY, triggerOf } from "./triggers.js";

/** The variable that names a backend, or `auto`. */
const BACKEND_VARIABLE = "COBRE_COMM_BACKEND";

/** The chosen backend and the reason, which `cobre info` shows. */
interface Choice {
  readonly backend: Backend;
  readonly reason: string;
}

/** Chooses the backend that `COBRE_COMM_BACKEND` names. Unset means `auto`. */
export function chooseByEnvironment(backends: readonly Backend[], env: Environment): Choice {
  const requested = env[BACKEND_VARIABLE];
  if (requested === undefined || requested === "auto") return chooseAutomatically(backends, env);
  const backend = findBackend(backends, requested, BACKEND_VARIABLE);
  if (backend.name === "local") refuseToBeAlone(env);
  return { backend, reason: `${BACKEND_VARIABLE}=${requested}` };
}

/** The first of mpi, tcp and shm whose trigger is in the environment; `local` if there is none. */
export function chooseAutomatically(backends: readonly Backend[], env: Environment): Choice {
  let missing: { name: BackendName; variable: string } | undefined;
  for (const name of PRIORITY) {
    const variable = triggerOf(name, env);
    if (variable === undefined) continue;
    const backend = backends.find((candidate) => candidate.name === name);
    if (backend !== undefined) return { backend, reason: `${variable} is set` };
    missing ??= { name, variable };
  }
  if (missing !== undefined && claimedGroup(env)?.size !== 1) {
    throw new BackendNotAvailable(
      missing.name,
      namesOf(backends),
      `${missing.variable} is set, so this process was started as one of a group, but this build does not have that backend. Import it, or start the process alone.`,
    );
  }
  refuseToBeAlone(env);
  return {
    backend: findBackend(backends, "local", "kind"),
    reason: "the environment shows no group",
  };
}

/** The backend called `name`; `origin` is what the error blames for the name. */
export function findBackend(backends: readonly Backend[], name: string, origin: string): Backend {
  const backend = backends.find((candidate) => candidate.name === name);
  if (backend !== undefined) return backend;
  const known = PRIORITY.find((candidate) => candidate === name);
  if (known === undefined) throw new InvalidBackend(name, namesOf(backends), origin);
  throw new BackendNotAvailable(known, namesOf(backends), "this build does not have it.");
}

function namesOf(backends: readonly Backend[]): BackendName[] {
  return PRIORITY.filter((name) => backends.some((backend) => backend.name === name));
}

/**
 * Refuses `local` for one of several ranks: each would believe to be alone and write the same
 * output.
 */
function refuseToBeAlone(env: Environment): void {
  const group = claimedGroup(env);
  if (group === undefined || group.size === 1) return;
  throw new InitializationFailed(
    "local",
    `${group.variable}=${group.size} says that ${group.size} ranks were started, but local is a group of one: each would do all the work alone. Launch with a backend that connects them (cobre launch --backend …), or start a single process.`,
  );
}
