import { isBackendError, isCommError } from "@cobre/comm";
import { CommandNotRunnable } from "@cobre/comm/launch";
import type { FailedElsewhere } from "@cobre/study";
import { EXIT } from "./exit-codes.js";
import { styledError } from "./help-text.js";

/** Prints what went wrong, without a stack trace. Returns the exit code. */
export function reportFailure(error: unknown): number {
  if (!isToldElsewhere(error)) tell(textOf(error));
  return exitCodeOf(error);
}

function tell(text: unknown): void {
  console.error(typeof text === "string" ? styledError(text, process.stderr) : text);
}

/** The exit code of a command after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandNotRunnable) return error.exitCode;
  if (isToldElsewhere(error)) return error.code;
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
  return `cobre: unexpected error: ${message} (set COBRE_DEBUG=1 to see where)`;
}

/**
 * Errors of the solver's packages whose messages are written for users, and their exit codes. They are recognised by name, so that
 * commands that need none of these packages do not load them.
 */
const OWN_ERRORS = {
  ValidationError: EXIT.invalidCase,
  OutputError: EXIT.unusableFiles,
  RunError: EXIT.unusableFiles,
  SddpError: EXIT.unusableFiles,
  SolverError: EXIT.failed,
} as const;

function ownError(error: unknown): keyof typeof OWN_ERRORS | undefined {
  if (!(error instanceof Error) || !Object.hasOwn(OWN_ERRORS, error.name)) return undefined;
  return error.name as keyof typeof OWN_ERRORS;
}

/** Whether another rank has failed and has reported why. */
export function isToldElsewhere(error: unknown): error is FailedElsewhere {
  return error instanceof Error && error.name === "FailedElsewhere";
}

/** Whether the error is in what the user typed. */
function isMistake(error: unknown): boolean {
  if (isCommError(error)) return error.kind === "InvalidArgument";
  return isBackendError(error) && error.kind !== "InitializationFailed";
}
