import { statSync } from "node:fs";
import { InvalidArgument } from "../errors/comm-error.js";
import { type Bind, wishedBind } from "./binding.js";
import type { LineSink } from "./output/receivers.js";
import { type LaunchBackend, parseLaunchBackend } from "./plan.js";

/** More ranks than this on one machine are taken for a mistake. */
export const MAX_RANKS = 1024;

/** The longest time a timer can run: 24 days. */
export const MAX_SECONDS = 2_147_483;

const DEFAULT_GRACE_SECONDS = 3;

/** Variables to set; `undefined` removes one. */
export type LaunchEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Where the ranks' output goes.
 * - `"prefix"`: to the launcher's own stdout and stderr, each line behind `[rank] `
 * - `"inherit"`: the ranks write to the launcher's stdout and stderr themselves
 * - `"capture"`: into {@link RankExit.stdout} and {@link RankExit.stderr}
 * - a function: is called for every line
 */
export type OutputMode = "prefix" | "inherit" | "capture" | LineSink;

/** What to start and how. */
export interface LaunchOptions {
  /** How many ranks: 1 to {@link MAX_RANKS}. */
  readonly ranks: number;
  /** The program and its arguments. No shell is involved. */
  readonly command: readonly string[];
  /** How the ranks will meet; without it, the first backend there is that connects processes. */
  readonly backend?: LaunchBackend | undefined;
  /** Variables on top of the inherited ones and the launcher's; may depend on the rank. */
  readonly env?: LaunchEnvironment | ((rank: number) => LaunchEnvironment) | undefined;
  /** Where the ranks run. */
  readonly cwd?: string | undefined;
  /** The longest the job may take; then it is ended, with exit code 124. */
  readonly timeoutSecs?: number | undefined;
  /**
   * The longest a collective may take: sets `COBRE_SHM_TIMEOUT_SECS` and `COBRE_TCP_TIMEOUT_SECS`.
   * `Infinity`: ranks that live may take as long as they need.
   */
  readonly commTimeoutSecs?: number | undefined;
  /** How long ranks that were asked to end may take before they are killed (3). */
  readonly graceSecs?: number | undefined;
  /**
   * Whether the ranks' arrays are in huge pages that are kept when freed (true; glibc on x64). Long
   * messages take up to a third less time, a rank somewhat more memory.
   */
  readonly hugePages?: boolean | undefined;
  /**
   * Which processors ranks may use (Linux). `"auto"` divides those of this process among them,
   * unless there are more ranks than processors; `"none"` lets each use all. `"0-3,8"` divides these
   * processors; `"0-3/4-7"` has a list for each rank. By default what `COBRE_LAUNCH_BIND` says, else
   * `"auto"`. With `mpi`, `"auto"` leaves it to its `mpirun`, if this process may use all processors.
   */
  readonly bind?: string | undefined;
  /** The default is `"prefix"`, and `"inherit"` for a single rank on a terminal. */
  readonly output?: OutputMode | undefined;
  /** Whether rank 0 reads the launcher's stdin; everybody else reads nothing. `"ignore"`. */
  readonly stdin?: "inherit" | "ignore" | undefined;
  /** Whether one rank's failure ends the others (true). With `mpi` it always does. */
  readonly endOnFailure?: boolean | undefined;
  /**
   * Whether signals to this process are the ranks' (false). SIGINT, SIGTERM, SIGHUP and SIGQUIT end
   * the job, a second one at once; SIGUSR1, SIGUSR2 and SIGWINCH are passed on; SIGTSTP and SIGCONT
   * stop the ranks and let them go on.
   */
  readonly forwardSignals?: boolean | undefined;
  /** Receives what the launcher has to say. To stderr with `"prefix"` and `"inherit"`. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** {@link LaunchOptions}, checked and completed. */
export interface LaunchSettings {
  readonly ranks: number;
  readonly file: string;
  readonly args: readonly string[];
  readonly backend: LaunchBackend;
  readonly env: (rank: number) => LaunchEnvironment;
  readonly cwd: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly commTimeoutSecs: number | undefined;
  readonly graceMs: number;
  readonly hugePages: boolean;
  readonly bind: Bind;
  readonly output: OutputMode | undefined;
  readonly stdin: "inherit" | "ignore";
  readonly endOnFailure: boolean;
  readonly forwardSignals: boolean;
  readonly onNotice: ((message: string) => void) | undefined;
}

/** Throws `InvalidArgument` for what cannot be meant, `InvalidBackend` for a wrong name. */
export function checkOptions(options: LaunchOptions): LaunchSettings {
  const { ranks, command, env, timeoutSecs, graceSecs = DEFAULT_GRACE_SECONDS } = options;
  if (!Number.isInteger(ranks) || ranks < 1 || ranks > MAX_RANKS) {
    refuse("ranks", `must be a whole number from 1 to ${MAX_RANKS}, not ${String(ranks)}.`);
  }
  const [file, ...args] = checkCommand(command);
  if (timeoutSecs !== undefined) checkSeconds("timeoutSecs", timeoutSecs);
  if (
    options.commTimeoutSecs !== undefined &&
    options.commTimeoutSecs !== Number.POSITIVE_INFINITY
  ) {
    checkSeconds("commTimeoutSecs", options.commTimeoutSecs);
  }
  if (graceSecs !== 0) checkSeconds("graceSecs", graceSecs);
  if (options.cwd !== undefined) checkDirectory(options.cwd);
  return {
    ranks,
    file,
    args,
    backend: parseLaunchBackend(options.backend ?? "auto", "backend"),
    env: typeof env === "function" ? env : () => env ?? {},
    cwd: options.cwd,
    timeoutMs: timeoutSecs === undefined ? undefined : timeoutSecs * 1000,
    commTimeoutSecs: options.commTimeoutSecs,
    graceMs: graceSecs * 1000,
    hugePages: options.hugePages ?? true,
    bind: wishedBind(options.bind, process.env),
    output: options.output,
    stdin: options.stdin ?? "ignore",
    endOnFailure: options.endOnFailure ?? true,
    forwardSignals: options.forwardSignals ?? false,
    onNotice: options.onNotice,
  };
}

function checkCommand(command: readonly string[]): [string, ...string[]] {
  if (!Array.isArray(command)) {
    refuse(
      "command",
      'must be an array: the program, then its arguments, as in ["node", "a.mjs"].',
    );
  }
  const [file, ...args] = command;
  if (!file) refuse("command", 'names no program, as in ["node", "a.mjs"].');
  for (const word of command) {
    if (typeof word !== "string" || word.includes("\0")) {
      refuse("command", "must be strings without a NUL character.");
    }
  }
  return [file, ...args];
}

function checkSeconds(argument: string, seconds: number): void {
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= MAX_SECONDS)) {
    const range = `a number of seconds above 0 and up to ${MAX_SECONDS}`;
    refuse(argument, `must be ${range}, not ${String(seconds)}.`);
  }
}

function checkDirectory(cwd: string): void {
  const isDirectory = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isDirectory) refuse("cwd", `${JSON.stringify(cwd)} is not a directory.`);
}

function refuse(argument: string, reason: string): never {
  throw new InvalidArgument("launch", argument, reason);
}
