import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { InitializationFailed } from "../errors/backend-error.js";
import type { Binder } from "./binding.js";
import { CommandNotRunnable } from "./command-error.js";
import { rankEnvironment } from "./environment.js";
import type { LaunchSettings } from "./options.js";
import type { JobOutput } from "./output/job-output.js";
import type { LaunchPlan } from "./plan.js";
import { errorCode } from "./process-group.js";

/** Errors that mean a shortage in the system, not a fault of the command. */
const SHORTAGES: Readonly<Record<string, string>> = {
  EAGAIN: "the limit on processes (ulimit -u) is reached",
  EMFILE: "the limit on open files (ulimit -n) is reached",
  ENFILE: "the system's limit on open files is reached",
  ENOMEM: "there is not enough memory",
};

/** A running process that leads its process group. */
export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  once(
    event: "exit",
    listener: (code: number | null, signal: NodeJS.Signals | null) => void,
  ): unknown;
  /** Stops waiting for its end. */
  unref(): void;
}

/**
 * Starts one rank as the leader of its own session, and so of its own process group. Returns the
 * process at once, or, if it could not be started, a promise of the reason.
 */
export function startRank(
  rank: number,
  settings: LaunchSettings,
  plan: LaunchPlan,
  binder: Binder | undefined,
  output: JobOutput,
): StartedProcess | Promise<Error> {
  let child: ChildProcess;
  const start = () =>
    spawn(settings.file, settings.args, {
      cwd: settings.cwd,
      env: rankEnvironment(rank, settings, plan, binder, process.env),
      detached: true,
      stdio: [
        rank === 0 ? settings.stdin : "ignore",
        output.stdio("stdout"),
        output.stdio("stderr"),
        ...(plan.descriptors?.(rank) ?? []),
      ],
    });
  try {
    child = binder === undefined ? start() : binder.around(rank, start);
  } catch (error) {
    return Promise.resolve(explain(error, rank, settings, plan));
  }
  if (hasStarted(child)) return child;
  return once(child, "error").then(([error]) => explain(error, rank, settings, plan));
}

function hasStarted(child: ChildProcess): child is ChildProcess & { pid: number } {
  return child.pid !== undefined;
}

function explain(error: unknown, rank: number, settings: LaunchSettings, plan: LaunchPlan): Error {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  const shortage = SHORTAGES[code];
  if (shortage === undefined) return new CommandNotRunnable(settings.file, code);
  const missingRanks = Array.from({ length: settings.ranks - rank }, (_, i) => rank + i);
  return new InitializationFailed(
    plan.backend,
    `rank ${rank} of ${settings.ranks} could not be started: ${shortage} (${code}).`,
    { missingRanks, cause: error },
  );
}
