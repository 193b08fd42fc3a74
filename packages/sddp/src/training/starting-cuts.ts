import type { CutMemory } from "../cuts/cut-memory.js";
import { CutPool } from "../cuts/cut-pool.js";
import type { MultistageModel } from "../multistage-model.js";
import { type Boundary, boundaryPool } from "../policy/boundary.js";
import { refuse } from "../policy/compatibility.js";
import { stagesWithOtherFutures } from "../policy/fingerprint-futures.js";
import type { BoundCaveat, Policy, PolicyOrigin } from "../policy/policy.js";

/** From what training starts; `resume` wins. */
export interface Start {
  readonly resume?: Policy | undefined;
  readonly warmStart?: Policy | undefined;
  readonly boundary?: Boundary | undefined;
}

/** Collective. The cuts to start with: all of a policy that is resumed; else those of a warm start, and the boundary cuts of the last stage. */
export function startingPools(
  model: MultistageModel,
  start: Start,
  memory: CutMemory,
): readonly CutPool[] {
  const { resume, warmStart, boundary } = start;
  if (resume !== undefined) return resume.pools.map((pool) => copied(pool, memory));
  const { dimension, graph } = model;
  if (boundary !== undefined && graph.isCyclic) {
    throw refuse("it is to give a value to the end of a cyclic horizon, which has none");
  }
  const last = boundary ? boundaryPool(boundary, model.states) : new CutPool(dimension);
  return graph.nodes.map(({ children }, node) => {
    if (children.length === 0) return last;
    const warm = warmStart?.pools[node];
    return warm ? copied(warm, memory, true) : new CutPool(dimension, memory);
  });
}

/**
 * The stages, counted from 0, whose cuts of a warm start were made for other data. They may lie above the cost of the later stages. Empty
 * if training starts cold.
 */
export function foreignStages({ resume, warmStart }: Start, here: PolicyOrigin): number[] {
  if (resume !== undefined || warmStart === undefined) return [];
  const stageOf = (node: number) => here.nodes?.[node].stage ?? node;
  return stagesWithOtherFutures(warmStart.origin, here).filter((stage) =>
    warmStart.pools.some((pool, node) => stageOf(node) === stage && pool.count > 0),
  );
}

/** What the bound of a training that starts like this has to be qualified with. */
export function startingCaveats(
  { resume, warmStart }: Start,
  foreign: readonly number[],
): readonly BoundCaveat[] {
  const inherited = (resume ?? warmStart)?.boundCaveats ?? [];
  const own: readonly BoundCaveat[] = foreign.length > 0 ? ["foreign_cuts"] : [];
  return [...new Set([...inherited, ...own])];
}

/** A copy, because training adds to it. `isOld` marks all cuts as made before the first iteration. */
function copied(pool: CutPool, memory: CutMemory, isOld = false): CutPool {
  const origins = pool.packedOrigins();
  if (isOld) origins.fill(0);
  // Whether a cut is needed depends on the states of the training that asks.
  const flags = isOld ? undefined : pool.packedFlags();
  return CutPool.from(pool.dimension, pool.packedValues(), origins, memory, flags);
}
