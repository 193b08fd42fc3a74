import type { Communicator } from "@cobre/comm";
import type { ScenarioSampler } from "../sampling/scenario-sampler.js";
import type { StageProblem } from "../stage/stage-problem.js";
import type { TrialPoints } from "../training/trial-points.js";
import type { Workspace } from "../training/workspace.js";

/** What a scenario needs: the programs of a workspace, and the opening of each stage. */
export interface ScenarioWorkspace<C extends Communicator>
  extends Pick<Workspace<C>, "model" | "problems"> {
  readonly sampler: Pick<ScenarioSampler, "simulated">;
}

/**
 * Runs a simulated scenario through all stages and passes each one to `show` once it is solved. Every solve starts from a basis of the
 * last training iteration, chosen by the scenario's number. So the result depends neither on the rank nor on what it solved before.
 *
 * @param replaced the stages for which there is no such basis; they start from the slack basis
 */
export function runScenario<C extends Communicator>(
  { model, problems, sampler }: ScenarioWorkspace<C>,
  points: TrialPoints,
  scenario: number,
  iteration: number,
  show: (problem: StageProblem, incoming: Float64Array) => void,
  replaced: ReadonlySet<number> = new Set(),
): void {
  const state = model.initialState.slice();
  const pass = scenario % points.passes;
  for (let stage = 0; stage < model.stages; stage++) {
    const problem = problems[stage];
    const { values, offset, opening } = sampler.simulated(scenario, stage);
    problem.enter(state, 0);
    problem.open(values, offset);
    problem.startFrom(replaced.has(stage) ? problem.slackBasis : points.basis(pass, stage));
    problem.solve({ phase: "simulation", iteration, scenario, opening });
    show(problem, state);
    problem.outgoing(state, 0);
  }
}
