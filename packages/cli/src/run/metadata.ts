import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Communicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  gapPercent,
  hashPolicy,
  type IterationRecord,
  type SimulationResult,
  type TrainingResult,
} from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";

/** What the metadata of a run says about who ran it. */
export interface RunContext {
  readonly source: Case;
  readonly solver: LpSolver;
  readonly ranks: number;
  readonly backend: string;
  /** How many machines the ranks are on. */
  readonly nodes: number;
  readonly version: string;
}

/** Collective: how many machines the ranks are on, by their names. */
export function countNodes(comm: Communicator): number {
  const digest = createHash("sha256").update(hostname()).digest();
  const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
  const all = new Float64Array(comm.size);
  comm.allgatherv(
    Float64Array.of(digest.readUIntBE(0, 6)),
    all,
    ranks.map(() => 1),
    ranks,
  );
  return new Set(all).size;
}

/** `training/metadata.json` */
export function trainingMetadata(
  context: RunContext,
  result: TrainingResult,
  startedAt: Date,
): object {
  const { config, study } = context.source;
  const { policy, termination, lowerBound } = result;
  const { history } = policy;
  const last = history.at(-1);
  const limit = config.training.stoppingRules.find(({ type }) => type === "iteration_limit");
  const hasConverged = termination === "bound_stalling" || termination === "simulation";
  const cuts = policy.pools.reduce((sum, { count }) => sum + count, 0);
  return {
    ...runMetadata(context, startedAt),
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
      upper_bound: upperBound(last),
      final_gap_percent: last === undefined ? null : (gapPercent(last) ?? null),
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

/** What the last forward passes say; one path says nothing about the spread. */
function upperBound(last: IterationRecord | undefined): object | null {
  if (last === undefined) return null;
  const { upperBoundMean: mean, upperBoundStd: std, forwardPasses: paths } = last;
  return { mean, std, ci95: paths > 1 ? (1.96 * std) / Math.sqrt(paths) : null, paths };
}

/** `simulation/metadata.json` */
export function simulationMetadata(
  context: RunContext,
  { statistics, hash }: SimulationResult,
  startedAt: Date,
): object {
  const { mean, std, ci95, count } = statistics;
  return {
    ...runMetadata(context, startedAt),
    status: "completed",
    mean,
    std,
    ci95: ci95 ?? null,
    scenarios: count,
    hash,
  };
}

/** Who ran it, where and how long: nothing of it is a result. */
function runMetadata(
  { version, solver, backend, ranks, nodes }: RunContext,
  startedAt: Date,
): object {
  const completedAt = new Date();
  return {
    cobre_version: version,
    hostname: hostname(),
    solver: solver.name,
    solver_version: solver.version,
    solver_fingerprint: solver.fingerprint,
    started_at: startedAt.toISOString(),
    completed_at: completedAt.toISOString(),
    duration_seconds: (completedAt.getTime() - startedAt.getTime()) / 1000,
    distribution: {
      backend,
      world_size: ranks,
      ranks_participated: ranks,
      num_nodes: nodes,
      threads_per_rank: 1,
    },
  };
}
