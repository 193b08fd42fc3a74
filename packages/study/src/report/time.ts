import type { TrainingRun } from "../results/training-run.js";

/** Where the time of training went. It covers the part of the run since it was last resumed. */
export interface TimeReport {
  /** Milliseconds by iteration, as means over the ranks. */
  readonly iteration: Float64Array;
  /** In the solver. */
  readonly solving: Float64Array;
  /** In collectives, waiting for others included. */
  readonly communication: Float64Array;
  /** The part of it in which ranks waited for others; NaN if the run does not tell. */
  readonly waiting: Float64Array;
  /** The part of it in which data moved; NaN if the run does not tell. */
  readonly moving: Float64Array;
  /** Neither in the solver nor in collectives. */
  readonly rest: Float64Array;
  /** Sums of these means over the iterations. */
  readonly forward: number;
  readonly backward: number;
  readonly bound: number;
  readonly ranks: readonly RankTime[];
}

/** Sums over the iterations on one rank, in milliseconds. */
export interface RankTime {
  readonly rank: number;
  readonly solving: number;
  readonly communication: number;
  /** NaN if the run does not tell. */
  readonly waiting: number;
  readonly rest: number;
  readonly lpSolves: number;
}

export async function readTime(training: TrainingRun): Promise<TimeReport> {
  const { rows, columns } = await training.timing();
  const own = (await training.rankTiming()).columns;
  const numbers = [...new Set(columns.iteration)];
  const places = new Map(numbers.map((iteration, i) => [iteration, i]));
  const ranks = [...new Set(columns.rank)].map((rank) => {
    return { rank, solving: 0, communication: 0, waiting: 0, rest: 0, lpSolves: 0 };
  });
  const zeros = () => new Float64Array(numbers.length);
  const [solving, communication, waiting, rest] = [zeros(), zeros(), zeros(), zeros()];
  let [forward, backward, bound] = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    const i = places.get(columns.iteration[row] as number) as number;
    const of = ranks.find(({ rank }) => rank === columns.rank[row]) as (typeof ranks)[number];
    const share = 1 / ranks.length;
    const [solve = 0, talk = 0, other = 0] = [
      columns.solve_ms[row],
      columns.communication_ms[row],
      columns.overhead_ms[row],
    ];
    of.solving += solve;
    of.communication += talk;
    of.rest += other;
    (solving[i] as number) += solve * share;
    (communication[i] as number) += talk * share;
    (rest[i] as number) += other * share;
    forward += (columns.forward_wall_ms[row] as number) * share;
    backward += (columns.backward_wall_ms[row] as number) * share;
    bound += (columns.lower_bound_ms[row] as number) * share;
  }
  own.rank.forEach((rank, row) => {
    const of = ranks.find((one) => one.rank === rank);
    if (of !== undefined) {
      of.lpSolves += own.lp_solves[row] as number;
      of.waiting += own.idle_time_ms[row] as number;
    }
    const i = places.get(own.iteration[row] as number);
    if (i !== undefined) (waiting[i] as number) += (own.idle_time_ms[row] as number) / ranks.length;
  });
  const moving = communication.map((all, i) => all - (waiting[i] as number));
  const iteration = Float64Array.from(numbers);
  return {
    iteration,
    solving,
    communication,
    waiting,
    moving,
    rest,
    forward,
    backward,
    bound,
    ranks,
  };
}
