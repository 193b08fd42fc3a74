import type { SolverName } from "@cobre/solver";
import type { Selection } from "./selection.js";

/** The times of a training on one rank, without the first iterations. */
export interface TrainingMeasurement {
  readonly totalMs: number;
  /** Waiting for other ranks in collectives; 0 unless `splitsWaiting` was requested. */
  readonly waitingMs: number;
  readonly movingMs: number;
  /** In the solver. */
  readonly solvingMs: number;
  readonly growth: readonly Growth[];
}

/** The time of each iteration on one rank, in milliseconds: shared with the other ranks, and alone. */
export interface ScalingMeasurement {
  readonly togetherMs: readonly number[];
  readonly aloneMs: readonly number[];
}

/** The state of a training at an iteration. */
export interface Growth {
  readonly iteration: number;
  /** In the program of one stage. */
  readonly cutsPerStage: number;
  /** Means of the last iterations up to this one. */
  readonly iterationMs: number;
  readonly solvingMs: number;
  /** Per solve. */
  readonly simplexIterations: number;
  /** The peak of resident memory so far, and the present size of the JavaScript heap. */
  readonly peakMiB: number;
  readonly heapMiB: number;
}

/** What a rank has to do; passed to it as JSON in its only argument. */
export interface TrainingRequest {
  readonly iterations: number;
  /** How many of them come before the measurement, while V8 compiles. */
  readonly warmUp: number;
  readonly splitsWaiting: boolean;
  /** The iterations after which growth is measured. */
  readonly marks: readonly number[];
  readonly solver: SolverName;
  readonly selection: Selection;
}
