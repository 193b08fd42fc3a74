/** How many cuts there are, and how long. */
export interface CutMemoryRequest {
  readonly stages: number;
  /** In every stage but the last. */
  readonly cutsPerStage: number;
  /** Components of the state: a cut has one number more. */
  readonly dimension: number;
}

/** The memory of a rank at one moment. */
export interface MemoryOfRank {
  /** RSS: every page that it has, shared ones in full. */
  readonly residentKb: number;
  /** PSS: of a page that n processes share, a n-th. The sum over all ranks counts every page once. */
  readonly proportionalKb: number;
  /** The part of PSS that is shared memory. */
  readonly sharedKb: number;
}

/** What a rank prints. */
export interface CutMemoryOfRank {
  readonly before: MemoryOfRank;
  readonly withCuts: MemoryOfRank;
  readonly withPrograms: MemoryOfRank;
  /** The largest RSS so far. */
  readonly peakKb: number;
  readonly cuts: number;
}
