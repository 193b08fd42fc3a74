import { meanOf, percentile, type SortedValues, sortedValues, sumOf } from "./cube.js";

/** How a quantity is distributed over the scenarios. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  /** The standard deviation: that of a sample, or of all paths; 0 for a single value. */
  readonly std: number;
  /** Half the width of the 95 % confidence interval of the mean; `null` for a single value, and for all paths. */
  readonly ci95: number | null;
  readonly min: number;
  readonly p5: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** The mean of the highest 5 % of the values, of at least one. */
  readonly cvar95: number;
  /** Whether the values are those of all paths of a tree, weighed by their probabilities, so that nothing is estimated. Default: false. */
  readonly isExact?: boolean | undefined;
}

const TAIL = 0.05;

/** @param probabilities of the values, if they are those of all paths */
export function distributionOf(values: Float64Array, probabilities?: Float64Array): Distribution {
  const sorted = sortedValues(values, probabilities);
  return {
    ...(probabilities ? spreadOfAll(sorted) : spreadOfSample(sorted.values)),
    min: percentile(sorted, 0),
    p5: percentile(sorted, 5),
    median: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    max: percentile(sorted, 100),
  };
}

type Spread = Pick<Distribution, "count" | "mean" | "std" | "ci95" | "cvar95" | "isExact">;

function spreadOfSample(sorted: Float64Array): Spread {
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
    cvar95: meanOf(sorted.subarray(count - Math.max(1, Math.ceil(count * TAIL)))),
  };
}

function spreadOfAll({ values, probabilities: all }: SortedValues): Spread {
  const probabilities = all ?? new Float64Array();
  const mean = meanOf(values, probabilities);
  const squares = values.map((value) => (value - mean) ** 2);
  return {
    count: values.length,
    mean,
    std: Math.sqrt(meanOf(squares, probabilities)),
    ci95: null,
    cvar95: meanOf(values, tailOf(probabilities)),
    isExact: true,
  };
}

/** The probabilities within the highest part of the distribution; of the value at its edge, only a part is. */
function tailOf(probabilities: Float64Array): Float64Array {
  let left = TAIL * sumOf(probabilities);
  return probabilities
    .toReversed()
    .map((probability) => {
      const taken = Math.min(left, probability);
      left -= taken;
      return taken;
    })
    .toReversed();
}
