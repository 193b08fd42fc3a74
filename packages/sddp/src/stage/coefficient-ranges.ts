import type { StageProblem } from "./stage-problem.js";

/** The smallest and the largest magnitude of the finite, nonzero numbers in some arrays. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The ranges of the coefficients in the program of a stage, without cuts. Wide ranges are a common reason for solver failures. */
export interface CoefficientRanges {
  /** Index of the stage. */
  readonly stage: number;
  readonly columns: number;
  readonly rows: number;
  readonly nonzeros: number;
  readonly matrix: Range | undefined;
  readonly objective: Range | undefined;
  /** Bounds of columns. */
  readonly bounds: Range | undefined;
  /** Bounds of rows. */
  readonly rightHandSides: Range | undefined;
}

/** The ranges in the program of a stage as it was built. */
export function coefficientRanges({ stage, lp }: StageProblem): CoefficientRanges {
  const { cost, columnLower, columnUpper, rows } = lp.data;
  return {
    stage,
    columns: cost.length,
    rows: rows.lower.length,
    nonzeros: rows.values.length,
    matrix: rangeOf(rows.values),
    objective: rangeOf(cost),
    bounds: rangeOf(columnLower, columnUpper),
    rightHandSides: rangeOf(rows.lower, rows.upper),
  };
}

function rangeOf(...arrays: readonly Float64Array[]): Range | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (const array of arrays) {
    for (const value of array) {
      const magnitude = Math.abs(value);
      if (magnitude === 0 || magnitude === Number.POSITIVE_INFINITY) continue;
      min = Math.min(min, magnitude);
      max = Math.max(max, magnitude);
    }
  }
  return max === 0 ? undefined : { min, max };
}
