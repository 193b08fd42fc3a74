import type { RiskMeasurePlugin } from "./risk-measure.js";

/** The most expensive outcome, and nothing else: CVaR_α as α goes to 0. The first one of several that cost the same. */
export type WorstCase = { readonly kind: "worst_case" };

export const worstCase: RiskMeasurePlugin<WorstCase> = {
  kind: "worst_case",
  example: '"worst_case"',
  create: () => (costs, weights) => {
    let worst = 0;
    costs.forEach((cost, outcome) => {
      if (cost > costs[worst]) worst = outcome;
    });
    weights.fill(0);
    weights[worst] = 1;
  },
  knowsProbabilities: true,
  isNeutral: () => false,
  describe: () => "worst case",
};
