/** Why a program is solved. */
export const SOLVE_PHASES = ["forward", "backward", "bound", "simulation"] as const;
export type SolvePhase = (typeof SOLVE_PHASES)[number];

/** What was done before solves. */
export interface Preparation {
  /** How many solves started from a stored basis. The others went on from the solve before, or started from nothing. */
  readonly basesOffered: number;
  /** Milliseconds in which these bases, or none, were set. */
  readonly basisMs: number;
  /** Milliseconds in which the state and the noise were set. */
  readonly boundsMs: number;
}

/** What the solver did for one stage in one phase, on this rank. */
export interface StageSolves extends Preparation {
  readonly phase: SolvePhase;
  /** Index of the stage. */
  readonly stage: number;
  readonly solves: number;
  /** How many solves took 1, 2, … attempts. */
  readonly byAttempts: readonly number[];
  readonly simplexIterations: number;
  readonly ms: number;
}

const NOTHING: Preparation = { basesOffered: 0, basisMs: 0, boundsMs: 0 };

/** The counts of stages whose nodes were counted one by one. */
export function stagesOfNodes(counts: readonly StageSolves[]): readonly StageSolves[] {
  const sums = new Map<string, StageSolves>();
  for (const one of counts) {
    const key = `${one.stage} ${one.phase}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : together(sum, one));
  }
  return [...sums.values()];
}

function together(a: StageSolves, b: StageSolves): StageSolves {
  const attempts = Math.max(a.byAttempts.length, b.byAttempts.length);
  return {
    phase: a.phase,
    stage: a.stage,
    solves: a.solves + b.solves,
    byAttempts: Array.from(
      { length: attempts },
      (_, i) => (a.byAttempts[i] ?? 0) + (b.byAttempts[i] ?? 0),
    ),
    simplexIterations: a.simplexIterations + b.simplexIterations,
    ms: a.ms + b.ms,
    basesOffered: a.basesOffered + b.basesOffered,
    basisMs: a.basisMs + b.basisMs,
    boundsMs: a.boundsMs + b.boundsMs,
  };
}

/** Counts the solves of a stage, phase by phase. */
export class SolveStatistics {
  private readonly stage: number;
  private phases = emptyPhases();

  constructor(stage: number) {
    this.stage = stage;
  }

  add(
    phase: SolvePhase,
    attempts: number,
    simplexIterations: number,
    ms: number,
    { basesOffered, basisMs, boundsMs } = NOTHING,
  ): void {
    const counts = this.phases[phase];
    counts.byAttempts[attempts - 1] = (counts.byAttempts[attempts - 1] ?? 0) + 1;
    counts.solves++;
    counts.simplexIterations += simplexIterations;
    counts.ms += ms;
    counts.basesOffered += basesOffered;
    counts.basisMs += basisMs;
    counts.boundsMs += boundsMs;
  }

  /** The counts since the previous call, without phases in which nothing was solved. */
  take(): readonly StageSolves[] {
    const { phases, stage } = this;
    this.phases = emptyPhases();
    return SOLVE_PHASES.filter((phase) => phases[phase].solves > 0).map((phase) => {
      const { byAttempts, ...counts } = phases[phase];
      return { phase, stage, ...counts, byAttempts: Array.from(byAttempts, (count) => count ?? 0) };
    });
  }
}

function emptyPhases() {
  const none = () => ({
    solves: 0,
    byAttempts: [] as number[],
    simplexIterations: 0,
    ms: 0,
    ...NOTHING,
  });
  return { forward: none(), backward: none(), bound: none(), simulation: none() };
}
