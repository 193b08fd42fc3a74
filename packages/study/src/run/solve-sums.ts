import type { Communicator } from "@cobre/comm";
import type { RETRY_HISTOGRAM, SOLVER_ITERATIONS, TableRow } from "@cobre/io";
import { SOLVE_PHASES, type StageSolves } from "@cobre/sddp";

/** What is summed beside the solves by attempts. */
const COUNTS = ["simplexIterations", "ms", "basesOffered", "basisMs", "boundsMs"] as const;

/** Collective: sums the solves of all ranks, round by round. Every rank must have the same number of rounds. */
export function sumSolves(
  comm: Communicator,
  rounds: readonly (readonly StageSolves[])[],
  stages: number,
  attempts: number,
): readonly (readonly StageSolves[])[] {
  if (rounds.length === 0 || comm.size === 1) return rounds;
  const phases = SOLVE_PHASES.length;
  const width = attempts + COUNTS.length;
  const mine = new Float64Array(rounds.length * stages * phases * width);
  const offset = (round: number, stage: number, phase: number) =>
    ((round * stages + stage) * phases + phase) * width;
  rounds.forEach((solves, round) => {
    for (const { phase, stage, byAttempts, ...counts } of solves) {
      const at = offset(round, stage, SOLVE_PHASES.indexOf(phase));
      mine.set(byAttempts, at);
      COUNTS.forEach((name, i) => {
        mine[at + attempts + i] = counts[name];
      });
    }
  });
  const all = new Float64Array(mine.length);
  comm.allreduce(mine, all, "sum");
  return rounds.map((_, round) => {
    const sums: StageSolves[] = [];
    for (let stage = 0; stage < stages; stage++) {
      SOLVE_PHASES.forEach((phase, p) => {
        const at = offset(round, stage, p);
        const byAttempts = [...all.subarray(at, at + attempts)];
        const solves = byAttempts.reduce((sum, count) => sum + count, 0);
        if (solves === 0) return;
        const count = (name: (typeof COUNTS)[number]) =>
          all[at + attempts + COUNTS.indexOf(name)] ?? 0;
        sums.push({
          ...{ phase, stage, solves, byAttempts },
          simplexIterations: count("simplexIterations"),
          ms: count("ms"),
          basesOffered: count("basesOffered"),
          basisMs: count("basisMs"),
          boundsMs: count("boundsMs"),
        });
      });
    }
    return sums;
  });
}

/** The names of the phases in tables. */
const PHASE_NAMES = {
  forward: "forward",
  backward: "backward",
  bound: "lower_bound",
  simulation: "simulation",
} as const;

/** The rows of `solver/iterations.parquet`. */
export function solverRows(
  iteration: number,
  solves: readonly StageSolves[],
): TableRow<typeof SOLVER_ITERATIONS>[] {
  return solves.map(({ phase, stage, solves: count, byAttempts, ...sums }) => ({
    iteration,
    phase: PHASE_NAMES[phase],
    stage,
    opening: null,
    rank: null,
    worker_id: null,
    lp_solves: count,
    lp_successes: byAttempts[0] ?? 0,
    lp_retries: count - (byAttempts[0] ?? 0),
    lp_failures: 0,
    retry_attempts: byAttempts.reduce((sum, times, level) => sum + level * times, 0),
    basis_offered: sums.basesOffered,
    basis_consistency_failures: null,
    simplex_iterations: sums.simplexIterations,
    solve_time_ms: sums.ms,
    load_model_time_ms: null,
    set_bounds_time_ms: sums.boundsMs,
    basis_set_time_ms: sums.basisMs,
    basis_reconstructions: null,
  }));
}

/** The rows of `solver/retry_histogram.parquet`, without levels at which nothing was solved. */
export function retryRows(
  iteration: number,
  solves: readonly StageSolves[],
): TableRow<typeof RETRY_HISTOGRAM>[] {
  return solves.flatMap(({ phase, stage, byAttempts }) =>
    byAttempts.flatMap((count, level) =>
      level === 0 || count === 0
        ? []
        : [{ iteration, phase: PHASE_NAMES[phase], stage, retry_level: level, count }],
    ),
  );
}
