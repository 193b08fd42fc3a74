/** The results of one iteration. Costs are in $. */
export interface IterationRecord {
  /** From 1. */
  readonly iteration: number;
  readonly lowerBound: number;
  /** The sample mean of the forward passes' costs. It is an estimate, not a bound, unless `isExact`. */
  readonly upperBoundMean: number;
  readonly upperBoundStd: number;
  /** Whether the passes went along every path, so that `upperBoundMean` is the cost of the policy and an upper bound. Default: false. */
  readonly isExact?: boolean | undefined;
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
] as const satisfies readonly Exclude<keyof IterationRecord, "isExact">[];

/**
 * How far the mean of the forward passes is above the lower bound, in percent of that mean. `undefined` if the bound is not positive, or if it is a bound
 * on a risk-adjusted cost, which a mean cannot be compared with.
 */
export function gapPercent(
  { lowerBound, upperBoundMean }: Pick<IterationRecord, "lowerBound" | "upperBoundMean">,
  isRiskNeutral: boolean,
): number | undefined {
  if (lowerBound <= 0 || !isRiskNeutral) return undefined;
  return (100 * (upperBoundMean - lowerBound)) / Math.max(1, Math.abs(upperBoundMean));
}
