import { constants } from "node:os";
import type { LeaderExit } from "./rank-process.js";

/** Why the launcher ended a job that would have gone on. */
export type EndCause =
  | { readonly kind: "start failed" }
  | { readonly kind: "failure" }
  | { readonly kind: "request" }
  | { readonly kind: "timeout" }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  | { readonly kind: "broken output"; readonly isClosedPipe: boolean };

/** As the `timeout` command has it. */
const TIMED_OUT = 124;

/** What a shell reports for a command that a signal ended. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** What a shell reports for a process that ended so. */
export function exitCodeOf(exit: LeaderExit): number {
  return exit.signal === null ? (exit.code ?? 0) : signalExitCode(exit.signal);
}

/** `failure` is how the first rank that failed ended; `killed`, whether the launcher killed it. */
export function jobExitCode(
  cause: EndCause | undefined,
  failure: LeaderExit | undefined,
  killed: boolean,
  outputLost: boolean,
): number {
  if (cause?.kind === "timeout") return TIMED_OUT;
  if (cause?.kind === "broken output") return cause.isClosedPipe ? signalExitCode("SIGPIPE") : 1;
  // Killed because it did not heed the signal, or no longer waited for: the signal was the reason.
  if (cause?.kind === "signal" && (killed || outputLost)) return signalExitCode(cause.signal);
  return failure === undefined ? 0 : exitCodeOf(failure);
}

/** "exited with code 5", "was ended by SIGSEGV". */
export function describeExit(exit: LeaderExit): string {
  return exit.signal === null
    ? `exited with code ${exit.code ?? 0}`
    : `was ended by ${exit.signal}${exit.signal === "SIGKILL" ? " (out of memory?)" : ""}`;
}
