import { isBackendError, isCommError } from "@cobre/comm";
import { CommandNotRunnable } from "@cobre/comm/launch";
import { CommanderError } from "commander";
import { EXIT } from "./exit-codes.js";
import { FailedElsewhere } from "./run/agreement.js";

/** Tells the user what went wrong, without a stack trace. Returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.typedWrong; // already told
  if (!(error instanceof FailedElsewhere)) console.error(textOf(error));
  return exitCodeOf(error);
}

/** What a command exits with after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandNotRunnable || error instanceof FailedElsewhere) {
    return error.exitCode;
  }
  const own = ownError(error);
  if (own !== undefined) return OWN_ERRORS[own];
  return isMistake(error) ? EXIT.typedWrong : EXIT.failed;
}

function textOf(error: unknown): unknown {
  if (isCommError(error)) return `cobre ${error.message}`; // begins with the operation
  if (isBackendError(error)) return `cobre: ${error.message}`;
  if (ownError(error) !== undefined) return `cobre: ${(error as Error).message}`;
  if (process.env.COBRE_DEBUG === "1") return error; // with its stack
  const message = error instanceof Error ? error.message : String(error);
  return `cobre: unexpected error: ${message} (COBRE_DEBUG=1 shows where)`;
}

/**
 * Errors of the solver's packages whose messages are written for users, and what a command exits with after them. They are known by name, so
 * that commands that need none of these packages do not load them.
 */
const OWN_ERRORS = {
  ValidationError: EXIT.invalidCase,
  OutputError: EXIT.unusableFiles,
  SddpError: EXIT.unusableFiles,
  SolverError: EXIT.failed,
} as const;

function ownError(error: unknown): keyof typeof OWN_ERRORS | undefined {
  if (!(error instanceof Error) || !Object.hasOwn(OWN_ERRORS, error.name)) return undefined;
  return error.name as keyof typeof OWN_ERRORS;
}

/** Whether typing something else would help. */
function isMistake(error: unknown): boolean {
  if (isCommError(error)) return error.kind === "InvalidArgument";
  return isBackendError(error) && error.kind !== "InitializationFailed";
}
