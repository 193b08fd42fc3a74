import { isBackendError, isCommError } from "@cobre/comm";
import { CommandNotRunnable } from "@cobre/comm/launch";
import { CommanderError } from "commander";

const FAILED = 1;
const TYPED_WRONG = 2;

/** Tells the user what went wrong, without a stack trace. Returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : TYPED_WRONG; // already told
  console.error(textOf(error));
  if (error instanceof CommandNotRunnable) return error.exitCode;
  return isMistake(error) ? TYPED_WRONG : FAILED;
}

function textOf(error: unknown): unknown {
  if (isCommError(error)) return `cobre ${error.message}`; // begins with the operation
  if (isBackendError(error)) return `cobre: ${error.message}`;
  if (process.env.COBRE_DEBUG === "1") return error; // with its stack
  const message = error instanceof Error ? error.message : String(error);
  return `cobre: unexpected error: ${message} (COBRE_DEBUG=1 shows where)`;
}

/** Whether typing something else would help. */
function isMistake(error: unknown): boolean {
  if (isCommError(error)) return error.kind === "InvalidArgument";
  return isBackendError(error) && error.kind !== "InitializationFailed";
}
