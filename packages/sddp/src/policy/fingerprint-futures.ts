import { createHash } from "node:crypto";
import type { CutPool } from "../cuts/cut-pool.js";
import type { Model } from "../model.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { hashArray, hashJson, hashLp } from "./hashing.js";
import type { PolicyOrigin } from "./policy.js";

/**
 * For each stage, a hash of everything that affects the expected or risk-adjusted cost of the later stages: their programs, inflow and
 * load models, openings and risk measures, and the terminal value. The hash of a stage contains that of the next one.
 *
 * The state from which a study starts, the data of the first stage, the seed of the forward passes and their number are in none of them. A policy keeps
 * its cuts when they change.
 */
export function futureFingerprints(
  model: Model,
  problems: readonly StageProblem[],
  boundary: CutPool,
): string[] {
  const { study, config, inflow, inflows, load, tree, hydros, lags, stages } = model;
  const { method } = config.inflowNonNegativity;
  const buses = study.system.buses.length;
  const rules = { compat: config.compat ?? null, method };
  const behind = createHash("sha256");
  hashJson(behind, { hydros: study.system.hydros.map(({ id }) => id), lags });
  hashArray(behind, boundary.packedValues());
  const futures = new Array<string>(stages);
  futures[stages - 1] = behind.digest("hex");
  for (let stage = stages - 1; stage > 0; stage--) {
    const hash = createHash("sha256").update(futures[stage]);
    // The measure of the stage before weighs the openings of this one.
    hashJson(hash, { ...rules, risk: study.time.stages[stage - 1].riskMeasure });
    hashLp(hash, problems[stage].lp.data);
    const at = stage * hydros;
    hashArray(hash, inflow.base.subarray(at, at + hydros));
    hashArray(hash, inflow.sigma.subarray(at, at + hydros));
    hashArray(hash, inflow.psi.subarray(at * lags, (at + hydros) * lags));
    for (let h = at; method !== "none" && h < at + hydros; h++) {
      // Where a negative inflow would be mended, cuts hold only for the past inflows that paths through the tree can bring.
      if (inflows.lowestUntruncated[h] >= 0) continue;
      hashArray(hash, Float64Array.of(h - at, inflows.lowestLagTerm[h], inflows.highestLagTerm[h]));
    }
    hashArray(hash, load.mean.subarray(stage * buses, (stage + 1) * buses));
    hashArray(hash, load.std.subarray(stage * buses, (stage + 1) * buses));
    hashArray(hash, model.noiseOfBus);
    hashArray(hash, study.loadFactors[stage]);
    const sources = study.system.nonControllables.length;
    if (sources > 0) {
      const ofStage = [stage * sources, (stage + 1) * sources] as const;
      hashArray(hash, model.availability.mean.subarray(...ofStage));
      hashArray(hash, model.availability.std.subarray(...ofStage));
      hashArray(hash, model.noiseOfNonControllable);
      hashArray(hash, study.nonControllableFactors[stage]);
    }
    const noise = tree.offset(stage, 0);
    const length = tree.openings(stage) * tree.dimension;
    hashArray(hash, tree.values.subarray(noise, noise + length));
    futures[stage - 1] = hash.digest("hex");
  }
  return futures;
}

/**
 * The stages, counted from 0, whose cuts may lie above the cost of the later stages if a policy of `there` is used `here`.
 */
export function stagesWithOtherFutures(there: PolicyOrigin, here: PolicyOrigin): number[] {
  if (there.caseFingerprint === here.caseFingerprint) return [];
  const stages = here.stageIds.map((_, stage) => stage).slice(0, -1);
  const [before, now] = [there.futureFingerprints, here.futureFingerprints];
  return stages.filter((stage) => before === undefined || before[stage] !== now?.[stage]);
}
