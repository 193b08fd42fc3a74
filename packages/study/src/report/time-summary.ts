import { sumOf } from "./cube.js";
import type { Report } from "./report.js";

/** Where the time went. Shares are of the time of the iterations since the run was last resumed. */
export interface TimeSummary {
  readonly training_seconds: number | null;
  readonly simulation_seconds: number | null;
  /** Programs solved in training, on all ranks. */
  readonly lp_solves: number;
  /** While iterations ran. */
  readonly lp_solves_per_second: number | null;
  readonly forward_percent: number;
  readonly backward_percent: number;
  readonly lower_bound_percent: number;
  readonly solving_percent: number;
  /** In collectives, waiting for others included. */
  readonly communication_percent: number;
  readonly rest_percent: number;
  readonly ranks: readonly RankSummary[];
}

export interface RankSummary {
  readonly rank: number;
  readonly solving_percent: number;
  readonly communication_percent: number;
  readonly rest_percent: number;
  readonly lp_solves: number;
}

/** `null` if the run has not trained. */
export function timeSummary({ run, time, numerics }: Report): TimeSummary | null {
  if (run.training === undefined || time === undefined) return null;
  const solving = sumOf(time.solving);
  const communication = sumOf(time.communication);
  const rest = sumOf(time.rest);
  const all = solving + communication + rest;
  const phases = time.forward + time.backward + time.bound;
  const solves = numerics.training?.solves ?? 0;
  return {
    training_seconds: run.training.seconds,
    simulation_seconds: run.simulation?.seconds ?? null,
    lp_solves: solves,
    lp_solves_per_second: all > 0 ? (1000 * solves) / all : null,
    forward_percent: percent(time.forward, phases),
    backward_percent: percent(time.backward, phases),
    lower_bound_percent: percent(time.bound, phases),
    solving_percent: percent(solving, all),
    communication_percent: percent(communication, all),
    rest_percent: percent(rest, all),
    ranks: time.ranks.map((one) => {
      const own = one.solving + one.communication + one.rest;
      return {
        rank: one.rank,
        solving_percent: percent(one.solving, own),
        communication_percent: percent(one.communication, own),
        rest_percent: percent(one.rest, own),
        lp_solves: one.lpSolves,
      };
    }),
  };
}

function percent(part: number, all: number): number {
  return all > 0 ? (100 * part) / all : 0;
}
