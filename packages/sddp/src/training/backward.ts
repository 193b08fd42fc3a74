import type { Communicator } from "@cobre/comm";
import type { SharedCutMemory } from "../distribution/shared-cut-memory.js";
import { type SolvedOpenings, solveOpenings, type Visit } from "./openings.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/**
 * The backward sweep: adds a cut for each trial point to the node where it was reached, in every stage that something follows. All ranks add the
 * same cuts. `beforeStage` is told which stage is solved next and how far the sweep is, and may hold the rank up. Returns how many programs all ranks together have solved.
 */
export async function runBackwardSweep<C extends Communicator>(
  workspace: Workspace<C>,
  cutMemory: SharedCutMemory,
  iteration: number,
  points: TrialPoints,
  beforeStage: (stage: number, done: number, of: number) => Promise<void> | undefined,
): Promise<number> {
  const { model, pools, problems } = workspace;
  const { graph } = model;
  let solves = 0;
  /** How many places are followed by something. */
  const followed = points.hasEnd ? points.places : points.places - 1;
  for (let place = followed - 1; place >= 0; place--) {
    const stage = place % model.stages;
    const next = (stage + 1) % model.stages;
    await beforeStage(next, followed - 1 - place, followed);
    const passes = workspace.passesWithCuts(points, place);
    const visits = visitsAfter(workspace, points, place, passes);
    const states = {
      values: points.values,
      offset: (pass: number) => points.stateOffset(pass, place + 1),
      place: place + 1,
    };
    const solved = solveOpenings(workspace, visits, states, points, iteration, "backward");
    solves += solved.solves;
    for (const pass of passes) {
      const node = points.node(pass, place);
      if (!cutMemory.isWriter) {
        pools[node].addUnwritten(iteration, pass);
        continue;
      }
      const offset = states.offset(pass);
      const state = points.values.subarray(offset, offset + model.dimension);
      const { intercept, coefficients } = aggregate(workspace, node, solved, visits, pass, state);
      pools[node].add(iteration, pass, intercept, coefficients);
    }
    cutMemory.fence();
    for (const node of graph.nodesOf(stage)) problems[node].followCuts(pools[node]);
  }
  return solves;
}

/** The nodes that may follow those which the passes have reached at a place. */
function visitsAfter<C extends Communicator>(
  { model }: Workspace<C>,
  points: TrialPoints,
  place: number,
  passes: Int32Array,
): readonly Visit[] {
  const { nodes, stages } = model.graph;
  return model.graph.nodesOf((place + 1) % stages).flatMap((node) => {
    const from = passes.filter((pass) =>
      nodes[points.node(pass, place)].children.some((child) => child.node === node),
    );
    return from.length === 0 ? [] : [{ node, passes: from }];
  });
}

/** The risk-adjusted cost of all first-stage openings from the initial state, in thousands of $. */
export function evaluateLowerBound<C extends Communicator>(
  workspace: Workspace<C>,
  iteration: number,
  points: TrialPoints,
): number {
  const { model, risks, rootOutcomes } = workspace;
  const visits = model.graph.roots.map(({ node }) => ({ node, passes: Int32Array.of(0) }));
  const states = { values: model.initialState, offset: () => 0, place: 0 };
  const solved = solveOpenings(workspace, visits, states, points, iteration, "bound");
  const places = rootOutcomes.places(solved, visits, 0);
  const weights = rootOutcomes.weights(risks, 0, solved, places);
  let bound = 0;
  for (let outcome = 0; outcome < places.length; outcome++) {
    bound += weights[outcome] * solved.values[places[outcome]];
  }
  return bound;
}

/** Σ μ (Q - π · x̂) and Σ μ π, where the risk measure of the stage that gets the cut gives the weights μ. */
function aggregate<C extends Communicator>(
  { outcomes, problems, risks }: Workspace<C>,
  node: number,
  solved: SolvedOpenings,
  visits: readonly Visit[],
  pass: number,
  state: Float64Array,
): { intercept: number; coefficients: Float64Array } {
  const { values } = solved;
  const places = outcomes[node].places(solved, visits, pass);
  const weights = outcomes[node].weights(risks, problems[node].stage, solved, places);
  const coefficients = new Float64Array(state.length);
  let intercept = 0;
  for (let outcome = 0; outcome < places.length; outcome++) {
    const weight = weights[outcome];
    if (weight === 0) continue;
    const at = places[outcome];
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
