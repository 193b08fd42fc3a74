import { getSystemErrorName } from "node:util";

/** A system call said no. `code` is the name of its errno: `"ENOSPC"`. */
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
