import type { Communicator } from "@cobre/comm";
import type { Transition } from "@cobre/core";
import type { Outcomes } from "./outcomes.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/**
 * The cost of the policy that forward passes along every path of a tree have followed, in $: of each node its own cost, and the discounted cost
 * of what follows, weighed by the risk measure of its stage. No other policy can cost less than the optimum, so this is an upper bound.
 *
 * @param stageCosts the cost of each stage of each pass
 */
export function exactCost<C extends Communicator>(
  { model, outcomes, rootOutcomes, risks }: Workspace<C>,
  points: TrialPoints,
  stageCosts: Float64Array,
): number {
  const { stages, graph } = model;
  const { discount } = model.study.time;
  const own = new Float64Array(graph.nodes.length);
  stageCosts.forEach((cost, i) => {
    own[points.node(Math.floor(i / stages), i % stages)] = cost;
  });
  const weighed = (stage: number, { next, probabilities }: Outcomes): number => {
    const costs = Float64Array.from(next, costOf);
    const weights = new Float64Array(costs.length);
    risks.weigh(stage, costs, weights, probabilities);
    return costs.reduce((sum, cost, i) => sum + weights[i] * cost, 0);
  };
  const costOf = ({ node }: Transition): number => {
    const { stage, children } = graph.nodes[node];
    if (children.length === 0) return own[node];
    return own[node] + discount[stage] * weighed(stage, outcomes[node]);
  };
  return weighed(0, rootOutcomes);
}
