import type { Communicator } from "@cobre/comm";
import type { Model } from "../model.js";
import { OpeningGroups } from "./opening-groups.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** What all openings of a stage cost from one or more states, and how the cost changes with the state. */
export class OpeningCosts {
  /** Of each point and opening, at {@link at}: the cost in thousands of $, then its derivative by each component of the state. */
  readonly values: Float64Array;
  readonly openings: number;
  readonly groups: OpeningGroups;
  private readonly passes: number;
  private readonly width: number;

  constructor(openings: number, passes: number, dimension: number) {
    this.openings = openings;
    this.groups = new OpeningGroups(openings);
    this.passes = passes;
    this.width = 1 + dimension;
    this.values = new Float64Array(passes * openings * this.width);
  }

  /** Where the results of an opening from the state of a trial point begin. Those of a unit of work stand side by side. */
  at(pass: number, opening: number): number {
    const { first, size } = this.groups.of(opening);
    return (first * this.passes + pass * size + (opening - first)) * this.width;
  }
}

/**
 * Solves all openings of a stage from the states of the first `passes` trial points there. The units of work are (group of openings, trial
 * point), the largest first; every rank returns with all results.
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
  const costs = new OpeningCosts(model.tree.openings(stage), passes, model.dimension);
  const { groups, values } = costs;
  const units = passes * groups.count;
  const begin = (unit: number) =>
    unit === units
      ? values.length
      : costs.at(unit % passes, groups.first(Math.floor(unit / passes)));
  const phase = stage === 0 ? "bound" : "backward";
  exchange.share(units, values, begin, (unit) => {
    const pass = unit % passes;
    const group = Math.floor(unit / passes);
    const first = groups.first(group);
    problem.enter(points.values, points.stateOffset(pass, stage));
    for (let opening = first; opening < groups.first(group + 1); opening++) {
      problem.open(opening);
      // When all bounds are as they will be solved: nothing of what was solved before is left.
      if (opening === first) problem.program.startFrom(points.basis(pass, stage));
      problem.solve({ phase, iteration, scenario: pass, opening });
      const at = costs.at(pass, opening);
      values[at] = problem.program.objective;
      problem.gradient(values, at + 1);
    }
  });
  return costs;
}

/** How many numbers {@link solveOpenings} finds at most. */
export function largestOpeningCosts(model: Model, passes: number): number {
  let openings = 0;
  for (let stage = 0; stage < model.stages; stage++) {
    openings = Math.max(openings, model.tree.openings(stage));
  }
  return passes * openings * (1 + model.dimension);
}
