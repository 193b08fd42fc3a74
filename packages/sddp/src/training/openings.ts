import type { Communicator } from "@cobre/comm";
import type { MultistageModel } from "../multistage-model.js";
import { OpeningGroups } from "./opening-groups.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** A node whose openings are solved, from the trial points of these passes. */
export interface Visit {
  readonly node: number;
  readonly passes: Int32Array;
}

/** The states from which openings are solved. */
export interface StartingStates {
  readonly values: Float64Array;
  /** The index in `values` of the state of a pass. */
  offset(pass: number): number;
  /** The place of these states on the way of the passes, whose bases the solves start from. */
  readonly place: number;
}

/** The costs of all openings of a node from one or more states, and the derivatives of these costs. */
export class OpeningCosts {
  readonly openings: number;
  /** Groups of places: the places are those of the openings in the order in which they are solved. */
  readonly groups: OpeningGroups;
  /** The place of each opening. */
  private readonly places: Int32Array;
  private readonly points: number;
  private readonly width: number;
  private readonly start: number;

  /**
   * @param order the openings in the order in which they are solved
   * @param points the number of states
   * @param start where the results begin
   */
  constructor(order: Int32Array, points: number, dimension: number, start: number) {
    this.openings = order.length;
    this.groups = new OpeningGroups(order.length, points);
    this.places = new Int32Array(order.length);
    order.forEach((opening, place) => {
      this.places[opening] = place;
    });
    this.points = points;
    this.width = 1 + dimension;
    this.start = start;
  }

  /** Where the results end. */
  get end(): number {
    return this.start + this.points * this.openings * this.width;
  }

  /** The number of units of work: a group of openings from one state each. */
  get units(): number {
    return this.points * this.groups.count;
  }

  /** Where the results of a unit of work begin. */
  startOf(unit: number): number {
    return this.atPlace(unit % this.points, this.groups.first(Math.floor(unit / this.points)));
  }

  /** The index at which the results of an opening from a state begin. The results of one unit of work are contiguous. */
  at(point: number, opening: number): number {
    return this.atPlace(point, this.places[opening]);
  }

  /** Like {@link at}, for the opening at a place. */
  atPlace(point: number, place: number): number {
    const { first, size } = this.groups.of(place);
    return this.start + (first * this.points + point * size + (place - first)) * this.width;
  }
}

/** The costs of the openings of several nodes. */
export interface SolvedOpenings {
  /**
   * For each node, state and opening: the value of a cut there in thousands of $, which is the cost except where inflows are truncated, then its
   * derivative by each state component. The parts know where.
   */
  readonly values: Float64Array;
  /** One for each visit, in the same order. */
  readonly parts: readonly OpeningCosts[];
  /** How many programs were solved, on all ranks together. */
  readonly solves: number;
}

/**
 * Solves all openings of the visited nodes, those of a node along a short path ({@link openingOrder}). A unit of work is a group of openings of a
 * node from one state; the largest groups come first. Every rank returns with all results.
 */
export function solveOpenings<C extends Communicator>(
  workspace: Workspace<C>,
  visits: readonly Visit[],
  states: StartingStates,
  points: TrialPoints,
  iteration: number,
  phase: "backward" | "bound",
): SolvedOpenings {
  const { model, problems, exchange, openingOrders } = workspace;
  const { tree } = model;
  let end = 0;
  const parts = visits.map(({ node, passes }) => {
    const part = new OpeningCosts(openingOrders[node], passes.length, model.dimension, end);
    end = part.end;
    return part;
  });
  const values = new Float64Array(end);
  const solveUnit = ({ node, passes }: Visit, part: OpeningCosts, unit: number) => {
    const problem = problems[node];
    const order = openingOrders[node];
    const point = unit % passes.length;
    const pass = passes[point];
    const group = Math.floor(unit / passes.length);
    const first = part.groups.first(group);
    problem.enter(states.values, states.offset(pass));
    for (let place = first; place < part.groups.first(group + 1); place++) {
      const opening = order[place];
      problem.openForCut(tree.values, tree.offset(node, opening));
      // After all bounds are set, so that nothing of an earlier solve has an influence.
      if (place === first) {
        problem.startFrom(points.basisAt(pass, states.place, node) ?? problem.slackBasis);
      }
      problem.solve({ phase, iteration, scenario: pass, opening });
      const at = part.atPlace(point, place);
      values[at] = problem.program.objective;
      const loss = problem.gradient(values, at + 1);
      // The lower bound is the cost itself; a cut may have to lie below it.
      if (phase === "backward" && loss !== 0) values[at] += loss;
    }
  };
  const firstUnits = [0];
  for (const part of parts) firstUnits.push((firstUnits.at(-1) as number) + part.units);
  const units = firstUnits[parts.length];
  const partOf = (unit: number) => {
    let part = 0;
    while (unit >= firstUnits[part + 1]) part++;
    return part;
  };
  const begin = (unit: number) => {
    if (unit === units) return end;
    const part = partOf(unit);
    return parts[part].startOf(unit - firstUnits[part]);
  };
  exchange.share(units, values, begin, (unit) => {
    const part = partOf(unit);
    solveUnit(visits[part], parts[part], unit - firstUnits[part]);
  });
  const solves = parts.reduce(
    (sum, { openings }, i) => sum + openings * visits[i].passes.length,
    0,
  );
  return { values, parts, solves };
}

/** The largest number of values that {@link solveOpenings} returns. */
export function largestOpeningCosts(model: MultistageModel, passes: number): number {
  const { graph, tree } = model;
  const outcomes = [graph.roots, ...graph.nodes.map(({ children }) => children)].map((next) =>
    next.reduce((sum, { node }) => sum + tree.openings(node), 0),
  );
  return passes * Math.max(...outcomes) * (1 + model.dimension);
}
