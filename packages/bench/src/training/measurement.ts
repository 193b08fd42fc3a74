/** What training took on one rank, without the first iterations. */
export interface TrainingMeasurement {
  readonly totalMs: number;
  /** In collectives until the others had come; 0 unless it was asked for. */
  readonly waitingMs: number;
  readonly movingMs: number;
  /** In the solver. */
  readonly solvingMs: number;
  readonly growth: readonly Growth[];
}

/** What each iteration took on one rank, in milliseconds: shared with the other ranks, and all of it alone. */
export interface ScalingMeasurement {
  readonly togetherMs: readonly number[];
  readonly aloneMs: readonly number[];
}

/** What training is like around an iteration. */
export interface Growth {
  readonly iteration: number;
  /** Of the program of one stage. */
  readonly cutsPerStage: number;
  /** Means of the last iterations up to this one. */
  readonly iterationMs: number;
  readonly solvingMs: number;
  /** Of one solve. */
  readonly simplexIterations: number;
  /** The largest resident memory so far; what of it JavaScript holds now. */
  readonly peakMiB: number;
  readonly heapMiB: number;
}

/** What a rank is asked to do; it travels as JSON in its one argument. */
export interface TrainingRequest {
  readonly iterations: number;
  /** How many of them come before the measurement: the engine compiles while it runs. */
  readonly warmUp: number;
  readonly splitsWaiting: boolean;
  /** After which iterations to look at the growth. */
  readonly marks: readonly number[];
}
