/** The statistics that groups of rows can be told by. */
export const STATISTICS = [
  "count",
  "mean",
  "sum",
  "min",
  "max",
  "std",
  "p5",
  "p10",
  "p25",
  "p50",
  "p75",
  "p90",
  "p95",
] as const;

export type Statistic = (typeof STATISTICS)[number];

/** A statistic of the values that are not missing; NaN if there are none. */
export function statisticOf(statistic: Statistic, all: readonly number[]): number {
  const values = all.filter((value) => !Number.isNaN(value));
  if (statistic === "count") return values.length;
  if (values.length === 0) return Number.NaN;
  const sum = () => values.reduce((total, value) => total + value, 0);
  switch (statistic) {
    case "mean":
      return sum() / values.length;
    case "sum":
      return sum();
    case "min":
      return values.reduce((least, value) => Math.min(least, value));
    case "max":
      return values.reduce((most, value) => Math.max(most, value));
    case "std": {
      if (values.length === 1) return 0;
      const mean = sum() / values.length;
      const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
      return Math.sqrt(squares / (values.length - 1));
    }
    default:
      return percentile(values, Number(statistic.slice(1)));
  }
}

/** Between two values, in proportion. */
function percentile(values: readonly number[], level: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = ((sorted.length - 1) * level) / 100;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}
