import type { TrainingRun } from "../results/training-run.js";

/** How training went, by iteration. Costs are in $. */
export interface ConvergenceReport {
  readonly iteration: Float64Array;
  readonly lowerBound: Float64Array;
  /** Means and standard deviations of the costs of the forward passes: samples, not bounds. */
  readonly forwardMean: Float64Array;
  readonly forwardStd: Float64Array;
  readonly forwardPasses: Float64Array;
  /** NaN where a mean cannot be compared with the bound. */
  readonly gapPercent: Float64Array;
  readonly cuts: Float64Array;
  readonly lpSolves: Float64Array;
  readonly milliseconds: Float64Array;
  /** How much the bound has risen lately; `null` with fewer than two iterations. */
  readonly rise: BoundRise | null;
  /** All forward passes of the last iterations together; `null` if there are none. */
  readonly recent: RecentForward | null;
}

export interface BoundRise {
  /** In percent of the bound; NaN if the bound is 0. */
  readonly percent: number;
  /** In the last so many iterations. */
  readonly iterations: number;
}

/** Forward passes of several iterations. Their policies differ a little, so the interval is an approximation. */
export interface RecentForward {
  readonly iterations: number;
  readonly passes: number;
  readonly mean: number;
  /** Half the width of the 95 % confidence interval; `null` for a single pass. */
  readonly ci95: number | null;
}

/** How many iterations are lately. */
const WINDOW = 10;

export async function readConvergence(training: TrainingRun): Promise<ConvergenceReport> {
  const { columns } = await training.convergence();
  const { upper_bound_mean, upper_bound_std, forward_passes } = columns;
  const isExact = training.metadata.forward?.isExact ?? false;
  return {
    iteration: columns.iteration,
    lowerBound: columns.lower_bound,
    forwardMean: columns.upper_bound_mean,
    forwardStd: columns.upper_bound_std,
    forwardPasses: columns.forward_passes,
    gapPercent: columns.gap_percent,
    cuts: columns.cuts_active,
    lpSolves: columns.lp_solves,
    milliseconds: columns.time_total_ms,
    rise: riseOf(columns.lower_bound),
    recent: isExact ? null : recentOf(upper_bound_mean, upper_bound_std, forward_passes),
  };
}

export function riseOf(lowerBound: Float64Array): BoundRise | null {
  const iterations = Math.min(WINDOW, lowerBound.length - 1);
  if (iterations < 1) return null;
  const last = lowerBound.at(-1) as number;
  const before = lowerBound.at(-1 - iterations) as number;
  return {
    percent: last === 0 ? Number.NaN : (100 * (last - before)) / Math.abs(last),
    iterations,
  };
}

export function recentOf(
  means: Float64Array,
  stds: Float64Array,
  counts: Float64Array,
): RecentForward | null {
  const iterations = Math.min(WINDOW, means.length);
  if (iterations === 0) return null;
  const first = means.length - iterations;
  let passes = 0;
  let sum = 0;
  for (let i = first; i < means.length; i++) {
    passes += counts[i] as number;
    sum += (counts[i] as number) * (means[i] as number);
  }
  const mean = sum / passes;
  if (passes < 2) return { iterations, passes, mean, ci95: null };
  let squares = 0;
  for (let i = first; i < means.length; i++) {
    const count = counts[i] as number;
    squares += (count - 1) * (stds[i] as number) ** 2 + count * ((means[i] as number) - mean) ** 2;
  }
  const std = Math.sqrt(squares / (passes - 1));
  return { iterations, passes, mean, ci95: (1.96 * std) / Math.sqrt(passes) };
}
