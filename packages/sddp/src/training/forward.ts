import type { Communicator } from "@cobre/comm";
import { Deal } from "../distribution/deal.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

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
): Promise<TrialPoints> {
  const { model, exchange, forwardPasses } = workspace;
  const { comm } = exchange;
  const points = workspace.newTrialPoints();
  const deal = new Deal(forwardPasses, comm.size, comm.rank);
  for (let pass = deal.first; pass < deal.end; pass++) {
    points.values.set(model.initialState, points.stateOffset(pass, 0));
    points.setCost(pass, runPass(workspace, iteration, pass, previous, points));
    await afterPass(pass + 1 - deal.first, deal.end - deal.first);
  }
  exchange.gather(points.values, deal, (pass) => pass * points.width);
  exchange.gather(points.bases, deal, (pass) => pass * points.basisWidth);
  return points;
}

/** One pass from the first stage to the last; returns its discounted cost in $. */
function runPass<C extends Communicator>(
  { model, problems, sampler }: Workspace<C>,
  iteration: number,
  pass: number,
  previous: TrialPoints | undefined,
  points: TrialPoints,
): number {
  const { cumulativeDiscount } = model.study.time;
  let cost = 0;
  for (let stage = 0; stage < model.stages; stage++) {
    const problem = problems[stage];
    const { values, offset, opening } = sampler.forward(iteration, pass, stage);
    problem.enter(points.values, points.stateOffset(pass, stage));
    problem.open(values, offset);
    problem.startFrom(previous?.basis(pass, stage) ?? problem.slackBasis);
    problem.solve({ phase: "forward", iteration, scenario: pass, opening });
    cost += cumulativeDiscount[stage] * (problem.immediateCost() + problem.costBehind());
    if (stage + 1 < model.stages) {
      problem.outgoing(points.values, points.stateOffset(pass, stage + 1));
    }
    points.setBasis(pass, stage, problem.basis());
  }
  return cost;
}
