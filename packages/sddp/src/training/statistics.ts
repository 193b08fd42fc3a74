import { SddpError } from "../errors.js";

/** Mean and spread of independently sampled costs. */
export interface CostStatistics {
  readonly mean: number;
  /** The sample standard deviation, with n - 1 in the denominator; 0 for a single value. */
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `undefined` for a single value, and if the values are those of all paths. */
  readonly ci95: number | undefined;
  readonly count: number;
}

/**
 * Sums the values in their order, whichever rank computed them, so that the result is always the same.
 *
 * @throws {@link SddpError} if a value, their mean or their deviation is not finite
 */
export function costStatistics(costs: Float64Array): CostStatistics {
  const count = costs.length;
  let sum = 0;
  for (const cost of costs) sum += cost;
  const mean = finiteCost(sum / count, "the mean of the costs");
  if (count === 1) return { mean, std: 0, ci95: undefined, count };
  let squares = 0;
  for (const cost of costs) squares += (cost - mean) * (cost - mean);
  const std = finiteCost(Math.sqrt(squares / (count - 1)), "the standard deviation of the costs");
  return { mean, std, ci95: (1.96 * std) / Math.sqrt(count), count };
}

/**
 * Mean and spread of the costs of all paths, which have these probabilities. Nothing is estimated: the deviation is that of the cost itself, and the
 * mean has no confidence interval.
 *
 * @throws {@link SddpError} if a value, their mean or their deviation is not finite
 */
export function censusStatistics(costs: Float64Array, probabilities: Float64Array): CostStatistics {
  const weighed = (value: (cost: number) => number) =>
    costs.reduce((sum, cost, path) => sum + probabilities[path] * value(cost), 0);
  const mean = finiteCost(
    weighed((cost) => cost),
    "the mean of the costs",
  );
  const std = Math.sqrt(weighed((cost) => (cost - mean) * (cost - mean)));
  return {
    mean,
    std: finiteCost(std, "the standard deviation of the costs"),
    ci95: undefined,
    count: costs.length,
  };
}

/** The cost itself. A run must fail, and not report a result, when it is not a finite number. */
export function finiteCost(cost: number, what: string): number {
  if (Number.isFinite(cost)) return cost;
  throw new SddpError(
    "NotFinite",
    `${what} is ${cost}, which is no result; look for very large costs, bounds or loads in the case`,
  );
}
