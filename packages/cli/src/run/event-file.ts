import { openSync, writeSync } from "node:fs";
import { OutputError } from "@cobre/io";
import type { RunEvent } from "@cobre/study";
import { exitCodeOf, isToldElsewhere } from "../failure.js";

/** The path that means standard output. */
export const STANDARD_OUTPUT = "-";
const FULL_PIPE_MS = 2;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Reports the events of a run to another program (`--events`): a line of JSON for each event, appended to a file that all ranks and
 * their launcher share. Each line is a single write, so that lines never mix. `-` is standard output.
 *
 * @example
 * ```
 * {"rank":0,"type":"iteration_done","record":{"iteration":1,"lowerBound":61.5,…},…}
 * {"rank":1,"type":"error","error":{"name":"SolverError","kind":"SubproblemFailed",…},"code":1}
 * ```
 */
export class EventFile {
  private readonly file: number;
  private readonly path: string;
  private readonly isStandardOutput: boolean;
  private isLost = false;
  /** The rank that writes; `null` is the launcher. */
  rank: number | null;

  constructor(path: string, rank: number | null) {
    this.isStandardOutput = path === STANDARD_OUTPUT;
    this.path = this.isStandardOutput ? "standard output" : path;
    this.rank = rank;
    try {
      this.file = this.isStandardOutput ? 1 : openSync(path, "a");
    } catch (cause) {
      throw OutputError.of(path, cause);
    }
  }

  /** On a pipe, long lines of several ranks could mix: there, only rank 0 tells more than errors. */
  readonly tell = (event: RunEvent): void => {
    if (!this.isStandardOutput || this.rank === 0 || this.rank === null) this.write(event);
  };

  /** Writes an error with its kind and fields, unless another rank has reported it. */
  tellError(error: unknown): void {
    if (isToldElsewhere(error)) return;
    this.write({ type: "error", error: fieldsOf(error), code: exitCodeOf(error) });
  }

  private write(line: object): void {
    if (this.isLost) return;
    try {
      writeWhole(this.file, Buffer.from(`${JSON.stringify({ rank: this.rank, ...line })}\n`));
    } catch (cause) {
      if (this.isStandardOutput && codeOf(cause) === "EPIPE") this.lose();
      else throw OutputError.of(this.path, cause);
    }
  }

  /** The reader of standard output has ended. The run matters more than who watches it. */
  private lose(): void {
    this.isLost = true;
    if (this.rank === 0) console.error("cobre: nobody reads the events: the run goes on");
  }
}

/** A pipe that is full takes a part of a line, or nothing. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(file, bytes, from);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") throw error;
      Atomics.wait(NEVER, 0, 0, FULL_PIPE_MS);
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The kind and typed fields of an error are enumerable; `message` and `name` may not be. */
function fieldsOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  return { ...error, name: error.name, message: error.message };
}
