/** Which processors the ranks of a launch may use. */
import { InvalidArgument } from "../errors/comm-error.js";
import { loadKoffi } from "../ffi/koffi.js";
import { divide } from "../processors/placement.js";
import {
  formatProcessors,
  type ProcessorSet,
  parseProcessors,
} from "../processors/processor-set.js";
import { Scheduler } from "../processors/scheduler.js";
import { readSystemFile, readTopology } from "../processors/topology.js";
import type { Environment } from "../select/backend.js";

/**
 * - `auto`: divide the processors that the launcher may use; see `divide`
 * - `none`: every rank may use all of them
 * - a list, `0-3,8`: divide these processors; with fewer than ranks, every rank may use all of them
 * - a list for each rank, `0-3/4-7`
 */
export type Bind = string;

/** The variable that says so where no option does. */
export const BIND_VARIABLE = "COBRE_LAUNCH_BIND";

/** What is done if nobody says. */
export const DEFAULT_BIND: Bind = "auto";

/** The processors of each rank; `undefined`: those of the launcher. */
export type Binding = readonly ProcessorSet[] | undefined;

/** The wish of the caller, else of the environment, else the default. */
export function wishedBind(wish: Bind | undefined, env: Environment): Bind {
  return wish ?? (env[BIND_VARIABLE] || DEFAULT_BIND);
}

/** Divides processors, without looking at the machine: `auto` over those of `allowed`. */
export function planBinding(
  bind: Bind,
  ranks: number,
  allowed: ProcessorSet,
  read = readSystemFile,
): Binding {
  if (bind === "none") return undefined;
  if (bind === "auto") return divide(readTopology(allowed, read), ranks);
  const lists = bind.split("/").map((list) => checkList(bind, list, allowed));
  const [only = []] = lists;
  if (lists.length === 1) return divide(readTopology(only, read), ranks) ?? alike(only, ranks);
  if (lists.length === ranks) return lists;
  refuse(bind, `has processors for ${lists.length} ranks, but there are ${ranks}`);
}

function alike(processors: ProcessorSet, ranks: number): ProcessorSet[] {
  return Array.from({ length: ranks }, () => processors);
}

function checkList(bind: Bind, list: string, allowed: ProcessorSet): ProcessorSet {
  const processors = parseProcessors(list);
  if (processors === undefined) {
    refuse(bind, 'must be "auto", "none", or processors: "0-3,8", or "0-3/4-7" for each rank');
  }
  const missing = processors.filter((processor) => !allowed.includes(processor));
  if (missing.length === 0) return processors;
  const which = missing.length === 1 ? "processor" : "processors";
  refuse(
    bind,
    `names ${which} ${formatProcessors(missing)}, but this process may only use ${formatProcessors(allowed)}`,
  );
}

function refuse(bind: Bind, reason: string): never {
  throw new InvalidArgument("launch", "bind", `${JSON.stringify(bind)} ${reason}.`);
}

/** Starts processes on chosen processors. */
export class Binder {
  private constructor(
    private readonly scheduler: Scheduler,
    private readonly own: ProcessorSet,
    readonly binding: readonly ProcessorSet[],
  ) {}

  /**
   * `undefined` if ranks are not bound: nobody wants it, there is nothing to divide, or the system
   * cannot do it. Throws `InvalidArgument` for processors that cannot be had.
   */
  static async plan(bind: Bind, ranks: number): Promise<Binder | undefined> {
    if (bind === "none") return undefined;
    const scheduler = await loadScheduler();
    const own = scheduler?.allowed();
    if (scheduler === undefined || own === undefined) {
      if (bind === "auto") return undefined;
      refuse(bind, "cannot be done: this system does not bind processes");
    }
    const binding = planBinding(bind, ranks, own);
    return binding && new Binder(scheduler, own, binding);
  }

  /**
   * Runs `start`, which starts the process of a rank. The process inherits the processors of this
   * thread, so all of its threads have them from the beginning.
   */
  around<T>(rank: number, start: () => T): T {
    this.scheduler.bind(this.binding[rank] as ProcessorSet);
    try {
      return start();
    } finally {
      this.scheduler.bind(this.own);
    }
  }

  /** The processors of a rank, if no other rank has any of them. */
  ownProcessors(rank: number): string | undefined {
    const processors = this.binding[rank] as ProcessorSet;
    const isShared = this.binding.some(
      (other, r) => r !== rank && other.some((processor) => processors.includes(processor)),
    );
    return isShared ? undefined : formatProcessors(processors);
  }
}

async function loadScheduler(): Promise<Scheduler | undefined> {
  try {
    return Scheduler.of(await loadKoffi());
  } catch {
    return undefined;
  }
}
