import { hostname } from "node:os";
import { type Case, OUTPUT_FILES, type OutputDirectory } from "@cobre/io";
import {
  type CostStatistics,
  encodePolicy,
  gapPercent,
  hashPolicy,
  type IterationRecord,
  type Policy,
  type SimulationResult,
  type TrainingResult,
} from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";

/** What the metadata of a run says about who ran it. */
export interface RunContext {
  readonly source: Case;
  readonly output: OutputDirectory;
  readonly solver: LpSolver;
  readonly ranks: number;
  readonly backend: string;
  readonly version: string;
  readonly startedAt: Date;
}

/** One line of `timing/iterations.parquet`, of rank 0. */
export interface TimingRow {
  readonly iteration: number;
  readonly waitingMs: number;
  readonly movingMs: number;
  readonly simplexIterations: number;
}

/** Writes the policy: the checkpoint, and what training leaves in the end. */
export function writePolicy({ output }: RunContext, policy: Policy): void {
  output.writeBytes(OUTPUT_FILES.policy, encodePolicy(policy));
}

/** Writes everything of training but its marker. */
export function writeTraining(
  context: RunContext,
  result: TrainingResult,
  timings: readonly TimingRow[],
): void {
  const { output, source } = context;
  const { history } = result.policy;
  output.writeTable(OUTPUT_FILES.convergence, convergenceColumns(history));
  output.writeTable(OUTPUT_FILES.timing, [
    integers("iteration", timings, (row) => row.iteration),
    integers("rank", timings, () => 0),
    doubles("waiting_ms", timings, (row) => row.waitingMs),
    doubles("moving_ms", timings, (row) => row.movingMs),
  ]);
  output.writeTable(OUTPUT_FILES.solver, [
    integers("iteration", timings, (row) => row.iteration),
    integers("rank", timings, () => 0),
    integers("simplex_iterations", timings, (row) => row.simplexIterations),
  ]);
  writeDictionaries(output, source);
  output.writeJson(OUTPUT_FILES.trainingMetadata, trainingMetadata(context, result));
}

function convergenceColumns(history: readonly IterationRecord[]) {
  return [
    integers("iteration", history, (row) => row.iteration),
    doubles("lower_bound", history, (row) => row.lowerBound),
    doubles("upper_bound_mean", history, (row) => row.upperBoundMean),
    doubles("upper_bound_std", history, (row) => row.upperBoundStd),
    doubles("gap_percent", history, (row) => gapPercent(row) ?? null),
    integers("cuts_added", history, (row) => row.cutsAdded),
    integers("cuts_removed", history, () => 0),
    longs("cuts_active", history, (row) => row.cutsActive),
    longs("time_forward_ms", history, (row) => row.forwardMs),
    longs("time_backward_ms", history, (row) => row.backwardMs),
    longs("time_total_ms", history, (row) => row.totalMs),
    integers("forward_passes", history, (row) => row.forwardPasses),
    longs("lp_solves", history, (row) => row.lpSolves),
  ];
}

function writeDictionaries(output: OutputDirectory, { study, uncertainty }: Case): void {
  const { buses, hydros, thermals, lines } = study.system;
  const rows = Object.entries({ bus: buses, hydro: hydros, thermal: thermals, line: lines });
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const csv = rows.flatMap(([kind, entities]) =>
    entities.map(({ id, name }) => `${kind},${id},${quote(name)}`),
  );
  output.writeText(OUTPUT_FILES.entities, `${["kind,id,name", ...csv].join("\n")}\n`);
  const states: object[] = hydros.map(({ id }) => ({ kind: "storage_hm3", hydro_id: id }));
  for (let lag = 1; lag <= uncertainty.inflow.lags; lag++) {
    for (const { id } of hydros) states.push({ kind: "inflow_m3s", hydro_id: id, lag });
  }
  output.writeJson(OUTPUT_FILES.stateDictionary, { states });
}

function trainingMetadata(context: RunContext, result: TrainingResult): object {
  const { source, solver, ranks, backend, version, startedAt } = context;
  const { config, study } = source;
  const { policy, termination, elapsedMs, lowerBound } = result;
  const last = policy.history.at(-1);
  const limit = config.training.stoppingRules.find(({ type }) => type === "iteration_limit");
  return {
    cobre_version: version,
    hostname: hostname(),
    solver: solver.name,
    solver_version: solver.version,
    solver_fingerprint: solver.fingerprint,
    started_at: startedAt.toISOString(),
    completed_at: new Date().toISOString(),
    duration_seconds: elapsedMs / 1000,
    status: termination === "interrupted" ? "interrupted" : "completed",
    configuration: {
      seed: config.training.scenarioSource.seed,
      tree_seed: config.training.treeSeed,
      max_iterations: limit?.type === "iteration_limit" ? limit.limit : null,
      forward_passes: config.training.forwardPasses,
      stopping_mode: config.training.stoppingMode,
      policy_mode: config.policy.mode,
      compat: config.compat ?? null,
    },
    problem_dimensions: {
      stages: study.time.stages.length,
      hydros: study.system.hydros.length,
      thermals: study.system.thermals.length,
      buses: study.system.buses.length,
      lines: study.system.lines.length,
      state_dimension: policy.points.dimension,
    },
    iterations: { completed: policy.iteration },
    convergence: {
      lower_bound: lowerBound,
      upper_bound: upperBound(last),
      final_gap_percent: last === undefined ? null : (gapPercent(last) ?? null),
      termination_reason: termination,
    },
    row_pool: {
      total_generated: policy.pools.reduce((sum, { count }) => sum + count, 0),
      total_active: policy.pools.reduce((sum, { count }) => sum + count, 0),
    },
    distribution: { backend, world_size: ranks, threads_per_rank: 1 },
    hashes: hashPolicy(policy),
  };
}

/** What the last forward passes say; one path says nothing about the spread. */
function upperBound(last: IterationRecord | undefined): object | null {
  if (last === undefined) return null;
  const { upperBoundMean: mean, upperBoundStd: std, forwardPasses: paths } = last;
  return { mean, std, ci95: paths > 1 ? (1.96 * std) / Math.sqrt(paths) : null, paths };
}

/** `simulation/metadata.json` */
export function simulationMetadata(context: RunContext, result: SimulationResult): object {
  const { statistics, hash } = result;
  return {
    cobre_version: context.version,
    completed_at: new Date().toISOString(),
    status: "completed",
    ...statisticsOf(statistics),
    hash,
    distribution: { backend: context.backend, world_size: context.ranks },
  };
}

function statisticsOf({ mean, std, ci95, count }: CostStatistics): object {
  return { mean, std, ci95: ci95 ?? null, scenarios: count };
}

function column<T>(
  type: "INT32" | "INT64" | "DOUBLE",
  name: string,
  rows: readonly T[],
  value: (row: T) => number | null,
) {
  const data = rows.map(value);
  return { name, type, data, isNullable: data.includes(null) };
}

function integers<T>(name: string, rows: readonly T[], value: (row: T) => number) {
  return column("INT32", name, rows, value);
}

function longs<T>(name: string, rows: readonly T[], value: (row: T) => number) {
  return column("INT64", name, rows, value);
}

function doubles<T>(name: string, rows: readonly T[], value: (row: T) => number | null) {
  return column("DOUBLE", name, rows, value);
}
