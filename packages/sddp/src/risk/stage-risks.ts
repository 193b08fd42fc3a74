import type { NodeGraph, RiskMeasure } from "@cobre/core";
import { SddpError } from "../errors.js";
import { type Plugins, riskMeasureOf } from "../plugins.js";
import type { RiskRule, Weigh } from "./risk-measure.js";

/** Stages that weigh what comes after them. */
export interface WeighingStages {
  readonly time: {
    readonly stages: readonly { readonly riskMeasure: RiskMeasure }[];
    /** The nodes of the stages; a chain without it. */
    readonly graph?: Pick<NodeGraph, "isCyclic"> | undefined;
  };
}

/** The risk measures of all stages. A plug-in is looked for when a measure is first used: a simulation uses none. */
export class StageRisks {
  private readonly study: WeighingStages;
  private readonly rule: RiskRule;
  private readonly plugins: Plugins;
  private readonly weighing = new Map<number, Weigh>();

  constructor(study: WeighingStages, rule: RiskRule, plugins: Plugins) {
    this.study = study;
    this.rule = rule;
    this.plugins = plugins;
  }

  /**
   * Weighs the outcomes behind a stage with its risk measure.
   *
   * @param probabilities of the outcomes; `undefined` if they are equally likely
   */
  weigh(
    stage: number,
    costs: Float64Array,
    weights: Float64Array,
    probabilities?: Float64Array,
  ): void {
    let weigh = this.weighing.get(stage);
    if (weigh === undefined) {
      const measure = this.study.time.stages[stage].riskMeasure;
      weigh = riskMeasureOf(measure, this.plugins).create(measure, this.rule);
      this.weighing.set(stage, weigh);
    }
    weigh(costs, weights, probabilities);
  }

  /** Throws if the measure of a stage weighs equally likely outcomes only. */
  checkUnequal(stage: number): void {
    const measure = this.study.time.stages[stage].riskMeasure;
    if (riskMeasureOf(measure, this.plugins).knowsProbabilities) return;
    throw new SddpError(
      "InvalidSettings",
      `the risk measure "${measure.kind}" weighs equally likely outcomes, but those after stage ${stage} are not; give its plug-in knowsProbabilities, or use another measure`,
    );
  }

  get isNeutral(): boolean {
    return isRiskNeutral(this.study, this.plugins);
  }
}

/**
 * Whether the lower bound is a bound on the expected cost. With a risk measure it is a bound on the risk-adjusted cost, which is higher:
 * it must not be compared with a mean. The measure of the last stage weighs nothing, unless it is the only stage or the first one follows it.
 *
 * @param plugins risk measures of your own
 */
export function isRiskNeutral({ time }: WeighingStages, plugins: Plugins = {}): boolean {
  const ends = time.graph?.isCyclic ? 0 : 1;
  const weighing = time.stages.slice(0, Math.max(1, time.stages.length - ends));
  return weighing.every(({ riskMeasure }) =>
    riskMeasureOf(riskMeasure, plugins).isNeutral(riskMeasure),
  );
}

/**
 * Fills `weights` with the weights of equally likely outcomes. They add up to 1.
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
  riskMeasureOf(measure, {}).create(measure, rule)(costs, weights);
}

/** A risk measure in a few words, for people: `CVaR α=0.5 λ=1`. */
export function describeRiskMeasure(measure: RiskMeasure, plugins: Plugins = {}): string {
  return riskMeasureOf(measure, plugins).describe(measure);
}
