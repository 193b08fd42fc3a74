import { openSync, writeSync } from "node:fs";
import type { ValidationIssue } from "@cobre/core";
import { OutputError } from "@cobre/io";
import type { StudyEvent } from "@cobre/study";
import { exitCodeOf, isToldElsewhere } from "../failure.js";

/** How one rank's process ended, as its launcher saw it. */
export interface RankEnd {
  readonly rank: number;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
}

/** The events of a run: those of the study, and those of its processes. */
export type RunEvent =
  | StudyEvent
  /** A warning about the case. */
  | { readonly type: "warning"; readonly issue: ValidationIssue }
  /** From each rank. */
  | { readonly type: "rank_started"; readonly pid: number; readonly backend: string }
  /** From each rank: milliseconds since its process started. */
  | { readonly type: "rank_done"; readonly backend: string; readonly wallMs: number }
  /** From the launcher: every rank has ended. */
  | {
      readonly type: "job_done";
      readonly code: number;
      readonly firstFailure: number | null;
      readonly ranks: readonly RankEnd[];
    };

/**
 * Reports the events of a run to another program (`--events`): a line of JSON for each event, appended to a file that all ranks and
 * their launcher share. Each line is a single write, so that lines never mix.
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
  /** The rank that writes; `null` is the launcher. */
  rank: number | null;

  constructor(path: string, rank: number | null) {
    this.path = path;
    this.rank = rank;
    try {
      this.file = openSync(path, "a");
    } catch (cause) {
      throw OutputError.of(path, cause);
    }
  }

  readonly tell = (event: RunEvent): void => this.write(event);

  /** Writes an error with its kind and fields, unless another rank has reported it. */
  tellError(error: unknown): void {
    if (isToldElsewhere(error)) return;
    this.write({ type: "error", error: fieldsOf(error), code: exitCodeOf(error) });
  }

  private write(line: object): void {
    try {
      writeSync(this.file, `${JSON.stringify({ rank: this.rank, ...line })}\n`);
    } catch (cause) {
      throw OutputError.of(this.path, cause);
    }
  }
}

/** The kind and typed fields of an error are enumerable; `message` and `name` may not be. */
function fieldsOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  return { ...error, name: error.name, message: error.message };
}
