import type { RiskMeasurePlugin } from "./risk-measure.js";

/** The mean. */
export type Expectation = { readonly kind: "expectation" };

export const expectation: RiskMeasurePlugin<Expectation> = {
  kind: "expectation",
  example: '"expectation"',
  create: () => (costs, weights, probabilities) => {
    if (probabilities === undefined) weights.fill(1 / costs.length);
    else weights.set(probabilities);
  },
  knowsProbabilities: true,
  isNeutral: () => true,
  describe: () => "expectation",
};
