/** What is known of an iteration when it has ended. Costs are in $. */
export interface IterationRecord {
  /** From 1. */
  readonly iteration: number;
  readonly lowerBound: number;
  /** Of the forward passes: a sample, which is no bound. */
  readonly upperBoundMean: number;
  readonly upperBoundStd: number;
  readonly forwardPasses: number;
  readonly cutsAdded: number;
  /** In all stages together. */
  readonly cutsActive: number;
  /** On all ranks together. */
  readonly lpSolves: number;
  readonly forwardMs: number;
  readonly backwardMs: number;
  readonly totalMs: number;
}

/** The fields of a record, in the order in which a policy file holds them. */
export const RECORD_FIELDS = [
  "iteration",
  "lowerBound",
  "upperBoundMean",
  "upperBoundStd",
  "forwardPasses",
  "cutsAdded",
  "cutsActive",
  "lpSolves",
  "forwardMs",
  "backwardMs",
  "totalMs",
] as const satisfies readonly (keyof IterationRecord)[];

/** How far the mean of the forward passes is above the lower bound; `undefined` if the bound is not above 0. */
export function gapPercent({ lowerBound, upperBoundMean }: IterationRecord): number | undefined {
  if (lowerBound <= 0) return undefined;
  return (100 * (upperBoundMean - lowerBound)) / Math.max(1, Math.abs(upperBoundMean));
}
