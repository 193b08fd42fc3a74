import type { NodeGraph, Transition } from "@cobre/core";
import type { OpeningTree } from "@cobre/stochastic";
import type { StageRisks } from "../risk/stage-risks.js";
import type { SolvedOpenings, Visit } from "./openings.js";

/**
 * What may happen after a node: every opening of every node that may follow, in the order of nodes and openings. Before the first stage, every
 * opening of the nodes where paths begin.
 */
export class Outcomes {
  readonly next: readonly Transition[];
  readonly count: number;
  /** `undefined` if all are equally likely. */
  readonly probabilities: Float64Array | undefined;

  constructor(next: readonly Transition[], tree: OpeningTree) {
    this.next = next;
    const all = next.flatMap(({ node, probability }) => {
      const openings = tree.openings(node);
      return Array.from({ length: openings }, () => probability / openings);
    });
    this.count = all.length;
    if (all.some((one) => one !== all[0])) this.probabilities = Float64Array.from(all);
  }

  /** Those after each node. */
  static ofNodes({ nodes }: NodeGraph, tree: OpeningTree): readonly Outcomes[] {
    return nodes.map(({ children }) => new Outcomes(children, tree));
  }

  /** Where the results of each outcome begin, for a pass that has reached the node. */
  places({ parts }: SolvedOpenings, visits: readonly Visit[], pass: number): Int32Array {
    const places = new Int32Array(this.count);
    let outcome = 0;
    for (const { node } of this.next) {
      const visit = visits.findIndex((one) => one.node === node);
      const part = parts[visit];
      const point = visits[visit].passes.indexOf(pass);
      for (let opening = 0; opening < part.openings; opening++) {
        places[outcome++] = part.at(point, opening);
      }
    }
    return places;
  }

  /** The weights that the risk measure of a stage gives the outcomes, whose costs stand at these places. */
  weights(
    risks: StageRisks,
    stage: number,
    { values }: SolvedOpenings,
    places: Int32Array,
  ): Float64Array {
    const costs = new Float64Array(this.count);
    for (let outcome = 0; outcome < this.count; outcome++) costs[outcome] = values[places[outcome]];
    const weights = new Float64Array(this.count);
    risks.weigh(stage, costs, weights, this.probabilities);
    return weights;
  }
}
