import { CutPool } from "../cuts/cut-pool.js";
import { refuse } from "./compatibility.js";
import type { Policy, PolicyStates } from "./policy.js";

/** What another policy says of the time behind the last stage. */
export interface Boundary {
  readonly policy: Policy;
  /** The stage of that policy, counted from 0, at whose end the last stage of this case ends. */
  readonly sourceStage: number;
}

/** The cuts of the last stage: they were there before training. Throws unless they speak of the states of this case. */
export function boundaryPool({ policy, sourceStage }: Boundary, here: PolicyStates): CutPool {
  const { hydroIds, lags, stageIds } = policy.origin;
  if (hydroIds.join() !== here.hydroIds.join() || lags !== here.lags) {
    throw refuse(
      `its states are hydros ${hydroIds.join(", ")} with ${lags} lags of inflow, here they are hydros ${here.hydroIds.join(", ")} with ${here.lags}; give policy.boundary.path the policy of a case with the same hydros and lags`,
    );
  }
  const pool = policy.pools[sourceStage];
  if (pool === undefined || pool.count === 0) {
    throw refuse(
      `policy.boundary.source_stage is ${sourceStage}, and its stages with cuts are 0 to ${stageIds.length - 2}; name one of them`,
    );
  }
  const values = pool.packedValues();
  return CutPool.from(pool.dimension, values, new Int32Array(pool.count * 2));
}
