/**
 * The slopes of cuts by water on its way and by commitments, beside differences of the cost that the stage's own program has from neighbouring
 * states. What that program costs at all is held against the whole tree (oracle).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase, type Policy, train } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { Exchange, type Model, type StageProblem, shareModel, Workspace } from "#internal";
import { boundaryOf, type SmallSystem, writeCase } from "../oracle/index.js";
import { roundingOf } from "./tables.js";

/** How far the neighbours are, in hm³ and MW. The smaller, the more of the noise of the solver is in the differences. */
const STEP = 1e-3;
/** How much longer the step is that confirms what was found. */
const LONGER = 100;
/** Of a slope: the noise of the solver in the differences. */
const NOISE = 1e-4;

/** How many slopes were compared, by family of the state. */
export type Compared = Map<string, number>;

/** Trains the system a little, and compares the slopes at the states that the last forward passes visited. */
export async function checkOwnSlopes(
  system: SmallSystem,
  solver: LpSolver,
  compared: Compared,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "own-slopes-"));
  try {
    using comm = new LocalCommunicator();
    writeCase(system, folder, { iterations: 3, forwardPasses: 2 });
    const source = await loadCase(folder);
    const boundary = boundaryOf(source);
    const { policy } = await train(comm, source, { boundary, solver, failureDirectory: folder });
    using model = shareModel(comm, source);
    using workspace = new Workspace(model, solver, new Exchange(comm), folder, policy.pools);
    for (let stage = 1; stage < model.stages; stage++) {
      checkStage(model, workspace.problems[stage], policy, `seed ${system.seed}`, compared);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkStage(
  model: Model,
  problem: StageProblem,
  { points }: Policy,
  place: string,
  compared: Compared,
): void {
  const { stage } = problem;
  const { tree, components, costScale } = model;
  for (let opening = 0; opening < tree.openings(stage); opening++) {
    /** What the opening costs from a state, in $; infinite if the stage has no solution there. */
    const costAt = (state: Float64Array): number => {
      problem.enter(state, 0);
      problem.openForCut(tree.values, tree.offset(stage, opening));
      problem.startFrom(problem.slackBasis);
      if (problem.program.solve() !== "optimal") return Number.POSITIVE_INFINITY;
      return problem.program.objective * costScale;
    };
    for (let pass = 0; pass < points.passes; pass++) {
      const offset = points.stateOffset(pass, stage);
      const state = points.values.slice(offset, offset + points.dimension);
      const here = costAt(state);
      const gradient = new Float64Array(model.dimension);
      const value = here + problem.gradient(gradient, 0) * costScale;
      components.forEach(({ family, entityId, ahead }, i) => {
        if (ahead === undefined) return;
        compared.set(family, (compared.get(family) ?? 0) + 1);
        const slope = gradient[i] * costScale;
        /** The slope of the cost over a step, if the slope of the cut contradicts it. */
        const contradiction = (step: number): number | undefined => {
          const there = costAt(state.map((value, at) => (at === i ? value + step : value)));
          if (there === Number.POSITIVE_INFINITY) return undefined;
          const bound = (there - value) / step;
          const size = Math.max(1, Math.abs(slope), Math.abs(bound));
          const tolerance = NOISE * size + roundingOf(here, Math.abs(step));
          const isWrong = step > 0 ? slope > bound + tolerance : slope < bound - tolerance;
          return isWrong ? bound : undefined;
        };
        for (const step of [-STEP, STEP]) {
          const bound = contradiction(step);
          if (bound === undefined || contradiction(LONGER * step) === undefined) continue;
          const side = step > 0 ? "at most" : "at least";
          throw new Error(
            `${place}, stage ${stage}, opening ${opening}, slope by ${family} of ${entityId}, ${ahead} ahead: ${slope}, must be ${side} ${bound}, the slope of the cost`,
          );
        }
      });
    }
  }
}
