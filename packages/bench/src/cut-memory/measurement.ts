import type { MemoryOfRank } from "../process-memory.js";

/** How many cuts there are, and how long. */
export interface CutMemoryRequest {
  readonly stages: number;
  /** In every stage but the last. */
  readonly cutsPerStage: number;
  /** Components of the state: a cut has one number more. */
  readonly dimension: number;
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
