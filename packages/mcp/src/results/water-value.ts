import { COST_SCALE, type CutPool, type Policy } from "@cobre/sddp";
import type { Entities } from "@cobre/study";
import { Refusal } from "../refusal.js";

/** What water is worth at the end of a stage. */
export interface WaterValue {
  readonly stageId: number;
  /** The expected cost of all later stages, in $. */
  readonly futureCost: number;
  /** The state at which it was asked. */
  readonly reservoirs: readonly {
    readonly id: number;
    readonly name: string;
    readonly storage: number;
    readonly isGiven: boolean;
    /** $/hm³ that one more hm³ would save. */
    readonly value: number;
  }[];
  /** Which cut is highest there; `null` if it is the floor below all cuts. */
  readonly cut: { readonly slot: number; readonly iteration: number } | null;
  readonly cuts: number;
}

/** The index of a stage by its id, which is that of its cuts. */
export function stageIndex({ origin }: Policy, stageId: number): number {
  if (origin.nodes !== undefined) {
    throw new Refusal(
      "the stages of this policy have several nodes, each with cuts of its own",
      "Read the policy file with decodePolicy of @cobre/sddp, or ask for a run without policy_graph.nodes.",
    );
  }
  const index = origin.stageIds.indexOf(stageId);
  if (index >= 0) return index;
  const { stageIds } = origin;
  throw new Refusal(
    `there is no stage ${stageId}`,
    `The stages have the ids ${stageIds[0]} to ${stageIds.at(-1)}.`,
  );
}

/**
 * The value function of a stage at given storages: the highest of its cuts, and the slopes of that one. What is not given stays at the
 * mean of the states that the last forward passes visited.
 */
export function waterValue(
  policy: Policy,
  entities: Entities,
  stageId: number,
  storages: Readonly<Record<string, number>>,
): WaterValue {
  const stage = stageIndex(policy, stageId);
  const pool = policy.pools[stage] as CutPool;
  if (pool.count === 0) {
    throw new Refusal(
      `stage ${stageId} has no cuts: no cost comes after it`,
      "Ask for an earlier stage.",
    );
  }
  const { hydroIds } = policy.origin;
  const names = hydroIds.map(
    (id) => entities.hydros.find((one) => one.id === id)?.name ?? `hydro ${id}`,
  );
  const state = visitedState(policy, stage);
  const given = new Set<number>();
  for (const [key, storage] of Object.entries(storages)) {
    const component = componentOf(key, hydroIds, names);
    state[component] = storage;
    given.add(component);
  }
  const { height, slot } = highest(pool, state, policy.origin.floors?.[stage]);
  return {
    stageId,
    futureCost: height * COST_SCALE,
    reservoirs: hydroIds.map((id, component) => ({
      id,
      name: names[component] as string,
      storage: state[component] as number,
      isGiven: given.has(component),
      value: slot === null ? 0 : 0 - pool.coefficient(slot, component) * COST_SCALE,
    })),
    cut: slot === null ? null : { slot, iteration: pool.iteration(slot) },
    cuts: pool.count,
  };
}

function componentOf(key: string, ids: readonly number[], names: readonly string[]): number {
  const byId = /^\d+$/.test(key) ? ids.indexOf(Number(key)) : -1;
  const component = byId >= 0 ? byId : names.indexOf(key);
  if (component >= 0) return component;
  const known = names.map((name, i) => `${name} (${ids[i]})`).slice(0, 20);
  throw new Refusal(`there is no hydro plant ${key}`, `The plants are ${known.join(", ")}.`);
}

function highest(pool: CutPool, state: Float64Array, floor = Number.NEGATIVE_INFINITY) {
  let height = floor;
  let slot: number | null = null;
  for (let cut = 0; cut < pool.count; cut++) {
    let at = pool.intercept(cut);
    for (let i = 0; i < pool.dimension; i++) at += pool.coefficient(cut, i) * (state[i] as number);
    if (at > height) [height, slot] = [at, cut];
  }
  return { height, slot };
}

/** The mean state at the end of a stage. After the last stage it is the state at its start, because no other is stored. */
export function visitedState({ points }: Policy, stage: number): Float64Array {
  const next = Math.min(stage + 1, points.places - (points.hasEnd ? 0 : 1));
  const mean = new Float64Array(points.dimension);
  for (let pass = 0; pass < points.passes; pass++) {
    const start = points.stateOffset(pass, next);
    for (let i = 0; i < mean.length; i++) {
      (mean[i] as number) += (points.values[start + i] as number) / points.passes;
    }
  }
  return mean;
}
