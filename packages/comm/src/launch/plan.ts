import type { BackendName } from "../communicator.js";
import { InvalidBackend } from "../errors/backend-error.js";
import type { Environment } from "../select/backend.js";
import { PRIORITY } from "../select/triggers.js";
import type { Bind } from "./binding.js";
import type { Tuning } from "./c-library.js";
import type { Conductor, Score } from "./conductor.js";
import { planLocal } from "./plans/local.js";
import { planMpi } from "./plans/mpi.js";
import { planShm } from "./plans/shm.js";
import { planTcp } from "./plans/tcp.js";

/** A backend; `auto` stands for `shm`. */
export type LaunchBackend = BackendName | "auto";

/** What the ranks of a backend need to find each other. */
export interface LaunchPlan {
  readonly backend: BackendName;

  /** The variables of one rank. */
  environment(rank: number): Readonly<Record<string, string>>;

  /** Settings for the C library of the ranks, in addition to those that all backends use. */
  readonly tunings?: readonly Tuning[];

  /** Open descriptors that a rank inherits as its descriptors 3, 4 and so on. */
  descriptors?(rank: number): readonly number[];

  /** Starts all ranks at once, with a program of the backend, instead of one by one. */
  conduct?(score: Score): Conductor;

  /** Called when every rank has been started: descriptors kept for inheriting can be closed. */
  handedOver?(): void;

  /**
   * Files and folders that killed ranks may leave behind. They are removed when all ranks have
   * ended.
   */
  readonly leftovers?: readonly string[];

  /** Called once when the job has ended, even if it never started. */
  close(): void;
}

/**
 * Makes the plan for a number of ranks. `env` is the launcher's environment with the caller's
 * variables; `bind` matters where another program starts the ranks. Throws a `BackendError` if the launch is not possible.
 */
type Planner = (ranks: number, env: Environment, bind: Bind) => LaunchPlan | Promise<LaunchPlan>;

const PLANS: Readonly<Record<BackendName, Planner>> = {
  shm: planShm,
  tcp: planTcp,
  mpi: planMpi,
  local: planLocal,
};

/** The backend called `name`, or `auto`; `origin` is what the error blames for the name. */
export function parseLaunchBackend(name: string, origin: string): LaunchBackend {
  if (name === "auto") return name;
  const known = PRIORITY.find((candidate) => candidate === name);
  if (known === undefined) throw new InvalidBackend(name, PRIORITY, origin);
  return known;
}

/** Plans the launch of `ranks` ranks that are connected by `backend`. */
export async function planLaunch(
  backend: LaunchBackend,
  ranks: number,
  env: Environment,
  bind: Bind,
): Promise<LaunchPlan> {
  return PLANS[backend === "auto" ? "shm" : backend](ranks, env, bind);
}
