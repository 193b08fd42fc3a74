import { hostname } from "node:os";
import type { Case } from "@cobre/io";
import {
  gapPercent,
  type Hold,
  hashPolicy,
  type IterationRecord,
  isIterationLimit,
  type Plugins,
  type SimulationResult,
  type TrainingResult,
} from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import type { MachineRanks } from "./machines.js";

/** How a run was made, for its metadata. */
export interface RunContext {
  readonly source: Case;
  readonly solver: LpSolver;
  readonly ranks: number;
  readonly backend: string;
  readonly machines: readonly MachineRanks[];
  readonly version: string;
  /** The command that was typed, without secrets; `undefined` if a program called `runStudy`. */
  readonly command: string | undefined;
  /** Whether a training may be resumed with another solver than it had. */
  readonly allowsOtherSolver: boolean;
  /** Whether ranks meet before each exchange, so that waiting is told from moving data. */
  readonly splitsWaiting: boolean;
  readonly plugins?: Plugins | undefined;
  readonly hold?: Hold | undefined;
}

/** `training/metadata.json` */
export function trainingMetadata(
  context: RunContext,
  result: TrainingResult,
  startedAt: Date,
): object {
  const { config, study } = context.source;
  const { policy, termination, hasConverged, lowerBound } = result;
  const { history } = policy;
  const last = history.at(-1);
  const limit = config.training.stoppingRules.find(isIterationLimit);
  const { isRiskNeutral = false, isCyclic = false } = policy.origin;
  const hasGap = isRiskNeutral && !isCyclic;
  const cuts = policy.pools.reduce((sum, { count }) => sum + count, 0);
  return {
    case: {
      name: context.source.name,
      fingerprint: policy.origin.caseFingerprint,
    },
    ...runMetadata(context, startedAt),
    status: termination === "interrupted" ? "interrupted" : "completed",
    configuration: {
      seed: config.training.treeSeed,
      tree_seed: config.training.treeSeed,
      max_iterations: limit?.limit ?? null,
      forward_passes: policy.origin.forwardPasses,
      stopping_mode: config.training.stoppingMode === "any" ? "any" : "all",
      policy_mode: config.policy.mode,
      compat: config.compat ?? null,
    },
    problem_dimensions: {
      num_stages: study.time.stages.length,
      num_hydros: study.system.hydros.length,
      num_thermals: study.system.thermals.length,
      num_buses: study.system.buses.length,
      num_lines: study.system.lines.length,
      state_dimension: policy.points.dimension,
    },
    iterations: {
      completed: policy.iteration,
      converged_at: hasConverged ? policy.iteration : null,
    },
    convergence: {
      achieved: hasConverged,
      lower_bound: lowerBound,
      lower_bound_caveats: policy.boundCaveats,
      upper_bound: upperBound(last),
      final_gap_percent: (last && gapPercent(last, hasGap)) ?? null,
      termination_reason: termination,
    },
    row_pool: {
      total_generated: cuts,
      total_active: cuts,
      peak_active: history.reduce((peak, { cutsActive }) => Math.max(peak, cutsActive), cuts),
    },
    hashes: hashPolicy(policy),
  };
}

/**
 * The forward mean of the last iteration: a sample, not a bound, unless it is that of all paths. A single forward pass gives no confidence interval.
 */
function upperBound(last: IterationRecord | undefined): object | null {
  if (last === undefined) return null;
  const { upperBoundMean: mean, upperBoundStd: std, forwardPasses: paths } = last;
  if (last.isExact) return { kind: "exact", mean, std, ci95: null, paths };
  return { mean, std, ci95: paths > 1 ? (1.96 * std) / Math.sqrt(paths) : null, paths };
}

/** `simulation/metadata.json` */
export function simulationMetadata(
  context: RunContext,
  { statistics, hash, probabilities }: SimulationResult,
  startedAt: Date,
): object {
  const { mean, std, ci95, count } = statistics;
  return {
    case: { name: context.source.name },
    ...runMetadata(context, startedAt),
    status: "completed",
    // As the upper bound of a training along every path.
    ...(probabilities && { kind: "exact" }),
    mean,
    std,
    ci95: ci95 ?? null,
    scenarios: count,
    hash,
  };
}

/** Versions, machine and times; none of these count as results. */
function runMetadata(
  { version, command, solver, backend, ranks, machines }: RunContext,
  startedAt: Date,
): object {
  const completedAt = new Date();
  return {
    command: command ?? null,
    cobre_version: version,
    node_version: process.version,
    platform: `${process.platform} ${process.arch}`,
    hostname: hostname(),
    solver: solver.name,
    solver_version: solver.version,
    solver_fingerprint: solver.fingerprint,
    solver_library: solver.library ?? null,
    started_at: startedAt.toISOString(),
    completed_at: completedAt.toISOString(),
    duration_seconds: (completedAt.getTime() - startedAt.getTime()) / 1000,
    distribution: {
      backend,
      world_size: ranks,
      ranks_participated: ranks,
      num_nodes: machines.length,
      machines,
      threads_per_rank: 1,
    },
  };
}
