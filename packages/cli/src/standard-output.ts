/** Standard output that can be lost: its reader may end (`| head`), its disk may be full. */
import type { LogStream } from "./run/log.js";

/**
 * Prints what a command is asked for. A reader that has ended wanted no more, so that is no error.
 *
 * @throws `OutputError` if it cannot be written for another reason
 */
export async function print(text: string): Promise<void> {
  const error = await write(text);
  if (error === undefined || codeOf(error) === "EPIPE") return;
  const { OutputError } = await import("@cobre/io");
  throw OutputError.of("standard output", error);
}

function write(text: string): Promise<Error | undefined> {
  const { stdout } = process;
  return new Promise((resolve) => {
    // The stream also emits the error, after it has called back.
    stdout.once("error", ignore);
    const done = (error?: unknown) => {
      if (!error) stdout.off("error", ignore);
      resolve(error ? (error as Error) : undefined);
    };
    try {
      stdout.write(text, done);
    } catch (error) {
      done(error); // files are written at once
    }
  });
}

/** Standard output for the log of a run. The run matters more than its log: it goes on without one, and says so once. */
export class RunOutput implements LogStream, Disposable {
  private isLost = false;

  constructor() {
    process.stdout.on("error", this.lose);
  }

  get isTTY(): boolean {
    return process.stdout.isTTY ?? false;
  }

  get columns(): number {
    refreshSize();
    return process.stdout.columns;
  }

  get rows(): number {
    refreshSize();
    return process.stdout.rows;
  }

  hasColors(): boolean {
    return this.isTTY && process.stdout.hasColors();
  }

  write(text: string): void {
    if (this.isLost) return;
    try {
      process.stdout.write(text);
    } catch (error) {
      this.lose(error); // files are written at once
    }
  }

  private readonly lose = (error: unknown): void => {
    if (this.isLost) return;
    this.isLost = true;
    console.error(
      `cobre: standard output cannot be written (${codeOf(error)}): the run goes on without its log`,
    );
  };

  [Symbol.dispose](): void {
    // An error of the last write may come later; it must not end the process.
    setImmediate(() => process.stdout.off("error", this.lose)).unref();
  }
}

/**
 * Asks the terminal for its size. Node.js does so only when it handles SIGWINCH, which is too late for a rank that computes: it would draw with
 * the old size in between, and leave lines behind. Its method for that is not documented, so we can do without.
 */
function refreshSize(): void {
  const { stdout } = process as { readonly stdout: { _refreshSize?(): void } };
  stdout._refreshSize?.();
}

function ignore(): void {}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
