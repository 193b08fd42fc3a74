import type { Communicator } from "@cobre/comm";
import { Deal } from "../distribution/deal.js";
import type { TrialPoints } from "../training/trial-points.js";
import type { Workspace } from "../training/workspace.js";
import { runScenario } from "./scenario.js";

/** Collective: the discounted cost of each of the scenarios 0 to `scenarios - 1`, in $. Repeated calls use the same scenarios. */
export function scenarioCosts<C extends Communicator>(
  workspace: Workspace<C>,
  points: TrialPoints,
  scenarios: number,
): Float64Array {
  const { model, exchange } = workspace;
  const { cumulativeDiscount } = model.study.time;
  const deal = new Deal(scenarios, exchange.comm.size, exchange.comm.rank);
  const costs = new Float64Array(scenarios);
  for (let scenario = deal.first; scenario < deal.end; scenario++) {
    runScenario(workspace, points, scenario, 0, (problem) => {
      const cost = problem.immediateCost() + problem.costBehind();
      costs[scenario] += cumulativeDiscount[problem.stage] * cost;
    });
  }
  exchange.gather(costs, deal, (scenario) => scenario);
  return costs;
}

/** Collective: the mean cost of each stage, in $, over scenarios 0 to `scenarios - 1`. Repeated calls use the same scenarios. */
export function meanStageCosts<C extends Communicator>(
  workspace: Workspace<C>,
  points: TrialPoints,
  scenarios: number,
): Float64Array {
  const { model, exchange } = workspace;
  const { stages } = model;
  const deal = new Deal(scenarios, exchange.comm.size, exchange.comm.rank);
  const costs = new Float64Array(scenarios * stages);
  for (let scenario = deal.first; scenario < deal.end; scenario++) {
    runScenario(workspace, points, scenario, 0, (problem) => {
      costs[scenario * stages + problem.stage] = problem.immediateCost();
    });
  }
  exchange.gather(costs, deal, (scenario) => scenario * stages);
  const means = new Float64Array(stages);
  costs.forEach((cost, i) => {
    means[i % stages] += cost;
  });
  return means.map((sum) => sum / scenarios);
}
