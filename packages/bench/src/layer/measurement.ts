/** What a launch measured of one cell in one pass: microseconds per call, one figure per batch. */
export interface LayerTimes {
  readonly op: string;
  readonly bytes: number;
  readonly ours: readonly number[];
  /** C's, of the same calls on the same arrays. */
  readonly bare: readonly number[];
}
