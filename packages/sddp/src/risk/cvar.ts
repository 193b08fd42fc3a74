import type { NumberRule } from "@cobre/io";
import { checkSetting } from "../check-setting.js";
import type { RiskMeasurePlugin } from "./risk-measure.js";

/** (1 - λ) · mean + λ · CVaR_α, where CVaR_α is the mean of the most expensive part α of the outcomes. */
export type CVaR = { readonly kind: "cvar"; readonly alpha: number; readonly lambda: number };

const ALPHA: NumberRule = { above: 0, max: 1 };
const LAMBDA: NumberRule = { min: 0, max: 1 };

export const cvar: RiskMeasurePlugin<CVaR> = {
  kind: "cvar",
  example: '{"cvar": {"alpha": …, "lambda": …}}',
  read: (settings) => ({
    kind: "cvar",
    alpha: settings.number("alpha", ALPHA),
    lambda: settings.number("lambda", LAMBDA),
  }),
  create: (measure, rule) => {
    const alpha = checkSetting(measure, "alpha", ALPHA);
    const lambda = checkSetting(measure, "lambda", LAMBDA);
    return (costs, weights, probabilities) =>
      weigh(alpha, lambda, rule === "correct", costs, weights, probabilities);
  },
  knowsProbabilities: true,
  isNeutral: ({ alpha, lambda }) => lambda === 0 || alpha === 1,
  describe: ({ alpha, lambda }) => `CVaR α=${alpha} λ=${lambda}`,
};

/**
 * Gives every outcome (1 - λ) p and divides λ among the most expensive ones, up to λ p / α each. Of outcomes with equal costs, the first in
 * the array gets its weight first.
 *
 * @param hasFloor whether cheap outcomes have a minimum weight
 */
function weigh(
  alpha: number,
  lambda: number,
  hasFloor: boolean,
  costs: Float64Array,
  weights: Float64Array,
  probabilities: Float64Array | undefined,
): void {
  const probability = (outcome: number) => probabilities?.[outcome] ?? 1 / costs.length;
  const floor = (p: number) => (hasFloor ? (1 - lambda) * p : 0);
  const cap = (p: number) =>
    hasFloor ? (lambda * p) / alpha : (1 - lambda) * p + (lambda * p) / alpha;
  for (let outcome = 0; outcome < costs.length; outcome++) {
    const p = probability(outcome);
    weights[outcome] = lambda === 0 ? p : floor(p);
  }
  if (lambda === 0) return;
  let left = hasFloor ? lambda : 1;
  const byCost = Array.from(costs.keys()).sort((a, b) => costs[b] - costs[a]); // stable
  for (const outcome of byCost) {
    const share = Math.min(cap(probability(outcome)), left);
    weights[outcome] += share;
    left -= share;
    if (left <= 0) break;
  }
}
