import type { RETRY_HISTOGRAM, SOLVER_ITERATIONS, TableColumns } from "@cobre/io";
import type { Run } from "../results/run.js";
import type { ScalingReport } from "../results/scaling.js";
import { sumOf } from "./cube.js";

/** How well the programs could be solved. */
export interface NumericsReport {
  readonly training: SolveCounts | null;
  readonly simulation: SolveCounts | null;
  /** `null` if the run has not trained. */
  readonly scaling: ScalingReport | null;
}

export interface SolveCounts {
  readonly solves: number;
  readonly simplexIterations: number;
  /** In the solver, on all ranks. */
  readonly milliseconds: number;
  /** Programs that took more than one attempt. */
  readonly retried: number;
  /** Where they were, most first; stages are counted from 0. */
  readonly retries: readonly {
    readonly phase: string;
    readonly stage: number;
    readonly count: number;
  }[];
}

export async function readNumerics({ training, simulation }: Run): Promise<NumericsReport> {
  return {
    training: training ? countsOf(await training.solver(), await training.retries()) : null,
    simulation: simulation ? countsOf(await simulation.solver(), await simulation.retries()) : null,
    scaling: training ? await training.scaling() : null,
  };
}

function countsOf(
  { columns: solver }: TableColumns<typeof SOLVER_ITERATIONS>,
  { columns: retry, rows }: TableColumns<typeof RETRY_HISTOGRAM>,
): SolveCounts {
  const places = new Map<string, { phase: string; stage: number; count: number }>();
  for (let row = 0; row < rows; row++) {
    const phase = retry.phase[row] as string;
    const stage = retry.stage[row] as number;
    const place = places.get(`${phase} ${stage}`) ?? { phase, stage, count: 0 };
    place.count += retry.count[row] as number;
    places.set(`${phase} ${stage}`, place);
  }
  return {
    solves: sumOf(solver.lp_solves),
    simplexIterations: sumOf(solver.simplex_iterations),
    milliseconds: sumOf(solver.solve_time_ms),
    retried: sumOf(solver.lp_retries),
    retries: [...places.values()].sort((a, b) => b.count - a.count),
  };
}
