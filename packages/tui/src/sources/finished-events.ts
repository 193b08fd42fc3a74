import type { StageSolves } from "@cobre/sddp";
import { ifWritten, type Run, type SimulationRun, type TrainingRun } from "@cobre/study";
import type { ToldEvent } from "../state/told-event.js";

/** The events that a run would have told, from what it wrote. Programs are counted over all ranks. */
export async function eventsOfRun(run: Run): Promise<ToldEvent[]> {
  const { training, simulation } = run;
  const made = (training ?? simulation)?.metadata;
  const first: ToldEvent[] = [
    { rank: 0, type: "rank_started", pid: 0, backend: made?.backend ?? "" },
    {
      rank: 0,
      type: "run_started",
      iterationLimit: training?.metadata.maxIterations ?? null,
      scenarios: simulation?.metadata.scenarios ?? null,
    },
  ];
  return [
    ...first,
    ...(training === undefined ? [] : await trainingEvents(run, training)),
    ...(simulation === undefined ? [] : await simulationEvents(simulation)),
  ];
}

async function trainingEvents(run: Run, training: TrainingRun): Promise<ToldEvent[]> {
  const { metadata } = training;
  const { columns, rows } = await training.convergence();
  const stages = (await ifWritten(run.stages()))?.length ?? 0;
  const times = await rankTimes(training);
  const solves = await solvesByIteration(training);
  const [active = 0, added = 0] = [columns.cuts_active[0], columns.cuts_added[0]].map(Number);
  const events: ToldEvent[] = [
    {
      rank: 0,
      type: "training_started",
      stages,
      stateDimension: 0,
      forwardPasses: metadata.forwardPasses,
      ranks: metadata.ranks,
      solver: `${metadata.solver} ${metadata.solverVersion}`,
      afterIteration: 0,
      cuts: active - added,
      isWarm: active > added,
      foreignStageIds: [],
      boundCaveats: metadata.lowerBoundCaveats.length > 0 ? ["foreign_cuts"] : [],
    },
  ];
  let elapsedMs = 0;
  for (let row = 0; row < rows; row++) {
    const at = (column: ArrayLike<number | bigint>) => Number(column[row] ?? Number.NaN);
    const iteration = at(columns.iteration);
    const totalMs = at(columns.time_total_ms);
    elapsedMs += totalMs;
    const record = {
      iteration,
      lowerBound: at(columns.lower_bound),
      upperBoundMean: at(columns.upper_bound_mean),
      upperBoundStd: at(columns.upper_bound_std),
      forwardPasses: at(columns.forward_passes),
      cutsAdded: at(columns.cuts_added),
      cutsActive: at(columns.cuts_active),
      lpSolves: at(columns.lp_solves),
      forwardMs: at(columns.time_forward_ms),
      backwardMs: at(columns.time_backward_ms),
      totalMs,
    };
    const ranks = times.get(iteration) ?? [];
    const own = ranks.find(({ rank }) => rank === 0) ?? { ...NO_TIMES, totalMs };
    const solved = solves.get(iteration) ?? [];
    const simplexIterations = solved.reduce((sum, one) => sum + one.simplexIterations, 0);
    const { solvingMs, waitingMs, movingMs } = own;
    events.push(
      { rank: 0, type: "forward_done", iteration, ms: record.forwardMs, lpSolves: 0 },
      {
        rank: 0,
        type: "iteration_done",
        record,
        waitingMs,
        movingMs,
        solvingMs,
        simplexIterations,
        solves: solved,
        elapsedMs,
      },
      ...ranks
        .filter(({ rank }) => rank !== 0)
        .map((one): ToldEvent => ({ type: "rank_iteration", iteration, ...one })),
      {
        rank: 0,
        type: "ranks_measured",
        iteration,
        busy: ranks.map((one) => 1 - (one.waitingMs + one.movingMs) / one.totalMs),
        retriedSolves: solved.reduce((sum, { solves: all, byAttempts }) => {
          return sum + all - (byAttempts[0] ?? 0);
        }, 0),
      },
    );
  }
  if (metadata.status === "interrupted") {
    const { iterations: iteration } = metadata;
    events.push({ rank: 0, type: "interrupted", during: "training", iteration });
    return events;
  }
  const { termination, iterations, lowerBound, forward } = metadata;
  events.push({
    rank: 0,
    type: "training_result",
    termination: termination as Extract<ToldEvent, { type: "training_result" }>["termination"],
    iterations,
    lowerBound,
    boundCaveats: [],
    forward,
    elapsedMs,
  });
  return events;
}

