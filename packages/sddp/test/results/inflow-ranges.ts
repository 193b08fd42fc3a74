/** The inflows that paths can bring, from the description of a small system: the range of one follows from those of the inflows before it. */
import { hydrosById, type SmallSystem } from "../oracle/index.js";
import { type InflowRule, inflowRuleOf } from "./stage-data.js";

export interface InflowRange {
  readonly rule: InflowRule;
  /** Whether an inflow below 0 is raised to 0. */
  readonly isRaised: boolean;
  /** Of the inflow. */
  readonly low: number;
  readonly high: number;
  /** For each opening: of the inflow before it is raised. */
  readonly natural: readonly (readonly [low: number, high: number])[];
}

/** For each stage, for each plant in the order of their ids. */
export type InflowRanges = readonly (readonly InflowRange[])[];

export function inflowRangesOf(system: SmallSystem, lags: number): InflowRanges {
  const ranges: InflowRange[][] = [];
  system.stages.forEach((_, stage) => {
    const ofStage = hydrosById(system).map((hydro, h): InflowRange => {
      const rule = inflowRuleOf(hydro, stage, lags);
      let [low, high] = [rule.level, rule.level];
      rule.weights.forEach((weight, i) => {
        const ends = pastRange(system, ranges, stage, i + 1, h).map((end) => weight * end);
        low += Math.min(...ends);
        high += Math.max(...ends);
      });
      const natural = hydro.stages[stage].noise.map(
        (noise) => [low + rule.deviation * noise, high + rule.deviation * noise] as const,
      );
      const isRaised = system.method.startsWith("truncation") && rule.deviation > 0;
      const floor = isRaised ? 0 : Number.NEGATIVE_INFINITY;
      return {
        rule,
        isRaised,
        low: Math.max(floor, Math.min(...natural.map(([least]) => least))),
        high: Math.max(floor, Math.max(...natural.map(([, most]) => most))),
        natural,
      };
    });
    ranges.push(ofStage);
  });
  return ranges;
}

/** The range of the inflow `lag` stages before `stage`; what was before the study is known. */
export function pastRange(
  system: SmallSystem,
  ranges: InflowRanges,
  stage: number,
  lag: number,
  h: number,
): readonly [low: number, high: number] {
  if (lag <= stage) {
    const { low, high } = ranges[stage - lag][h];
    return [low, high];
  }
  const known = hydrosById(system)[h].past[lag - stage - 1] ?? 0;
  return [known, known];
}
