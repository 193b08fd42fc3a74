import type { Communicator } from "@cobre/comm";
import type { MultistageModel } from "../multistage-model.js";
import { OpeningGroups } from "./opening-groups.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** The costs of all openings of a stage from one or more states, and the derivatives of these costs. */
export class OpeningCosts {
  /**
   * For each trial point and opening, from {@link at} on: the value of a cut there in thousands of $, which is the cost except where
   * inflows are truncated, then its derivative by each state component.
   */
  readonly values: Float64Array;
  readonly openings: number;
  /** Groups of places: the places are those of the openings in the order in which they are solved. */
  readonly groups: OpeningGroups;
  /** The place of each opening. */
  private readonly places: Int32Array;
  private readonly passes: number;
  private readonly width: number;

  /** @param order the openings in the order in which they are solved */
  constructor(order: Int32Array, passes: number, dimension: number) {
    this.openings = order.length;
    this.groups = new OpeningGroups(order.length);
    this.places = new Int32Array(order.length);
    order.forEach((opening, place) => {
      this.places[opening] = place;
    });
    this.passes = passes;
    this.width = 1 + dimension;
    this.values = new Float64Array(passes * order.length * this.width);
  }

  /** The index at which the results of an opening from a trial point begin. The results of one unit of work are contiguous. */
  at(pass: number, opening: number): number {
    return this.atPlace(pass, this.places[opening]);
  }

  /** Like {@link at}, for the opening at a place. */
  atPlace(pass: number, place: number): number {
    const { first, size } = this.groups.of(place);
    return (first * this.passes + pass * size + (place - first)) * this.width;
  }
}

/**
 * Solves all openings of a stage from the states of the first `passes` trial points, along a short path ({@link openingOrder}). A unit of work
 * is a group of openings at one trial point; the largest groups come first. Every rank returns with all results.
 */
export function solveOpenings<C extends Communicator>(
  workspace: Workspace<C>,
  stage: number,
  points: TrialPoints,
  passes: number,
  iteration: number,
): OpeningCosts {
  const { model, problems, exchange, openingOrders } = workspace;
  const { tree } = model;
  const problem = problems[stage];
  const order = openingOrders[stage];
  const costs = new OpeningCosts(order, passes, model.dimension);
  const { groups, values } = costs;
  const units = passes * groups.count;
  const begin = (unit: number) =>
    unit === units
      ? values.length
      : costs.atPlace(unit % passes, groups.first(Math.floor(unit / passes)));
  const phase = stage === 0 ? "bound" : "backward";
  exchange.share(units, values, begin, (unit) => {
    const pass = unit % passes;
    const group = Math.floor(unit / passes);
    const first = groups.first(group);
    problem.enter(points.values, points.stateOffset(pass, stage));
    for (let place = first; place < groups.first(group + 1); place++) {
      const opening = order[place];
      problem.openForCut(tree.values, tree.offset(stage, opening));
      // After all bounds are set, so that nothing of an earlier solve has an influence.
      if (place === first) problem.startFrom(points.basis(pass, stage));
      problem.solve({ phase, iteration, scenario: pass, opening });
      const at = costs.atPlace(pass, place);
      values[at] = problem.program.objective;
      const loss = problem.gradient(values, at + 1);
      // The lower bound is the cost itself; a cut may have to lie below it.
      if (stage > 0 && loss !== 0) values[at] += loss;
    }
  });
  return costs;
}

/** The largest number of values that {@link solveOpenings} returns. */
export function largestOpeningCosts(model: MultistageModel, passes: number): number {
  let openings = 0;
  for (let stage = 0; stage < model.stages; stage++) {
    openings = Math.max(openings, model.tree.openings(stage));
  }
  return passes * openings * (1 + model.dimension);
}
