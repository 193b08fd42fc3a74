import { createHash, type Hash } from "node:crypto";
import type { CutPool } from "../cuts/cut-pool.js";
import type { Model } from "../model.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { hashArray, hashJson, hashLp } from "./hashing.js";
import type { PolicyOrigin } from "./policy.js";
import { graphNumbers } from "./policy-nodes.js";

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
  const { study, config, inflow, inflows, load, tree, hydros, lags, stages, graph } = model;
  const { method } = config.inflowNonNegativity;
  const buses = study.system.buses.length;
  const rules = { compat: config.compat ?? null, method };
  const behind = createHash("sha256");
  hashJson(behind, { hydros: study.system.hydros.map(({ id }) => id), lags });
  hashArray(behind, boundary.packedValues());
  // Where the graph differs, so may every future.
  if (!graph.isChain || graph.isCyclic) hashJson(behind, graphNumbers(graph));
  const futures = new Array<string>(stages);
  // What follows the last stage of a cycle is all of it.
  for (let stage = 0; stage < stages && graph.isCyclic; stage++) hashStage(behind, stage);
  futures[stages - 1] = behind.digest("hex");
  for (let stage = stages - 1; stage > 0; stage--) {
    const hash = createHash("sha256").update(futures[stage]);
    hashStage(hash, stage);
    futures[stage - 1] = hash.digest("hex");
  }
  return futures;

  function hashStage(hash: Hash, stage: number): void {
    // The measure of the stage before weighs the openings of this one.
    const before = (stage + stages - 1) % stages;
    hashJson(hash, { ...rules, risk: study.time.stages[before].riskMeasure });
    const nodes = graph.nodesOf(stage);
    hashLp(hash, problems[nodes[0]].lp.data);
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
    const noise = tree.offset(nodes[0], 0);
    const last = nodes[nodes.length - 1];
    hashArray(hash, tree.values.subarray(noise, tree.offset(last, tree.openings(last))));
  }
}

/**
 * The stages, counted from 0, whose cuts may lie above the cost of the later stages if a policy of `there` is used `here`.
 */
export function stagesWithOtherFutures(there: PolicyOrigin, here: PolicyOrigin): number[] {
  if (there.caseFingerprint === here.caseFingerprint) return [];
  const stages = here.stageIds.map((_, stage) => stage);
  if (!here.isCyclic) stages.pop();
  const [before, now] = [there.futureFingerprints, here.futureFingerprints];
  return stages.filter((stage) => before === undefined || before[stage] !== now?.[stage]);
}
