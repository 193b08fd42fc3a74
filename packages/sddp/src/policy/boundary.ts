import { CutPool } from "../cuts/cut-pool.js";
import { refuse } from "./compatibility.js";
import type { Policy, PolicyStates } from "./policy.js";
import { describeOthers } from "./state-components.js";

/** Terminal values of the last stage, taken from another policy. */
export interface Boundary {
  readonly policy: Policy;
  /**
   * The stage of that policy, counted from 0, that ends when the last stage of this case ends. Without it, the stage that ends on the same date is
   * taken.
   */
  readonly sourceStage?: number | undefined;
}

/** The cuts of the last stage, marked as made before training. Throws if their states are not the states of this case. */
export function boundaryPool({ policy, sourceStage }: Boundary, here: PolicyStates): CutPool {
  const { hydroIds, lags, stateNames } = policy.origin;
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
  const stage = sourceStage ?? stageByDate(policy, here);
  const index = poolOfStage(policy, stage);
  const pool = policy.pools[index];
  if (pool === undefined || pool.count === 0) {
    const named =
      sourceStage === undefined
        ? "which ends on that date"
        : "which policy.boundary.source_stage names";
    throw refuse(`it has no cuts for stage ${stage}, ${named}; choose ${stagesWithCuts(policy)}`);
  }
  const boundary = CutPool.from(
    pool.dimension,
    pool.packedValues(),
    new Int32Array(pool.count * 2),
  );
  // There the future cost was bounded by a floor as well; here it is one more cut.
  const floor = policy.origin.floors?.[index];
  if (floor !== undefined && Number.isFinite(floor))
    boundary.add(0, 0, floor, new Float64Array(pool.dimension));
  return boundary;
}

/** The stage whose cuts price the state at the end of this study. */
function stageByDate({ origin }: Policy, here: PolicyStates): number {
  const end = here.pricedAt?.at(-1);
  if (end === undefined) {
    throw refuse("this model has no dates by which a stage could be found; give sourceStage");
  }
  const { pricedAt } = origin;
  if (pricedAt === undefined) {
    throw refuse(
      "it is of an earlier version, or of Cobre 0.5, and does not say when its stages end; give policy.boundary.source_stage",
    );
  }
  const stage = pricedAt.indexOf(end);
  if (stage >= 0) return stage;
  throw refuse(
    `none of its stages ends on ${end}, when this study ends: its stages end on ${shortList(pricedAt)}; use a policy with a stage that does, or give policy.boundary.source_stage`,
  );
}

/** The cuts of a stage, if they are those of one node. */
function poolOfStage({ origin: { nodes } }: Policy, stage: number): number {
  if (nodes === undefined) return stage;
  const ofStage = nodes.flatMap((node, index) => (node.stage === stage ? [index] : []));
  if (ofStage.length <= 1) return ofStage[0] ?? -1;
  throw refuse(
    `its stage ${stage} has ${ofStage.length} nodes, each with cuts of its own; choose a stage with one node`,
  );
}

function stagesWithCuts({ pools, origin }: Policy): string {
  if (origin.nodes !== undefined) return "a stage that others follow";
  const last = pools.findLastIndex(({ count }) => count > 0);
  return last < 0 ? "another policy, for this one has no cuts at all" : `a stage from 0 to ${last}`;
}

function shortList(dates: readonly string[]): string {
  return dates.length <= 6
    ? dates.join(", ")
    : `${dates.slice(0, 3).join(", ")}, … ${dates.at(-1)}`;
}
