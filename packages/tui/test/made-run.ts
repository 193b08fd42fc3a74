import { RunState, type ToldEvent } from "#internal";

export const STAGES = 24;
const PASSES = 4;

/** The events of a run on two ranks, up to an iteration; 40 are planned. */
export function trainingEvents(iterations: number): ToldEvent[] {
  const events: ToldEvent[] = [
    { rank: 0, type: "rank_started", pid: 1, backend: "shm" },
    { rank: 1, type: "rank_started", pid: 2, backend: "shm" },
    { rank: 0, type: "run_started", iterationLimit: 40, scenarios: 10 },
    {
      rank: 0,
      type: "training_started",
      stages: STAGES,
      stateDimension: 8,
      forwardPasses: PASSES,
      ranks: 2,
      solver: "highs",
      afterIteration: 0,
      cuts: 0,
      isWarm: false,
      foreignStageIds: [],
      boundCaveats: [],
    },
  ];
  for (let iteration = 1; iteration <= iterations; iteration++) {
    events.push(
      // Rank 1 may be the first to tell.
      ...(iteration % 2 === 0 ? [rankIteration(iteration)] : []),
      { rank: 0, type: "forward_done", iteration, ms: 30, lpSolves: 96 },
      iterationDone(iteration),
      ...(iteration % 2 === 1 ? [rankIteration(iteration)] : []),
      { rank: 0, type: "ranks_measured", iteration, busy: [0.9, 0.8], retriedSolves: 0 },
    );
  }
  return events;
}

export function iterationDone(iteration: number): ToldEvent {
  const cutsAdded = PASSES * (STAGES - 1);
  const stage = (index: number, phase: "forward" | "backward") => ({
    phase,
    stage: index,
    solves: 10,
    byAttempts: index === 3 ? [9, 1] : [10],
    simplexIterations: 50,
    ms: index === 2 ? 20 : 5,
    basesOffered: 1,
    basisMs: 1,
    boundsMs: 1,
  });
  return {
    rank: 0,
    type: "iteration_done",
    record: {
      iteration,
      lowerBound: 7e10 * (1 - 1 / (iteration + 1)),
      upperBoundMean: 7.31e10 + (iteration % 3) * 1e9,
      upperBoundStd: 9e9,
      forwardPasses: PASSES,
      cutsAdded,
      cutsActive: cutsAdded * iteration,
      lpSolves: 1026,
      forwardMs: 30,
      backwardMs: 290,
      totalMs: 330,
    },
    waitingMs: 0,
    movingMs: 33,
    solvingMs: 260,
    simplexIterations: 100,
    solves: Array.from({ length: STAGES }, (_, i) => [
      stage(i, "forward"),
      stage(i, "backward"),
    ]).flat(),
    elapsedMs: 330 * iteration,
  };
}

function rankIteration(iteration: number): ToldEvent {
  const times = { totalMs: 330, solvingMs: 240, waitingMs: 0, movingMs: 66 };
  return { rank: 1, type: "rank_iteration", iteration, ...times };
}

export function runAfter(events: readonly ToldEvent[]): RunState {
  const run = new RunState();
  for (const event of events) run.take(event);
  return run;
}
