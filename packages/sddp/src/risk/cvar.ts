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
    return (costs, weights) => weigh(alpha, lambda, rule === "correct", costs, weights);
  },
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
): void {
  const probability = 1 / costs.length;
  if (lambda === 0) {
    weights.fill(probability);
    return;
  }
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
