import type { Communicator } from "@cobre/comm";
import type { StageProblem } from "../stage/stage-problem.js";
import type { TrialPoints } from "../training/trial-points.js";
import type { Workspace } from "../training/workspace.js";

/**
 * Runs a simulated scenario through all stages and shows each one when it is solved. Every solve starts from a basis of the last
 * training iteration, chosen by the scenario's number, so that it does not matter who runs it after what.
 */
export function runScenario<C extends Communicator>(
  { model, problems, sampler }: Workspace<C>,
  points: TrialPoints,
  scenario: number,
  iteration: number,
  show: (problem: StageProblem, incoming: Float64Array) => void,
): void {
  const state = model.initialState.slice();
  const pass = scenario % points.passes;
  for (let stage = 0; stage < model.stages; stage++) {
    const problem = problems[stage];
    const opening = sampler.simulatedOpening(scenario, stage);
    problem.enter(state, 0);
    problem.open(opening);
    problem.program.startFrom(points.basis(pass, stage));
    problem.solve({ phase: "simulation", iteration, scenario, opening });
    show(problem, state);
    problem.outgoing(state, 0);
  }
}
