/** The times of one cell in one pass of a launch: microseconds per call, one figure per batch. */
export interface LayerTimes {
  readonly op: string;
  readonly bytes: number;
  readonly ours: readonly number[];
  /** Of the same calls in C, on the same arrays. */
  readonly bare: readonly number[];
}
