import type { Progress } from "./stopping-rule.js";

/** The solver may find the same bound from another basis with other last digits. */
const ROUNDING = 1e-9;

/**
 * |LB_n - LB_(n - window)| / max(1, |LB_n|) < tolerance.
 *
 * A bound that is still at its initial value stalls only if there is a reason to believe in it: training started warm, or the forward
 * passes of the whole window cost as much as the bound says. A cold start may stay at its trivial bound for a while before it rises.
 */
export function isStalling(
  { history, initialBound, isWarm, isRiskNeutral }: Progress,
  window: number,
  tolerance: number,
): boolean {
  const last = history.at(-1)?.lowerBound;
  const earlier = history.at(-1 - window)?.lowerBound;
  if (last === undefined || earlier === undefined) return false;
  const size = Math.max(1, Math.abs(last));
  if (Math.abs(last - initialBound) <= ROUNDING * size && !isWarm) {
    const isReached = history
      .slice(-1 - window)
      .every(({ upperBoundMean }) => Math.abs(upperBoundMean - last) / size < tolerance);
    if (!isReached || !isRiskNeutral) return false;
  }
  return Math.abs(last - earlier) / size < tolerance;
}
