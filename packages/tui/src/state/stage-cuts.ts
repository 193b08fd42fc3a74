import { COST_SCALE, type Policy } from "@cobre/sddp";

/** Names for what a policy knows by number. */
export interface Names {
  /** By the id of the plant. */
  readonly hydros: ReadonlyMap<number, string>;
  /** By the index of the stage: `3 (2026-04-01)`. */
  readonly stages: readonly string[];
  /** By the id of the plant and the index of the stage: its storage limits, in hm³, if they are known. */
  readonly limits?: (hydroId: number, stage: number) => StorageLimits | undefined;
}

export interface StorageLimits {
  readonly min: number;
  readonly max: number;
}

export const NO_NAMES: Names = { hydros: new Map(), stages: [] };

/** How the cost of the later stages changes with a component of the state. */
export interface Slope {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export interface Cut {
  /** 0 for a cut from before training. */
  readonly iteration: number;
  readonly pass: number;
  /** In $. */
  readonly intercept: number;
  /** The largest slopes by storage, the largest first: what water is worth. */
  readonly slopes: readonly Slope[];
  /** The largest slope by anything else, such as an inflow of before. It has another unit, so it is not compared with the others. */
  readonly other: Slope | undefined;
  /** At how many of the visited states this cut is the highest; `undefined` if the states are not known. */
  readonly highestAt: number | undefined;
}

/** The cuts of a stage. */
export interface StageCuts {
  readonly stage: number;
  readonly label: string;
  /** The iteration after which the policy was written. */
  readonly iteration: number;
  /** Those that are highest somewhere first, then the newest. */
  readonly cuts: readonly Cut[];
  /** The number of visited states: one for each forward pass of the last iteration. */
  readonly passes: number;
  /** Sentences about reservoirs at their limits in these states. */
  readonly atLimits: readonly string[];
}

const LARGEST_SLOPES = 2;
/** The unit of slopes by storage. */
const BY_STORAGE = "$/hm³";
/** How near to a limit counts as being at it, as a part of the range. */
const NEAR = 1e-6;

/** Reads the cuts of a stage from a policy. */
export function stageCuts(policy: Policy, stage: number, names: Names): StageCuts {
  // Where stages have several nodes, each node has cuts of its own.
  const pool = policy.origin.nodes === undefined ? policy.pools[stage] : undefined;
  const label = names.stages[stage] ?? String(policy.origin.stageIds[stage] ?? stage);
  const states = visitedStates(policy, stage);
  const common = { stage, label, iteration: policy.iteration, passes: states.length };
  const atLimits = reservoirsAtLimits(policy, stage, states, names);
  if (pool === undefined) return { ...common, cuts: [], atLimits };
  const wins = new Map<number, number>();
  for (const state of states) {
    let best = Number.NEGATIVE_INFINITY;
    let winner = -1;
    for (let slot = 0; slot < pool.count; slot++) {
      let value = pool.intercept(slot);
      for (let i = 0; i < pool.dimension; i++)
        value += pool.coefficient(slot, i) * (state[i] as number);
      if (value > best) [best, winner] = [value, slot];
    }
    if (winner >= 0) wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  const components = componentsOf(policy, names, pool.dimension);
  const cuts = Array.from({ length: pool.count }, (_, slot): Cut => {
    const slopes = components
      .map(({ name, unit }, i): Slope => {
        return { name, unit, value: pool.coefficient(slot, i) * COST_SCALE };
      })
      .filter(({ value }) => value !== 0)
      .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    return {
      iteration: pool.iteration(slot),
      pass: pool.forwardPass(slot),
      intercept: pool.intercept(slot) * COST_SCALE,
      slopes: slopes.filter(({ unit }) => unit === BY_STORAGE).slice(0, LARGEST_SLOPES),
      other: slopes.find(({ unit }) => unit !== BY_STORAGE),
      highestAt: states.length === 0 ? undefined : (wins.get(slot) ?? 0),
    };
  });
  cuts.reverse();
  cuts.sort((a, b) => (b.highestAt ?? 0) - (a.highestAt ?? 0));
  return { ...common, cuts, atLimits };
}

/** The states at the end of a stage that the last forward passes visited. None is stored for the last stage. */
function visitedStates({ points, iteration }: Policy, stage: number): Float64Array[] {
  const isStored = stage + 1 < points.stages || points.hasEnd;
  if (!isStored || iteration === 0) return [];
  return Array.from({ length: points.passes }, (_, pass) => {
    const start = points.stateOffset(pass, stage + 1);
    return points.values.subarray(start, start + points.dimension);
  });
}

/** The components of a state, as cuts have them: the storages, then the inflows of one stage ago, of two, … */
function componentsOf({ origin }: Policy, names: Names, dimension: number) {
  const { hydroIds, lags } = origin;
  const nameOf = (id: number | undefined) => names.hydros.get(id ?? -1) ?? `hydro ${id}`;
  return Array.from({ length: dimension }, (_, i) => {
    const ahead = componentAhead(origin.components?.[i], names);
    if (ahead !== undefined) return ahead;
    const lag = Math.floor(i / Math.max(1, hydroIds.length));
    const name = nameOf(hydroIds[i % Math.max(1, hydroIds.length)]);
    if (lag === 0) return { name, unit: BY_STORAGE };
    if (lag > lags) return { name: `state ${i}`, unit: "$ each" };
    return { name: `inflow ${name} -${lag}`, unit: "$/(m³/s)" };
  });
}

/** Water on its way and commitments, which belong to a later stage. */
function componentAhead(
  component: NonNullable<Policy["origin"]["components"]>[number] | undefined,
  names: Names,
) {
  if (component?.ahead === undefined) return undefined;
  const { family, entityType, entityId, ahead, unit } = component;
  const known = entityType === "hydro" ? names.hydros.get(entityId) : undefined;
  const name = known ?? `${entityType} ${entityId}`;
  const what = family === "in_transit" ? `water to ${name}` : `commitment ${name}`;
  return { name: `${what} +${ahead}`, unit: unit === "hm3" ? BY_STORAGE : `$/${unit}` };
}

function reservoirsAtLimits(
  { origin }: Policy,
  stage: number,
  states: readonly Float64Array[],
  { hydros, limits }: Names,
): string[] {
  return origin.hydroIds.flatMap((id, component) => {
    const of = limits?.(id, stage);
    if (of === undefined || states.length === 0 || !(of.max > of.min)) return [];
    const near = NEAR * (of.max - of.min);
    const count = (holds: (value: number) => boolean) =>
      states.filter((state) => holds(state[component] as number)).length;
    const empty = count((value) => value <= of.min + near);
    const full = count((value) => value >= of.max - near);
    const name = hydros.get(id) ?? `hydro ${id}`;
    const parts = [
      ...(empty > 0 ? [`at its minimum in ${empty} of ${states.length}`] : []),
      ...(full > 0 ? [`full in ${full} of ${states.length}`] : []),
    ];
    return parts.length === 0 ? [] : [`${name} ${parts.join(", ")}`];
  });
}
