import type { Communicator } from "@cobre/comm";
import { Deal } from "../distribution/deal.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/**
 * The forward passes of an iteration, dealt to the ranks; every rank returns with all trial points.
 *
 * The solve of a pass in a stage starts from the basis in which the same pass ended there one iteration before, so that it does not
 * matter what else a rank has solved.
 */
export function runForwardPasses<C extends Communicator>(
  workspace: Workspace<C>,
  iteration: number,
  previous: TrialPoints | undefined,
): TrialPoints {
  const { model, exchange, forwardPasses } = workspace;
  const { comm } = exchange;
  const points = workspace.newTrialPoints();
  const deal = new Deal(forwardPasses, comm.size, comm.rank);
  for (let pass = deal.first; pass < deal.end; pass++) {
    points.values.set(model.initialState, points.stateOffset(pass, 0));
    points.setCost(pass, runPass(workspace, iteration, pass, previous, points));
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
    const opening = sampler.opening(iteration, pass, stage);
    problem.enter(points.values, points.stateOffset(pass, stage));
    problem.open(opening);
    problem.program.startFrom(previous?.basis(pass, stage) ?? problem.slackBasis);
    problem.solve({ phase: "forward", iteration, scenario: pass, opening });
    cost += cumulativeDiscount[stage] * (problem.immediateCost() + problem.costBehind());
    if (stage + 1 < model.stages) {
      problem.outgoing(points.values, points.stateOffset(pass, stage + 1));
    }
    points.setBasis(pass, stage, problem.program.basis());
  }
  return cost;
}