const NO_TIMES = { rank: 0, totalMs: 0, solvingMs: 0, waitingMs: 0, movingMs: 0 };

/** By iteration, then rank. Waiting is 0 if it was not measured apart. */
async function rankTimes(training: TrainingRun): Promise<Map<number, (typeof NO_TIMES)[]>> {
  const timing = await ifWritten(training.timing());
  const own = (await ifWritten(training.rankTiming()))?.columns;
  const byIteration = new Map<number, (typeof NO_TIMES)[]>();
  const columns = timing?.columns;
  for (let row = 0; columns !== undefined && row < (timing?.rows ?? 0); row++) {
    const at = (column: ArrayLike<number>) => column[row] ?? 0;
    const idle = own?.idle_time_ms[row] ?? Number.NaN;
    const waitingMs = Number.isFinite(idle) ? idle : 0;
    const iteration = at(columns.iteration);
    const list = byIteration.get(iteration) ?? [];
    byIteration.set(iteration, list);
    list.push({
      rank: at(columns.rank),
      totalMs: at(columns.solve_ms) + at(columns.communication_ms) + at(columns.overhead_ms),
      solvingMs: at(columns.solve_ms),
      waitingMs,
      movingMs: at(columns.communication_ms) - waitingMs,
    });
  }
  return byIteration;
}

async function solvesByIteration(training: TrainingRun): Promise<Map<number, StageSolves[]>> {
  const table = await ifWritten(training.solver());
  const byIteration = new Map<number, StageSolves[]>();
  for (let row = 0; table !== undefined && row < table.rows; row++) {
    const { columns } = table;
    const iteration = columns.iteration[row] ?? 0;
    const list = byIteration.get(iteration) ?? [];
    byIteration.set(iteration, list);
    list.push({
      phase: "backward", // phases of a stage are summed
      stage: columns.stage[row] ?? 0,
      solves: Number(columns.lp_solves[row] ?? 0),
      byAttempts: [Number(columns.lp_successes[row] ?? 0)],
      simplexIterations: Number(columns.simplex_iterations[row] ?? 0),
      ms: columns.solve_time_ms[row] ?? 0,
      basesOffered: columns.basis_offered[row] ?? 0,
      basisMs: columns.basis_set_time_ms[row] ?? 0,
      boundsMs: columns.set_bounds_time_ms[row] ?? 0,
    });
  }
  return byIteration;
}

async function simulationEvents(simulation: SimulationRun): Promise<ToldEvent[]> {
  const { mean, std, ci95, scenarios, isExact, hash } = simulation.metadata;
  const costs = await scenarioCosts(simulation);
  return [
    { rank: 0, type: "simulation_started", scenarios, ...(isExact && { isExact }) },
    ...costs.map((cost, i): ToldEvent => {
      return { rank: 0, type: "scenario_done", done: i + 1, of: costs.length, cost };
    }),
    { rank: 0, type: "simulation_result", mean, std, ci95, costs, hash },
  ];
}

/** The discounted cost of each scenario: of its stages, and after the last one as a boundary policy gives it. */
async function scenarioCosts(simulation: SimulationRun): Promise<number[]> {
  const costs: number[] = [];
  const names = ["discount_factor", "immediate_cost", "future_cost"] as const;
  for await (const { rows, columns } of simulation.scenariosOf("costs", names)) {
    let cost = 0;
    for (let row = 0; row < rows; row++) {
      const factor = columns.discount_factor[row] ?? 0;
      cost += factor * (columns.immediate_cost[row] ?? 0);
      if (row === rows - 1) cost += factor * (columns.future_cost[row] ?? 0);
    }
    costs.push(cost);
  }
  return costs;
}
