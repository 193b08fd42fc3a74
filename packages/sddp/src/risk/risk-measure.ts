import type { RiskMeasure } from "@cobre/core";
import type { ObjectReader, RiskMeasureFormat } from "@cobre/io";

/** How a risk measure weighs outcomes. `cobre-0.5` gives cheap outcomes no minimum weight, as Cobre 0.5 did. */
export type RiskRule = "correct" | "cobre-0.5";

/**
 * Fills `weights` with the weights of outcomes. They depend on the costs alone, are not negative and add up to 1.
 *
 * @param probabilities of the outcomes, all above 0; `undefined` if they are equally likely. Only for measures that say `knowsProbabilities`
 */
export type Weigh = (
  costs: Float64Array,
  weights: Float64Array,
  probabilities?: Float64Array,
) => void;

/**
 * A kind of risk measure: how its settings are written in `stages.json`, and how it weighs outcomes. It has to be coherent: the highest mean
 * that any of a set of weights gives. `create` finds the weights of that set for which the mean of the given costs is highest. Then the
 * weighted mean of the cuts of all openings is a cut, and the lower bound is one. docs/plugins.md tells more.
 *
 * @example
 * ```ts
 * // "half_worst": the mean and the worst outcome, half and half
 * const halfWorst: RiskMeasurePlugin<{ readonly kind: "half_worst" }> = {
 *   kind: "half_worst",
 *   example: '"half_worst"',
 *   create: () => (costs, weights) => {
 *     weights.fill(0.5 / costs.length);
 *     weights[costs.indexOf(Math.max(...costs))] += 0.5;
 *   },
 *   isNeutral: () => false,
 *   describe: () => "half the worst case",
 * };
 * ```
 */
export interface RiskMeasurePlugin<M extends RiskMeasure = RiskMeasure> extends RiskMeasureFormat {
  readonly kind: M["kind"];
  read?(settings: ObjectReader): M;
  /** @throws SddpError of kind `"InvalidSettings"` if the settings of a study that comes from no file make no sense */
  create(measure: M, rule: RiskRule): Weigh;
  /** Whether it weighs outcomes that are not equally likely, too, as the nodes of a graph may be. Default: false, and such graphs are refused. */
  readonly knowsProbabilities?: boolean;
  /** Whether it is the mean, so that the lower bound is a bound on the expected cost. */
  isNeutral(measure: M): boolean;
  /** The measure in a few words, for people: `CVaR α=0.5 λ=1`. */
  describe(measure: M): string;
}
