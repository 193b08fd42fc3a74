import type { RiskMeasure } from "@cobre/core";

/** How a risk measure weighs outcomes. `cobre-0.5` gives cheap outcomes no minimum weight, as Cobre 0.5 did. */
export type RiskRule = "correct" | "cobre-0.5";

/**
 * Fills `weights` with the weights of equally likely outcomes. They add up to 1.
 *
 * The mixture (1 - λ) · mean + λ · CVaR_α gives every outcome (1 - λ) p and divides λ among the most expensive ones,
 * up to λ p / α each. Of outcomes with equal costs, the first in the array gets its weight first.
 *
 * @example
 * ```ts
 * const weights = new Float64Array(3);
 * riskWeights({ kind: "cvar", alpha: 0.5, lambda: 1 }, Float64Array.of(10, 30, 20), weights);
 * weights; // 0, 2/3, 1/3
 * ```
 */
export function riskWeights(
  measure: RiskMeasure,
  costs: Float64Array,
  weights: Float64Array,
  rule: RiskRule = "correct",
): void {
  const count = costs.length;
  const probability = 1 / count;
  if (measure.kind === "expectation" || measure.lambda === 0) {
    weights.fill(probability);
    return;
  }
  const { alpha, lambda } = measure;
  const hasFloor = rule === "correct";
  const floor = hasFloor ? (1 - lambda) * probability : 0;
  const cap = hasFloor
    ? (lambda * probability) / alpha
    : (1 - lambda) * probability + (lambda * probability) / alpha;
  weights.fill(floor);
  let left = hasFloor ? lambda : 1;
  const byCost = Array.from(costs.keys()).sort((a, b) => costs[b] - costs[a]); // stable
  for (const outcome of byCost) {
    const share = Math.min(cap, left);
    weights[outcome] += share;
    left -= share;
    if (left <= 0) break;
  }
}
