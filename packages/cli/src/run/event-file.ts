import { openSync, writeSync } from "node:fs";
import type { ValidationIssue } from "@cobre/core";
import { OutputError } from "@cobre/io";
import type { SddpEvent } from "@cobre/sddp";
import { exitCodeOf } from "../failure.js";
import { FailedElsewhere } from "./agreement.js";

/** How one rank's process ended, as its launcher saw it. */
export interface RankEnd {
  readonly rank: number;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
}

/** What a run tells beyond the events of training and simulation. */
export type RunEvent =
  | SddpEvent
  /** Something of the case looks wrong. */
  | { readonly type: "warning"; readonly issue: ValidationIssue }
  /** What will be done: at most so many iterations (`null`: none), so many scenarios. */
  | {
      readonly type: "run_started";
      readonly iterationLimit: number | null;
      readonly scenarios: number | null;
    }
  /** Of each rank. */
  | { readonly type: "rank_started"; readonly pid: number; readonly backend: string }
  /** Of each rank: milliseconds since its process began. */
  | { readonly type: "rank_done"; readonly backend: string; readonly wallMs: number }
  | {
      readonly type: "simulation_result";
      readonly mean: number;
      readonly std: number;
      readonly ci95: number | null;
      readonly costs: readonly number[];
      readonly hash: string;
    }
  /** Of the launcher: every rank has ended. */
  | {
      readonly type: "job_done";
      readonly code: number;
      readonly firstFailure: number | null;
      readonly ranks: readonly RankEnd[];
    };

/**
 * Tells another program what a run does (`--events`): a line of JSON for each event, appended to a file that all ranks and their
 * launcher share. Each line is one write, so that lines never mix.
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
  /** Who speaks; `null` is the launcher. */
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

  /** Tells an error with its kind and its fields, unless another rank has told it. */
  tellError(error: unknown): void {
    if (error instanceof FailedElsewhere) return;
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

/** `message` and `name` of an error need not be enumerable; kinds and typed fields are. */
function fieldsOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  return { ...error, name: error.name, message: error.message };
}
