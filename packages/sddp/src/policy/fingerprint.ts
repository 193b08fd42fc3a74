import { createHash, type Hash } from "node:crypto";
import type { LpSolver } from "@cobre/solver";
import type { Model } from "../model.js";
import type { StageProblem } from "../stage/stage-problem.js";
import type { Policy, PolicyOrigin, PolicyStates } from "./policy.js";

/** What the cuts of a policy of this model speak of. */
export function statesOf({ study, lags }: Model): PolicyStates {
  return {
    hydroIds: study.system.hydros.map(({ id }) => id),
    lags,
    stageIds: study.time.stages.map(({ id }) => id),
  };
}

/** Says what a policy of this model is made for. */
export function originOf(
  model: Model,
  solver: LpSolver,
  problems: readonly StageProblem[],
): PolicyOrigin {
  const { config, study, tree } = model;
  const hash = createHash("sha256");
  const { forwardPasses, scenarioSource, treeSeed } = config.training;
  hashJson(hash, {
    forwardPasses,
    seed: scenarioSource.seed,
    treeSeed,
    compat: config.compat ?? null,
    nonNegativity: config.inflowNonNegativity,
    attempts: config.training.retryMaxAttempts,
    hydros: study.system.hydros.map(({ id }) => id),
    stages: study.time.stages.map(({ id, openings, riskMeasure }) => [id, openings, riskMeasure]),
  });
  for (const { lp } of problems) {
    const { cost, columnLower, columnUpper, rows } = lp.data;
    for (const array of [cost, columnLower, columnUpper, rows.lower, rows.upper, rows.values]) {
      hashArray(hash, array);
    }
    hashArray(hash, rows.indices);
    hashArray(hash, rows.starts);
  }
  const { inflow, load, initialState } = model;
  for (const array of [tree.values, inflow.values, load.values, initialState])
    hashArray(hash, array);
  for (const factors of study.loadFactors) hashArray(hash, factors);
  hashArray(hash, study.time.cumulativeDiscount);
  return {
    caseFingerprint: hash.digest("hex"),
    solverFingerprint: solver.fingerprint,
    ...statesOf(model),
    forwardPasses,
    seed: scenarioSource.seed,
  };
}

/** Hashes of values, never of files: they do not depend on ranks, backends or times. */
export interface PolicyHashes {
  /** Iterations with their bounds and statistics. */
  readonly convergence: string;
  /** Every cut of every stage. */
  readonly cuts: string;
  /** The cuts, and the bases from which training would go on. */
  readonly policy: string;
}

/**
 * The hashes of a policy.
 *
 * @example
 * ```ts
 * hashPolicy(onOneRank).cuts === hashPolicy(onFourRanks).cuts; // true
 * ```
 */
export function hashPolicy({ history, pools, points }: Policy): PolicyHashes {
  const convergence = createHash("sha256");
  for (const record of history) {
    const { iteration, lowerBound, upperBoundMean, upperBoundStd, cutsActive } = record;
    hashArray(
      convergence,
      Float64Array.of(iteration, lowerBound, upperBoundMean, upperBoundStd, cutsActive),
    );
  }
  const cuts = createHash("sha256");
  for (const pool of pools) {
    hashArray(cuts, pool.packedOrigins());
    hashArray(cuts, pool.packedValues());
  }
  const cutsDigest = cuts.digest("hex");
  const policy = createHash("sha256").update(cutsDigest);
  hashArray(policy, points.bases);
  hashArray(policy, points.values);
  return {
    convergence: convergence.digest("hex"),
    cuts: cutsDigest,
    policy: policy.digest("hex"),
  };
}

function hashArray(hash: Hash, array: Float64Array | Int32Array | Uint8Array): void {
  hash.update(String(array.length));
  hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

function hashJson(hash: Hash, value: unknown): void {
  hash.update(JSON.stringify(value));
}
