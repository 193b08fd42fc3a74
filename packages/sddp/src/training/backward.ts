import type { Communicator } from "@cobre/comm";
import type { SharedCutMemory } from "../distribution/shared-cut-memory.js";
import { type OpeningCosts, solveOpenings } from "./openings.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/**
 * The backward sweep: adds a cut for each trial point to every stage except the last. All ranks add the same cuts. `beforeStage` is told
 * which stage is solved next, and may hold the rank up.
 */
export async function runBackwardSweep<C extends Communicator>(
  workspace: Workspace<C>,
  cutMemory: SharedCutMemory,
  iteration: number,
  points: TrialPoints,
  beforeStage: (stage: number) => Promise<void> | undefined,
): Promise<void> {
  const { model, pools, problems, forwardPasses } = workspace;
  for (let stage = model.stages - 2; stage >= 0; stage--) {
    await beforeStage(stage + 1);
    const costs = solveOpenings(workspace, stage + 1, points, forwardPasses, iteration);
    for (let pass = 0; pass < forwardPasses; pass++) {
      if (!cutMemory.isWriter) {
        pools[stage].addUnwritten(iteration, pass);
        continue;
      }
      const offset = points.stateOffset(pass, stage + 1);
      const state = points.values.subarray(offset, offset + model.dimension);
      const { intercept, coefficients } = aggregate(workspace, stage, costs, pass, state);
      pools[stage].add(iteration, pass, intercept, coefficients);
    }
    cutMemory.fence();
    problems[stage].followCuts(pools[stage]);
  }
}

/** The risk-adjusted cost of all first-stage openings from the initial state, in thousands of $. */
export function evaluateLowerBound<C extends Communicator>(
  workspace: Workspace<C>,
  iteration: number,
  points: TrialPoints,
): number {
  const costs = solveOpenings(workspace, 0, points, 1, iteration);
  const weights = weightsOf(workspace, 0, costs, 0);
  let bound = 0;
  for (let opening = 0; opening < costs.openings; opening++) {
    bound += weights[opening] * costs.values[costs.at(0, opening)];
  }
  return bound;
}

/** The number of programs that all ranks together solve in an iteration. */
export function solvesPerIteration<C extends Communicator>({
  model,
  forwardPasses,
}: Workspace<C>): number {
  let solves = forwardPasses * model.stages + model.tree.openings(0);
  for (let stage = 1; stage < model.stages; stage++) {
    solves += forwardPasses * model.tree.openings(stage);
  }
  return solves;
}

/** Σ μ (Q - π · x̂) and Σ μ π, where the risk measure of the stage that gets the cut gives the weights μ. */
function aggregate<C extends Communicator>(
  workspace: Workspace<C>,
  stage: number,
  costs: OpeningCosts,
  pass: number,
  state: Float64Array,
): { intercept: number; coefficients: Float64Array } {
  const { openings, values } = costs;
  const weights = weightsOf(workspace, stage, costs, pass);
  const coefficients = new Float64Array(state.length);
  let intercept = 0;
  for (let opening = 0; opening < openings; opening++) {
    const weight = weights[opening];
    if (weight === 0) continue;
    const at = costs.at(pass, opening);
    let alpha = values[at];
    for (let i = 0; i < coefficients.length; i++) {
      const slope = values[at + 1 + i];
      alpha -= slope * state[i];
      coefficients[i] += weight * slope;
    }
    intercept += weight * alpha;
  }
  return { intercept, coefficients };
}

function weightsOf<C extends Communicator>(
  { risks }: Workspace<C>,
  stage: number,
  found: OpeningCosts,
  pass: number,
): Float64Array {
  const costs = new Float64Array(found.openings);
  for (let opening = 0; opening < found.openings; opening++) {
    costs[opening] = found.values[found.at(pass, opening)];
  }
  const weights = new Float64Array(found.openings);
  risks.weigh(stage, costs, weights);
  return weights;
}
