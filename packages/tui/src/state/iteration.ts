import type { IterationRecord, StageSolves } from "@cobre/sddp";

/** Where the time of one rank went in an iteration, in milliseconds. */
export interface RankTimes {
  readonly totalMs: number;
  readonly solvingMs: number;
  /** In collectives, waiting included. */
  readonly collectiveMs: number;
  /** The part of it in which the rank waited for others; NaN if that was not measured. */
  readonly waitingMs: number;
}

/** What was solved for a stage in an iteration. */
export interface StageWork {
  readonly stage: number;
  readonly solves: number;
  readonly retried: number;
  readonly simplexIterations: number;
  readonly ms: number;
}

/** One iteration, as its events told it. */
export interface IterationState {
  readonly record: IterationRecord;
  /** Since training started; what was resumed is not counted. */
  readonly elapsedMs: number;
  /** By stage. */
  readonly stages: readonly StageWork[];
  /** By rank; ranks that have told nothing are missing. */
  readonly ranks: Map<number, RankTimes>;
  /** By rank: the part of the time that was not spent in collectives. */
  busy: readonly number[];
  /** Programs that took more than one attempt, on all ranks. */
  retried: number;
}

/** All phases of a stage together. */
export function workByStage(solves: readonly StageSolves[]): StageWork[] {
  const work = new Map<number, StageWork>();
  for (const { stage, solves: count, byAttempts, simplexIterations, ms } of solves) {
    const before = work.get(stage);
    const retried = count - (byAttempts[0] ?? 0);
    work.set(stage, {
      stage,
      solves: count + (before?.solves ?? 0),
      retried: retried + (before?.retried ?? 0),
      simplexIterations: simplexIterations + (before?.simplexIterations ?? 0),
      ms: ms + (before?.ms ?? 0),
    });
  }
  return [...work.values()].sort((a, b) => a.stage - b.stage);
}
