/** Mean and spread of costs that were drawn independently. */
export interface CostStatistics {
  readonly mean: number;
  /** With n - 1 in the denominator; 0 for a single value, of which nothing is known. */
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `undefined` for a single value. */
  readonly ci95: number | undefined;
  readonly count: number;
}

/** Sums in the order of the values, whoever computed them. */
export function costStatistics(costs: Float64Array): CostStatistics {
  const count = costs.length;
  let sum = 0;
  for (const cost of costs) sum += cost;
  const mean = sum / count;
  if (count === 1) return { mean, std: 0, ci95: undefined, count };
  let squares = 0;
  for (const cost of costs) squares += (cost - mean) * (cost - mean);
  const std = Math.sqrt(squares / (count - 1));
  return { mean, std, ci95: (1.96 * std) / Math.sqrt(count), count };
}
