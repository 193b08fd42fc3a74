/** Starts the ranks of a job as processes on this machine, and ends them together. */
export { CommandNotRunnable } from "./command-error.js";
export { commTimeoutVariables } from "./environment.js";
export { launch } from "./launch.js";
export {
  type LaunchEnvironment,
  type LaunchOptions,
  MAX_RANKS,
  MAX_SECONDS,
  type OutputMode,
} from "./options.js";
export type { LineSink, StreamName } from "./output/receivers.js";
export { type LaunchBackend, parseLaunchBackend } from "./plan.js";
export type { LaunchedJob, LaunchedRank, LaunchResult, RankExit } from "./result.js";
