import { execFile } from "node:child_process";

export interface RunProgramOptions {
  /** Variables on top of the inherited ones. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutSecs?: number;
}

/** Runs a program and returns its stdout. Rejects with its stderr if it fails. */
export function runProgram(
  file: string,
  args: readonly string[],
  { env = {}, timeoutSecs = 60 }: RunProgramOptions = {},
): Promise<string> {
  const options = {
    env: { ...process.env, ...env },
    timeout: timeoutSecs * 1000,
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    execFile(file, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.code === "ENOENT") reject(new Error(`${file} is not installed`));
      else if (error.killed) reject(new Error(`${file} took longer than ${timeoutSecs} s`));
      else reject(new Error(`${file} failed\n${stderr.trim()}`));
    });
  });
}

/** The last line of an error message, which usually says why a program failed. */
export function lastWords(error: unknown): string {
  return (error as Error).message.trim().split("\n").at(-1) ?? "";
}
