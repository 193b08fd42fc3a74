import { existsSync } from "node:fs";
import { InvalidArgument } from "../errors/comm-error.js";

/** The command cannot be run: it was not found (exit code 127), or it cannot be executed (126). */
export class CommandNotRunnable extends InvalidArgument {
  readonly command: string;
  /** The exit code that a shell would use. */
  readonly exitCode: 126 | 127;

  constructor(command: string, errorCode: string) {
    super("launch", "command", reasonFor(command, errorCode));
    this.command = command;
    this.exitCode = errorCode === "ENOENT" ? 127 : 126;
  }
}

function reasonFor(command: string, errorCode: string): string {
  const named = JSON.stringify(command);
  if (errorCode === "EACCES") {
    return `${named} is not executable. Name a program, or make the file executable (chmod +x).`;
  }
  if (errorCode !== "ENOENT") return `${named} cannot be run (${errorCode}).`;
  if (!command.includes("/")) {
    return `${named} was not found in PATH. Check its spelling, or give its path.`;
  }
  return existsSync(command)
    ? `${named} cannot be run: the interpreter named in its first line was not found.`
    : `${named} was not found. Check the path.`;
}
