import { meanOf, percentile, sortedNumbers } from "./cube.js";

/** How a sampled quantity is distributed. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  /** The sample standard deviation; 0 for a single value. */
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `null` for a single value. */
  readonly ci95: number | null;
  readonly min: number;
  readonly p5: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** The mean of the highest 5 % of the values, of at least one. */
  readonly cvar95: number;
}

export function distributionOf(values: Float64Array): Distribution {
  const sorted = sortedNumbers(values);
  const count = sorted.length;
  const mean = meanOf(sorted);
  let squares = 0;
  for (const value of sorted) squares += (value - mean) ** 2;
  const std = count > 1 ? Math.sqrt(squares / (count - 1)) : 0;
  return {
    count,
    mean,
    std,
    ci95: count > 1 ? (1.96 * std) / Math.sqrt(count) : null,
    min: percentile(sorted, 0),
    p5: percentile(sorted, 5),
    median: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    max: percentile(sorted, 100),
    cvar95: meanOf(sorted.subarray(count - Math.max(1, Math.ceil(count * 0.05)))),
  };
}
