import type { ValidationIssue } from "@cobre/core";
import type { StudyEvent } from "./events.js";

/** How one rank's process ended, as its launcher saw it. */
export interface RankEnd {
  readonly rank: number;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
}

/** The events of a run, which `cobre run --events` writes: those of the study, and those of its processes. */
export type RunEvent =
  | StudyEvent
  /** A warning about the case. */
  | { readonly type: "warning"; readonly issue: ValidationIssue }
  /** From each rank. */
  | { readonly type: "rank_started"; readonly pid: number; readonly backend: string }
  /** From each rank but rank 0, whose `iteration_done` tells the same and more: its own milliseconds of an iteration. */
  | {
      readonly type: "rank_iteration";
      readonly iteration: number;
      readonly totalMs: number;
      readonly solvingMs: number;
      /** 0 unless waiting is measured apart. */
      readonly waitingMs: number;
      readonly movingMs: number;
    }
  /** From each rank but rank 0, whose `scenario_done` tells the same. */
  | {
      readonly type: "rank_scenario";
      readonly done: number;
      readonly of: number;
      readonly cost: number;
    }
  /** From rank 0: training waits at the end of this iteration (`--hold`). `policy` is a file with its cuts, to look at. */
  | { readonly type: "held"; readonly iteration: number; readonly policy: string }
  /** From rank 0: it goes on, or was asked to stop. */
  | { readonly type: "released"; readonly iteration: number }
  /** From each rank: milliseconds since its process started. */
  | { readonly type: "rank_done"; readonly backend: string; readonly wallMs: number }
  /** From the launcher: every rank has ended. */
  | {
      readonly type: "job_done";
      readonly code: number;
      readonly firstFailure: number | null;
      readonly ranks: readonly RankEnd[];
    };
