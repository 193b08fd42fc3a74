import type { Communicator } from "@cobre/comm";
import type { Model } from "../model.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/**
 * Openings that are solved one after the other, each from where the last one ended. The number is fixed: how much a rank
 * solves in a row must not depend on how many ranks there are. Fewer would share the work of few trial points better; more
 * would start from a basis less often.
 */
export const OPENINGS_PER_UNIT = 5;

/** What all openings of a stage cost from one or more states, and how the cost changes with the state. */
export interface OpeningCosts {
  readonly openings: number;
  /** Of each point and opening: the cost in thousands of $, then its derivative by each component of the state. */
  readonly values: Float64Array;
  readonly width: number;
}

/**
 * Solves all openings of a stage from the states of the first `passes` trial points there. The units of work are (trial point, group of
 * openings); every rank returns with all results.
 */
export function solveOpenings<C extends Communicator>(
  workspace: Workspace<C>,
  stage: number,
  points: TrialPoints,
  passes: number,
  iteration: number,
): OpeningCosts {
  const { model, problems, exchange } = workspace;
  const problem = problems[stage];
  const openings = model.tree.openings(stage);
  const groups = Math.ceil(openings / OPENINGS_PER_UNIT);
  const firstOf = (group: number) => Math.floor((openings * group) / groups);
  const width = 1 + model.dimension;
  const values = new Float64Array(passes * openings * width);
  /** Where the results of a unit begin. */
  const begin = (unit: number) =>
    (Math.floor(unit / groups) * openings + firstOf(unit % groups)) * width;
  const phase = stage === 0 ? "bound" : "backward";
  exchange.share(passes * groups, values, begin, (unit) => {
    const pass = Math.floor(unit / groups);
    const group = unit % groups;
    let at = begin(unit);
    problem.enter(points.values, points.stateOffset(pass, stage));
    for (let opening = firstOf(group); opening < firstOf(group + 1); opening++) {
      problem.open(opening);
      // When all bounds are as they will be solved: nothing of what was solved before is left.
      if (opening === firstOf(group)) problem.program.startFrom(points.basis(pass, stage));
      problem.solve({ phase, iteration, scenario: pass, opening });
      values[at] = problem.program.objective;
      problem.gradient(values, at + 1);
      at += width;
    }
  });
  return { openings, values, width };
}

/** How many numbers {@link solveOpenings} finds at most. */
export function largestOpeningCosts(model: Model, passes: number): number {
  let openings = 0;
  for (let stage = 0; stage < model.stages; stage++) {
    openings = Math.max(openings, model.tree.openings(stage));
  }
  return passes * openings * (1 + model.dimension);
}
