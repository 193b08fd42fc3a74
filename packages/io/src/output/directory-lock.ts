import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { OutputError } from "./output-error.js";
import { writeAll } from "./write-all.js";

/** Locks of the operating system on open files. They end with the process that holds them, however it ends. */
export interface FileLocks {
  /**
   * Tries to lock an open file without waiting.
   *
   * @returns `"held"`; `"taken"` if another open file holds the lock; `"unsupported"` if the file system has no locks
   */
  tryLock(file: number): "held" | "taken" | "unsupported";
}

/** The run that last held a lock, as far as its file tells. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/**
 * The lock by which a run keeps others out of its output directory. The file stays when the run has ended, and tells who held it last; only the
 * kernel knows whether it is locked. A run that is killed therefore never leaves a lock behind.
 */
export class DirectoryLock {
  readonly isHeld: boolean;
  private file: number | undefined;

  /** @throws {@link OutputError} of kind `"OutputInUse"` if another run holds the lock */
  constructor(path: string, locks: FileLocks | undefined) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o666);
      const state = locks?.tryLock(this.file) ?? "unsupported";
      if (state === "taken") throw inUse(path);
      this.isHeld = state === "held";
      const holder: Holder = {
        pid: process.pid,
        host: hostname(),
        since: new Date().toISOString(),
      };
      ftruncateSync(this.file);
      writeAll(this.file, new TextEncoder().encode(`${JSON.stringify(holder)}\n`));
    } catch (cause) {
      this.release();
      throw cause instanceof OutputError ? cause : OutputError.of(path, cause);
    }
  }

  /** Lets other runs in. */
  release(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

function inUse(path: string): OutputError {
  const directory = dirname(path);
  return new OutputError(
    "OutputInUse",
    directory,
    `${directory} is in use by ${describeHolder(path)}; wait until it has ended, or choose another directory (--output)`,
  );
}

function describeHolder(path: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(path, "utf8")) as Holder;
    return `another run (process ${Number(pid)} on ${JSON.stringify(host).slice(1, -1)}, since ${new Date(since).toISOString()})`;
  } catch {
    return "another run"; // which has not yet written who it is
  }
}
