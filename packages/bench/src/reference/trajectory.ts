/** The course of a training, read from the tables that both programs write. */
import { join } from "node:path";
import { readOutputTable } from "@cobre/io";

/** After an iteration. Counts are of all iterations so far. */
export interface Moment {
  readonly iteration: number;
  /** Of training, without starting and writing. */
  readonly seconds: number;
  readonly lowerBound: number;
  readonly lps: number;
  readonly simplexIterations: number;
}

export type Trajectory = readonly Moment[];

/** Reads `training/` of an output directory. */
export async function readTrajectory(output: string): Promise<Trajectory> {
  const table = (name: string) => readOutputTable(join(output, "training", `${name}.parquet`));
  const simplex = new Map<number, number>();
  for (const row of await table("solver/iterations")) {
    const iteration = Number(row.iteration);
    simplex.set(iteration, (simplex.get(iteration) ?? 0) + Number(row.simplex_iterations));
  }
  const moments: Moment[] = [];
  let [seconds, lps, simplexIterations] = [0, 0, 0];
  for (const row of await table("convergence")) {
    const iteration = Number(row.iteration);
    seconds += Number(row.time_total_ms) / 1000;
    lps += Number(row.lp_solves);
    simplexIterations += simplex.get(iteration) ?? Number.NaN;
    moments.push({
      iteration,
      seconds,
      lowerBound: Number(row.lower_bound),
      lps,
      simplexIterations,
    });
  }
  return moments;
}

/** Seconds until an iteration was done; `undefined` if it was not. */
export function secondsToIteration(trajectory: Trajectory, iteration: number): number | undefined {
  return trajectory.find((moment) => moment.iteration === iteration)?.seconds;
}

/** Seconds until the lower bound was at least this; `undefined` if it never was. */
export function secondsToBound(trajectory: Trajectory, bound: number): number | undefined {
  return trajectory.find(({ lowerBound }) => lowerBound >= bound)?.seconds;
}
