import type { Communicator } from "@cobre/comm";
import type { GraphWalks } from "../sampling/graph-walks.js";
import type { ScenarioSampler } from "../sampling/scenario-sampler.js";
import type { StageProblem } from "../stage/stage-problem.js";
import type { TrialPoints } from "../training/trial-points.js";
import type { Workspace } from "../training/workspace.js";

/** What a scenario needs: the programs of a workspace, the node of each stage, and its opening. */
export interface ScenarioWorkspace<C extends Communicator>
  extends Pick<Workspace<C>, "model" | "problems"> {
  readonly sampler: Pick<ScenarioSampler, "simulated">;
  readonly walks: Pick<GraphWalks, "simulated">;
  /** Whether the scenarios are all paths of a tree. Default: false. */
  readonly isCensus?: boolean;
}

/**
 * Runs a simulated scenario through all stages and passes each one to `show` once it is solved. Every solve starts from a basis of the
 * last training iteration, chosen by the scenario's number. So the result depends neither on the rank nor on what it solved before.
 *
 * If the scenarios are all paths of a tree, the node alone chooses the basis. Paths then have the same results as far as they are the same: a
 * program with several best solutions ends in the same one.
 *
 * @param replaced the nodes for which there is no such basis; they start from the slack basis
 */
export function runScenario<C extends Communicator>(
  { model, problems, sampler, walks, isCensus = false }: ScenarioWorkspace<C>,
  points: TrialPoints,
  scenario: number,
  iteration: number,
  show: (problem: StageProblem, incoming: Float64Array) => void,
  replaced: ReadonlySet<number> = new Set(),
): void {
  const state = model.initialState.slice();
  const pass = scenario % points.passes;
  const path = walks.simulated(scenario);
  for (let stage = 0; stage < model.stages; stage++) {
    const node = path[stage];
    const problem = problems[node];
    const { values, offset, opening } = sampler.simulated(scenario, node);
    problem.enter(state, 0);
    problem.open(values, offset);
    const known = isCensus ? points.firstBasis(node) : points.basisAt(pass, stage, node);
    const basis = replaced.has(node) ? undefined : known;
    problem.startFrom(basis ?? problem.slackBasis);
    problem.solve({ phase: "simulation", iteration, scenario, opening });
    show(problem, state);
    problem.outgoing(state, 0);
  }
}
