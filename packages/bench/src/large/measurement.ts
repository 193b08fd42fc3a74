import type { SolverName } from "@cobre/solver";
import type { MemoryOfRank } from "../process-memory.js";
import type { Selection } from "../training/selection.js";

/** What the ranks have to do; passed to them as JSON in their only argument. */
export interface LargeRequest {
  readonly directory: string;
  readonly solver: SolverName;
  readonly selection: Selection;
}

/** A line of JSON that a rank prints: rank 0 after each iteration, every rank at the end. */
export type LargeLine =
  | {
      readonly kind: "iteration";
      readonly iteration: number;
      readonly seconds: number;
      readonly forwardSeconds: number;
      readonly backwardSeconds: number;
      readonly lowerBound: number;
      /** Of all ranks. */
      readonly lps: number;
      /** Of rank 0, for each program that it solved. */
      readonly simplexIterations: number;
      readonly peakKb: number;
    }
  | {
      readonly kind: "end";
      /** With all cuts in the programs, while every rank holds its own. */
      readonly memory: MemoryOfRank;
      readonly peakKb: number;
      readonly cuts: number;
      readonly stateDimension: number;
    };
