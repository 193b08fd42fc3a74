import type { BackendName } from "../communicator.js";
import { BackendNotAvailable, InvalidBackend } from "../errors/backend-error.js";
import type { Environment } from "../select/backend.js";
import { PRIORITY } from "../select/triggers.js";
import type { Tuning } from "./c-library.js";
import type { Conductor, Score } from "./conductor.js";
import { planLocal } from "./plans/local.js";
import { planMpi } from "./plans/mpi.js";
import { planShm } from "./plans/shm.js";
import { planTcp } from "./plans/tcp.js";

/** A backend, or `auto` for the first that connects processes. */
export type LaunchBackend = BackendName | "auto";

/** What a backend needs its ranks to be given so that they find each other. */
export interface LaunchPlan {
  readonly backend: BackendName;

  /** The variables of one rank. */
  environment(rank: number): Readonly<Record<string, string>>;

  /** What its ranks' C library is told beyond what all are told. */
  readonly tunings?: readonly Tuning[];

  /** Open descriptors that one rank inherits, as its descriptors 3, 4 and so on. */
  descriptors?(rank: number): readonly number[];

  /** Starts all ranks at once, by a program of the backend's own, instead of one by one. */
  conduct?(score: Score): Conductor;

  /** Every rank has been started: descriptors kept only to be inherited can be closed. */
  handedOver?(): void;

  /** Files and folders that killed ranks may leave behind. They are removed when all ranks are gone. */
  readonly leftovers?: readonly string[];

  /** The job has ended. Called once, also if it never started. */
  close(): void;
}

/**
 * Makes the plan for a number of ranks; `env` is what the ranks will see of the launcher's environment
 * and of the caller's variables. Throws a `BackendError` if it cannot be.
 */
export type Planner = (ranks: number, env: Environment) => LaunchPlan | Promise<LaunchPlan>;

/** The backends the launcher can start, the one that `auto` prefers first. */
const PLANS: Partial<Record<BackendName, Planner>> = {
  shm: planShm,
  tcp: planTcp,
  mpi: planMpi,
  local: planLocal,
};

/** No backend connects processes: the ranks get their numbers and nothing else. */
const UNCONNECTED: LaunchPlan = {
  backend: "local",
  environment: () => ({}),
  close: () => {},
};

/** The backends that {@link launch} can be asked for. */
export function launchableBackends(): BackendName[] {
  return PRIORITY.filter((name) => PLANS[name] !== undefined);
}

/** The backend called `name`, or `auto`; `origin` is what the error blames for the name. */
export function parseLaunchBackend(name: string, origin: string): LaunchBackend {
  if (name === "auto") return name;
  const known = PRIORITY.find((candidate) => candidate === name);
  if (known === undefined) throw new InvalidBackend(name, launchableBackends(), origin);
  return known;
}

/** Plans the launch of `ranks` ranks that meet over `backend`. */
export async function planLaunch(
  backend: LaunchBackend,
  ranks: number,
  env: Environment,
): Promise<LaunchPlan> {
  if (backend === "auto") {
    const connecting = Object.entries(PLANS).find(([name]) => name !== "local");
    return connecting === undefined ? UNCONNECTED : connecting[1](ranks, env);
  }
  const planner = PLANS[backend];
  if (planner === undefined) {
    throw new BackendNotAvailable(backend, launchableBackends(), "this build cannot launch it.");
  }
  return planner(ranks, env);
}
