import {
  COLLECTIVES,
  CONVERGENCE,
  CUT_SELECTION,
  hasHydroModels,
  ITERATION_TIMING,
  modelProvenance,
  OUTPUT_FILES,
  type OutputDirectory,
  RANK_TIMING,
  RETRY_HISTOGRAM,
  SOLVER_ITERATIONS,
  type TableRow,
  tableOf,
  writeDictionaries,
  writeHydroModels,
  writeStochastic,
} from "@cobre/io";
import {
  type CoefficientRanges,
  encodePolicy,
  gapPercent,
  type IterationRecord,
  type TrainingResult,
} from "@cobre/sddp";
import type { CutsSelected, IterationTimes, SharedMeasurements } from "./measurements.js";
import { type RunContext, trainingMetadata } from "./metadata.js";
import { scalingReport } from "./scaling-report.js";
import { retryRows, solverRows } from "./solve-sums.js";
import type { VisitedStates } from "./visited-states.js";

/** What is written after training. */
export interface TrainingOutput {
  readonly result: TrainingResult;
  readonly startedAt: Date;
  readonly measured: SharedMeasurements;
  /** What each rank called; empty if it was not measured. */
  readonly collectives: readonly TableRow<typeof COLLECTIVES>[];
  readonly ranges: readonly CoefficientRanges[];
  readonly selections: readonly CutsSelected[];
  /** Given if they are to be exported. */
  readonly states: VisitedStates | undefined;
}

/** Replaces the policy and the results of training. If the new ones cannot be written, neither is replaced. */
export function writeTraining(
  output: OutputDirectory,
  context: RunContext,
  training: TrainingOutput,
): void {
  const { result, states } = training;
  const { exports } = context.source.config;
  try {
    stageTraining(output.staged, context, training);
    if (exports.stochastic) writeStochastic(output.staged, context.source);
    states?.write(output.staged);
    const hasModels = hasHydroModels(context.source.study);
    if (hasModels) writeHydroModels(output.staged, context.source.study);
    output.writePolicy(encodePolicy(result.policy));
    output.publish("training");
    if (states?.isEmpty === false) output.publish("policy/states");
    if (exports.stochastic) output.publish("stochastic");
    else output.retire("stochastic");
    if (hasModels) output.publish("hydro_models");
    else output.retire("hydro_models");
  } finally {
    output.discardStaged();
  }
}

function stageTraining(
  staged: OutputDirectory,
  context: RunContext,
  { result, startedAt, measured, collectives, ranges, selections }: TrainingOutput,
): void {
  const { source } = context;
  const { times, solves } = measured;
  const { history } = result.policy;
  const { isRiskNeutral = false, isCyclic = false } = result.policy.origin;
  // Of a cyclic horizon, passes end with what the cuts know of later cycles, which may be too little.
  const hasGap = isRiskNeutral && !isCyclic;
  staged.writeTable(
    OUTPUT_FILES.convergence,
    tableOf(
      CONVERGENCE,
      history.map((record) => convergenceRow(record, hasGap, selections)),
    ),
  );
  if (selections.length > 0) {
    const rows = selections.flatMap(selectionRows);
    staged.writeTable(OUTPUT_FILES.cutSelection, tableOf(CUT_SELECTION, rows));
  }
  staged.writeTable(OUTPUT_FILES.timing, tableOf(ITERATION_TIMING, times.map(timingRow)));
  staged.writeTable(OUTPUT_FILES.rankTiming, tableOf(RANK_TIMING, times.map(rankRow)));
  staged.writeTable(OUTPUT_FILES.collectives, tableOf(COLLECTIVES, collectives));
  staged.writeTable(
    OUTPUT_FILES.solver,
    tableOf(
      SOLVER_ITERATIONS,
      solves.flatMap((round) => solverRows(round.iteration, round.solves)),
    ),
  );
  staged.writeTable(
    OUTPUT_FILES.retries,
    tableOf(
      RETRY_HISTOGRAM,
      solves.flatMap((round) => retryRows(round.iteration, round.solves)),
    ),
  );
  staged.writeJson(OUTPUT_FILES.scaling, scalingReport(source, ranges));
  staged.writeJson(OUTPUT_FILES.provenance, modelProvenance(source));
  writeDictionaries(staged, source);
  const metadata = trainingMetadata(context, result, startedAt);
  staged.writeJson(OUTPUT_FILES.trainingMetadata, metadata);
  if (result.termination !== "interrupted") staged.mark(OUTPUT_FILES.trainingSuccess);
}

function convergenceRow(
  record: IterationRecord,
  hasGap: boolean,
  selections: readonly CutsSelected[],
): TableRow<typeof CONVERGENCE> {
  const selection = selections.find(({ iteration }) => iteration === record.iteration);
  return {
    iteration: record.iteration,
    lower_bound: record.lowerBound,
    upper_bound_mean: record.upperBoundMean,
    upper_bound_std: record.upperBoundStd,
    gap_percent: gapPercent(record, hasGap) ?? null,
    cuts_added: record.cutsAdded,
    cuts_removed: selection?.stages.reduce((sum, { removed }) => sum + removed, 0) ?? 0,
    cuts_active: record.cutsActive,
    time_forward_ms: record.forwardMs,
    time_backward_ms: record.backwardMs,
    time_total_ms: record.totalMs,
    forward_passes: record.forwardPasses,
    lp_solves: record.lpSolves,
  };
}

function selectionRows({ iteration, ms, stages }: CutsSelected): TableRow<typeof CUT_SELECTION>[] {
  return stages.map((one) => ({
    iteration,
    stage: one.stage,
    cuts_populated: one.cuts,
    cuts_active_before: one.activeBefore,
    cuts_deactivated: one.removed,
    cuts_reactivated: one.returned,
    cuts_active_after: one.activeAfter,
    selection_time_ms: ms,
  }));
}

function timingRow(times: IterationTimes): TableRow<typeof ITERATION_TIMING> {
  const { iteration, rank, totalMs, solvingMs, communicationMs } = times;
  return {
    iteration,
    rank,
    worker_id: null,
    forward_wall_ms: times.forwardMs,
    backward_wall_ms: times.backwardMs,
    lower_bound_ms: times.boundMs,
    solve_ms: solvingMs,
    communication_ms: communicationMs,
    overhead_ms: Math.max(0, totalMs - solvingMs - communicationMs),
  };
}

function rankRow(times: IterationTimes): TableRow<typeof RANK_TIMING> {
  return {
    iteration: times.iteration,
    rank: times.rank,
    forward_time_ms: times.forwardMs,
    backward_time_ms: times.backwardMs,
    communication_time_ms: times.communicationMs,
    idle_time_ms: Number.isNaN(times.waitingMs) ? null : times.waitingMs,
    lp_solves: times.lpSolves,
    scenarios_processed: times.forwardPasses,
  };
}
