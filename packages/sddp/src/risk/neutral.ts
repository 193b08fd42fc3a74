import type { MultistageModel } from "../multistage-model.js";

/**
 * Whether the lower bound is a bound on the expected cost. With a risk measure it is a bound on the risk-adjusted cost, which is higher:
 * it must not be compared with a mean. The measure of the last stage weighs nothing, unless it is the only stage.
 */
export function isRiskNeutral({ time }: MultistageModel["study"]): boolean {
  const weighing = time.stages.slice(0, Math.max(1, time.stages.length - 1));
  return weighing.every(({ riskMeasure }) => {
    const { kind } = riskMeasure;
    return kind === "expectation" || riskMeasure.lambda === 0 || riskMeasure.alpha === 1;
  });
}
