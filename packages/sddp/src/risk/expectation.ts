import type { RiskMeasurePlugin } from "./risk-measure.js";

/** The mean. */
export type Expectation = { readonly kind: "expectation" };

export const expectation: RiskMeasurePlugin<Expectation> = {
  kind: "expectation",
  example: '"expectation"',
  create: () => (costs, weights) => {
    weights.fill(1 / costs.length);
  },
  isNeutral: () => true,
  describe: () => "expectation",
};
