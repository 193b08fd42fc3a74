import type { Communicator } from "@cobre/comm";
import { Deal } from "../distribution/deal.js";
import { exactCost } from "./exact-cost.js";
import { type CostStatistics, costStatistics, finiteCost } from "./statistics.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** What the forward passes of an iteration have found; the same on all ranks. */
export interface ForwardResult {
  readonly points: TrialPoints;
  /** Of their costs in $. Where every path was walked, the mean is the cost of the policy itself and has no deviation. */
  readonly costs: Pick<CostStatistics, "mean" | "std">;
  /** How many programs were solved; what passes with the same beginning have in common counts once. */
  readonly solves: number;
}

/**
 * The forward passes of an iteration. Each rank runs a block of them and returns with the trial points of all. `afterPass` is told how many
 * of this rank's are done, and may hold the rank up.
 *
 * In each stage a pass starts from the basis in which the same pass ended there one iteration earlier. So its result does not depend
 * on what else the rank has solved.
 */
export async function runForwardPasses<C extends Communicator>(
  workspace: Workspace<C>,
  iteration: number,
  previous: TrialPoints | undefined,
  afterPass: (done: number, of: number) => Promise<void> | undefined,
): Promise<ForwardResult> {
  const { model, exchange, forwardPasses, isEnumerated } = workspace;
  const { comm } = exchange;
  const points = workspace.newTrialPoints(iteration);
  const deal = new Deal(forwardPasses, comm.size, comm.rank);
  /** The cost of each stage of each pass, in $ and not discounted; only needed where every path is walked. */
  const stageCosts = new Float64Array(isEnumerated ? forwardPasses * model.stages : 0);
  for (let pass = deal.first; pass < deal.end; pass++) {
    const shared = isEnumerated && pass > deal.first ? copyBeginning(points, stageCosts, pass) : 0;
    if (shared === 0) points.values.set(model.initialState, points.stateOffset(pass, 0));
    points.setCost(pass, runPass(workspace, iteration, pass, previous, points, shared, stageCosts));
    await afterPass(pass + 1 - deal.first, deal.end - deal.first);
  }
  exchange.gather(points.values, deal, (pass) => pass * points.width);
  exchange.gather(points.bases, deal, (pass) => points.basisStart(pass));
  if (isEnumerated) {
    exchange.gather(stageCosts, deal, (pass) => pass * model.stages);
    const mean = finiteCost(exactCost(workspace, points, stageCosts), "the cost of the policy");
    return { points, costs: { mean, std: 0 }, solves: model.graph.nodes.length };
  }
  const costs = Float64Array.from({ length: forwardPasses }, (_, pass) => points.cost(pass));
  return { points, costs: costStatistics(costs), solves: forwardPasses * points.places };
}

/** Copies what the pass before has in common with this one, which began at the same nodes. Returns the number of common stages. */
function copyBeginning(points: TrialPoints, stageCosts: Float64Array, pass: number): number {
  const { stages, dimension } = points;
  let shared = 0;
  while (shared < stages && points.node(pass, shared) === points.node(pass - 1, shared)) {
    points.setBasis(pass, shared, points.basis(pass - 1, shared));
    stageCosts[pass * stages + shared] = stageCosts[(pass - 1) * stages + shared];
    shared++;
  }
  if (shared === 0) return 0;
  const [from, to] = [pass - 1, pass].map((one) => points.stateOffset(one, 0));
  points.values.copyWithin(to, from, from + Math.min(shared + 1, stages) * dimension);
  return shared;
}

/** One pass along its way; returns its discounted cost in $. The first `shared` stages are there already. */
function runPass<C extends Communicator>(
  { model, problems, sampler, isEnumerated }: Workspace<C>,
  iteration: number,
  pass: number,
  previous: TrialPoints | undefined,
  points: TrialPoints,
  shared: number,
  stageCosts: Float64Array,
): number {
  const { cumulativeDiscount, discount } = model.study.time;
  const last = points.places - 1;
  let cost = 0;
  /** What the cycle is worth. */
  let worth = 1;
  for (let stage = 0; stage < shared; stage++) {
    cost += cumulativeDiscount[stage] * stageCosts[pass * model.stages + stage];
  }
  for (let place = shared; place <= last; place++) {
    const node = points.node(pass, place);
    const problem = problems[node];
    const { stage } = problem;
    const { values, offset, opening } = sampler.forward(iteration, pass, node, place);
    problem.enter(points.values, points.stateOffset(pass, place));
    problem.open(values, offset);
    problem.startFrom(previous?.basisAt(pass, place, node) ?? problem.slackBasis);
    problem.solve({ phase: "forward", iteration, scenario: pass, opening });
    const own = problem.immediateCost() + (place === last ? problem.costBehind() : 0);
    cost += worth * cumulativeDiscount[stage] * own;
    if (isEnumerated) stageCosts[pass * model.stages + stage] = own;
    if (place < last || points.hasEnd) {
      problem.outgoing(points.values, points.stateOffset(pass, place + 1));
    }
    points.setBasis(pass, place, problem.basis());
    if (stage + 1 === model.stages) worth *= cumulativeDiscount[stage] * discount[stage];
  }
  return cost;
}
