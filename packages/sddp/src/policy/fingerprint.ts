import { createHash } from "node:crypto";
import type { LpSolver } from "@cobre/solver";
import { CutPool } from "../cuts/cut-pool.js";
import type { Model } from "../model.js";
import type { MultistageModel } from "../multistage-model.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { futureFingerprints } from "./fingerprint-futures.js";
import { hashArray, hashJson, hashLp } from "./hashing.js";
import type { Policy, PolicyOrigin } from "./policy.js";
import { graphSettings } from "./policy-nodes.js";

/** The origin that a policy trained on this model gets. */
export function originOf(
  model: MultistageModel,
  solver: LpSolver,
  problems: readonly StageProblem[],
  pools: readonly CutPool[],
  isRiskNeutral: boolean,
): PolicyOrigin {
  // Cuts of the last stage belong to the case, unless training makes them.
  const boundary = model.graph.isCyclic ? new CutPool(model.dimension) : pools[pools.length - 1];
  const { forwardPasses, treeSeed, isEnumerated = false } = model.config.training;
  return {
    ...model.fingerprints(problems, boundary),
    isRiskNeutral,
    solverFingerprint: solver.fingerprint,
    ...model.states,
    forwardPasses,
    ...(isEnumerated && { isEnumerated }),
    seed: treeSeed,
    floors: problems.map(({ lp }) => lp.data.columnLower[lp.theta]),
  };
}

/** The fingerprints of a hydrothermal case. */
export function caseFingerprints(
  model: Model,
  problems: readonly StageProblem[],
  boundary: CutPool,
): ReturnType<MultistageModel["fingerprints"]> {
  const { config, study, tree } = model;
  const hash = createHash("sha256");
  const { forwardPasses, treeSeed, cutSelection } = config.training;
  hashJson(hash, {
    forwardPasses,
    treeSeed: Math.abs(treeSeed),
    compat: config.compat ?? null,
    nonNegativity: config.inflowNonNegativity.method,
    attempts: config.training.retryMaxAttempts,
    // Left out where there is none, so that policies from before there was a selection can be resumed.
    ...(cutSelection && { cutSelection }),
    hydros: study.system.hydros.map(({ id }) => id),
    stages: study.time.stages.map(({ id, openings, riskMeasure }) => [id, openings, riskMeasure]),
    ...graphSettings(model),
  });
  for (const { lp } of problems) hashLp(hash, lp.data);
  const { inflow, load, initialState } = model;
  for (const array of [tree.values, inflow.values, load.values, initialState])
    hashArray(hash, array);
  for (const factors of study.loadFactors) hashArray(hash, factors);
  if (study.system.nonControllables.length > 0) {
    hashArray(hash, model.availability.values);
    for (const factors of study.nonControllableFactors) hashArray(hash, factors);
  }
  hashArray(hash, study.time.cumulativeDiscount);
  return {
    caseFingerprint: hash.digest("hex"),
    futureFingerprints: futureFingerprints(model, problems, boundary),
  };
}

/** Hashes of values, never of files. They do not depend on the number of ranks, the backend or the time. */
export interface PolicyHashes {
  /** Iterations with their bounds and statistics. */
  readonly convergence: string;
  /** Every cut of every stage. */
  readonly cuts: string;
  /** The cuts, and the trial points and bases from which training would continue. */
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
  for (const pool of pools) {
    const flags = pool.packedFlags();
    if (flags !== undefined) hashArray(policy, flags);
  }
  return {
    convergence: convergence.digest("hex"),
    cuts: cutsDigest,
    policy: policy.digest("hex"),
  };
}
