import { getSystemErrorName } from "node:util";

/** A system call failed. `code` is the name of its errno, such as `"ENOSPC"`. */
export class SystemCallError extends Error {
  override readonly name = "SystemCallError";
  readonly call: string;
  readonly code: string;

  constructor(call: string, errno: number) {
    const code = getSystemErrorName(-errno);
    super(`${call}: ${code}`);
    this.call = call;
    this.code = code;
  }
}

/** The name of an error's errno, whether the system call was made here or by Node.js. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
