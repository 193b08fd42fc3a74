import type { Study } from "@cobre/core";
import type { Config } from "@cobre/io";
import {
  type InflowModel,
  type LoadModel,
  NON_NEGATIVITY,
  type NoiseLayout,
} from "@cobre/stochastic";
import type { MultistageModel } from "./multistage-model.js";
import type { ReachableInflows } from "./stage/reachable-inflows.js";

/** Costs in the LPs, cuts and policies of a case are in thousands of $. */
export const COST_SCALE = 1000;

/**
 * A case as the algorithm sees it. Its tables, models and opening tree lie in shared regions: one copy per machine on shm and mpi, one per
 * rank on tcp.
 *
 * The state that a stage passes to the next is [storage of each plant, then past inflows, lag by lag].
 */
export interface Model extends MultistageModel {
  readonly config: Config;
  readonly study: Study;
  readonly hydros: number;
  readonly lags: number;
  readonly inflow: InflowModel;
  readonly load: LoadModel;
  readonly noise: NoiseLayout;
  /** The index of each bus's load in a noise vector, or -1. */
  readonly noiseOfBus: Int32Array;
  /** The inflows that paths through the tree can bring. */
  readonly inflows: ReachableInflows;
}

/** Whether the LP has slack columns that raise negative inflows, at a penalty. */
export function hasInflowSlack(config: Config): boolean {
  return NON_NEGATIVITY[config.inflowNonNegativity.method].hasSlack;
}
