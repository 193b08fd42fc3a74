import { isBackendError, isCommError } from "@cobre/comm";
import { CommandNotRunnable } from "@cobre/comm/launch";
import { ValidationError } from "@cobre/core";
import { OutputError } from "@cobre/io";
import { SddpError } from "@cobre/sddp";
import { SolverError, SubproblemFailed } from "@cobre/solver";
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
  if (error instanceof ValidationError) return EXIT.invalidCase;
  if (error instanceof OutputError || error instanceof SddpError) return EXIT.unusableFiles;
  return isMistake(error) ? EXIT.typedWrong : EXIT.failed;
}

function textOf(error: unknown): unknown {
  if (isCommError(error)) return `cobre ${error.message}`; // begins with the operation
  if (isBackendError(error) || isOurs(error)) return `cobre: ${error.message}`;
  if (process.env.COBRE_DEBUG === "1") return error; // with its stack
  const message = error instanceof Error ? error.message : String(error);
  return `cobre: unexpected error: ${message} (COBRE_DEBUG=1 shows where)`;
}

/** Errors whose messages are written for users. */
function isOurs(error: unknown): error is Error {
  return [ValidationError, OutputError, SddpError, SolverError, SubproblemFailed].some(
    (type) => error instanceof type,
  );
}

/** Whether typing something else would help. */
function isMistake(error: unknown): boolean {
  if (isCommError(error)) return error.kind === "InvalidArgument";
  return isBackendError(error) && error.kind !== "InitializationFailed";
}
