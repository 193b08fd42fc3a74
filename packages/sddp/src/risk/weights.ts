import type { RiskMeasure } from "@cobre/core";

/** How a risk measure weighs outcomes. `cobre-0.5` has no floor under the weights of the cheap ones. */
export type RiskRule = "correct" | "cobre-0.5";

/**
 * The weights with which the costs of equally likely outcomes are summed: `weights` is filled and adds up to 1.
 *
 * The mixture (1 - λ) · mean + λ · CVaR_α gives every outcome (1 - λ) p, and shares λ among the most expensive ones,
 * up to λ p / α for each. Of equal costs the first comes first.
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
  const byCost = Array.from(costs.keys()).sort((a, b) => costs[b] - costs[a] || a - b);
  for (const outcome of byCost) {
    const share = Math.min(cap, left);
    weights[outcome] += share;
    left -= share;
    if (left <= 0) break;
  }
}
