import { constants } from "node:os";
import type { LeaderExit } from "./rank-process.js";

/** Why the launcher ended a job that was still running. */
export type EndCause =
  | { readonly kind: "start failed" }
  | { readonly kind: "failure" }
  | { readonly kind: "request" }
  | { readonly kind: "timeout" }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  | { readonly kind: "broken output"; readonly isClosedPipe: boolean };

/** The exit code of the `timeout` command. */
const TIMED_OUT = 124;

/** The exit code that a shell reports for a command that was ended by a signal. */
function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** The exit code that a shell would report for this end of a process. */
export function exitCodeOf(exit: LeaderExit): number {
  return exit.signal === null ? (exit.code ?? 0) : signalExitCode(exit.signal);
}

/**
 * The exit code of the job. `failure` is how the first failed rank ended, `killed` whether the launcher
 * had to kill it.
 */
export function jobExitCode(
  cause: EndCause | undefined,
  failure: LeaderExit | undefined,
  killed: boolean,
  outputLost: boolean,
): number {
  if (cause?.kind === "timeout") return TIMED_OUT;
  if (cause?.kind === "broken output") return cause.isClosedPipe ? signalExitCode("SIGPIPE") : 1;
  // The rank ignored the signal, or its output was given up: the signal is still the cause.
  if (cause?.kind === "signal" && (killed || outputLost)) return signalExitCode(cause.signal);
  return failure === undefined ? 0 : exitCodeOf(failure);
}

/** "exited with code 5", "was ended by SIGSEGV". */
export function describeExit(exit: LeaderExit): string {
  return exit.signal === null
    ? `exited with code ${exit.code ?? 0}`
    : `was ended by ${exit.signal}${exit.signal === "SIGKILL" ? " (out of memory?)" : ""}`;
}
