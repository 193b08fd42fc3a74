import { CutPool } from "../cuts/cut-pool.js";
import { refuse } from "./compatibility.js";
import type { Policy, PolicyStates } from "./policy.js";
import { describeOthers } from "./state-components.js";

/** Terminal values of the last stage, taken from another policy. */
export interface Boundary {
  readonly policy: Policy;
  /** The stage of that policy, counted from 0, that ends when the last stage of this case ends. */
  readonly sourceStage: number;
}

/** The cuts of the last stage, marked as made before training. Throws if their states are not the states of this case. */
export function boundaryPool({ policy, sourceStage }: Boundary, here: PolicyStates): CutPool {
  const { hydroIds, lags, stateNames, stageIds } = policy.origin;
  if (stateNames?.join() !== here.stateNames?.join()) {
    const list = (names: readonly string[] | undefined) => names?.join(", ") ?? "those of a case";
    throw refuse(
      `its states are ${list(stateNames)}, but here they are ${list(here.stateNames)}; use the policy of a model with the same states`,
    );
  }
  if (hydroIds.join() !== here.hydroIds.join() || lags !== here.lags) {
    throw refuse(
      `its states are hydros ${hydroIds.join(", ")} with ${lags} lags of inflow, but this case has hydros ${here.hydroIds.join(", ")} with ${here.lags}; set policy.boundary.path to the policy of a case with the same hydros and lags`,
    );
  }
  const [there, now] = [policy.origin, here].map(({ components }) => describeOthers(components));
  if (there !== now) {
    throw refuse(
      `its other states are ${there}, but those of this case ${now}; set policy.boundary.path to the policy of a case in which the same water travels as long, and the same plants are committed as far ahead`,
    );
  }
  const pool = policy.pools[sourceStage];
  if (pool === undefined || pool.count === 0) {
    throw refuse(
      `it has no cuts for stage ${sourceStage}, which policy.boundary.source_stage names; choose a stage from 0 to ${stageIds.length - 2}`,
    );
  }
  const boundary = CutPool.from(
    pool.dimension,
    pool.packedValues(),
    new Int32Array(pool.count * 2),
  );
  // There the future cost was bounded by a floor as well; here it is one more cut.
  const floor = policy.origin.floors?.[sourceStage];
  if (floor !== undefined && Number.isFinite(floor))
    boundary.add(0, 0, floor, new Float64Array(pool.dimension));
  return boundary;
}
