import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { shareModel } from "../share-model.js";
import { buildStage } from "./build-stage.js";
import { type CoefficientPlace, coefficientPlace } from "./coefficient-places.js";
import { lowestCost } from "./cost-floors.js";
import {
  type Coefficient,
  type CoefficientRange,
  type FamilyCoefficients,
  FamilyCollector,
  ratioOf,
} from "./family-coefficients.js";

/** The parts of a program whose coefficients are told apart. */
export const COEFFICIENT_PARTS = ["matrix", "costs", "bounds", "rightSides"] as const;
export type CoefficientPart = (typeof COEFFICIENT_PARTS)[number];

/**
 * Coefficients of a part that are further apart than this are dangerous: solvers work with about 16 digits and tolerances of 1e-7, so the
 * smallest ones drown in the rounding of the largest.
 */
export const DANGEROUS_RATIO = 1e9;

/** One end of a range: the coefficient, and the field from which it comes. */
export interface CoefficientEnd extends Coefficient {
  /** `undefined` for a coefficient that is the same in every case, such as a 1. */
  readonly place: CoefficientPlace | undefined;
}

/** A range that is dangerous, and what to do about it. */
export interface CoefficientAdvice {
  readonly part: CoefficientPart;
  readonly ratio: number;
  readonly smallest: CoefficientEnd;
  readonly largest: CoefficientEnd;
  readonly remedy: string;
}

/** The coefficients of the programs of a case, before any of them is solved. */
export interface CoefficientReport extends FamilyCoefficients {
  readonly advice: readonly CoefficientAdvice[];
}

const REMEDIES: Readonly<Record<CoefficientPart, string>> = {
  matrix: "check the units of both; the smaller one hardly counts beside the larger one",
  costs:
    "bring them nearer to each other: a penalty need only be a few times the highest cost that it competes with. What an entity does not say itself stands in penalties.json",
  bounds:
    "where there is no real limit, leave the field out if that is allowed, or take a number of the size of the others",
  rightSides: "check the units of both",
};

/**
 * Collective: builds the programs of a case and tells the ranges of their coefficients, family by family. Nothing is solved. Costs are in
 * thousands of $.
 *
 * @example
 * ```ts
 * const { costs, advice } = coefficientReport(comm, await loadCase("cases/1dtoy"));
 * costs?.largest; // { magnitude: 730, stage: 0, column: "deficit_0_0_0" }
 * for (const { part, largest, remedy } of advice) console.log(part, largest.place?.field, remedy);
 * ```
 */
export function coefficientReport<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Case,
): CoefficientReport {
  using model = shareModel(comm, source);
  const collector = new FamilyCollector();
  // Nodes of a stage have the same program. Backward, because the floor of a future cost follows from the program of the next stage.
  const programs = [];
  let floor: number | undefined;
  for (let stage = model.stages - 1; stage >= 0; stage--) {
    const { lp } = buildStage(model, stage, floor);
    floor = lowestCost(lp.data);
    programs.unshift(lp);
  }
  programs.forEach((lp, stage) => {
    collector.add(stage, lp);
  });
  const found = collector.result();
  const stageIds = source.study.time.stages.map(({ id }) => id);
  const advice = COEFFICIENT_PARTS.flatMap((part) => adviceOn(part, found[part], stageIds));
  return { ...found, advice };
}

function adviceOn(
  part: CoefficientPart,
  range: CoefficientRange | undefined,
  stageIds: readonly number[],
): readonly CoefficientAdvice[] {
  if (range === undefined || ratioOf(range) <= DANGEROUS_RATIO) return [];
  const end = (coefficient: Coefficient) => ({
    ...coefficient,
    place: coefficientPlace(part, coefficient, stageIds),
  });
  const [smallest, largest] = [end(range.smallest), end(range.largest)];
  return [{ part, ratio: ratioOf(range), smallest, largest, remedy: REMEDIES[part] }];
}
