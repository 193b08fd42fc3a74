import { BOUND_TYPE, ENTITY_TYPE } from "@cobre/io";
import { COST_SCALE, type CutPool, type Policy } from "@cobre/sddp";
import type { Entity, StageEntry } from "../results/dictionaries.js";
import type { Run } from "../results/run.js";
import { ifWritten } from "../results/run-error.js";

/** The value functions of a policy: what the stages after a stage are expected to cost, as its cuts tell. */
export interface ValueReport {
  /** The stages that have cuts. */
  readonly stages: readonly StageEntry[];
  /** The reservoirs that can store water, the largest first. */
  readonly reservoirs: readonly Entity[];
  /** `[reservoir][stage]` */
  readonly functions: readonly (readonly ValueFunction[])[];
}

/**
 * A value function along one reservoir. The other components of the state stay at the mean of the states that the last forward passes
 * visited. It is the highest of its cuts, each a line by the storage at the end of the stage.
 */
export interface ValueFunction {
  /** The storage of the reservoir, in hm³. */
  readonly min: number;
  readonly max: number;
  /** The mean of the states that the last forward passes visited. */
  readonly visited: number;
  /** How many cuts the stage has. */
  readonly cuts: number;
  /** Of the cuts that are highest somewhere, by storage: the cost at storage 0, in $, and its slope, in $/hm³. */
  readonly intercepts: Float64Array;
  readonly slopes: Float64Array;
  /** Up to which storage each of them is highest; the last one up to `max`. */
  readonly ends: Float64Array;
}

export async function readValues(run: Run): Promise<ValueReport | undefined> {
  const entities = await ifWritten(run.entities());
  const entries = await ifWritten(run.stages());
  const limits = await storageLimits(run);
  if (entities === undefined || entries === undefined || limits === undefined) return undefined;
  const policy = await run.policy();
  const { hydroIds, nodes } = policy.origin;
  // Each node has a value function of its own, and a stage has none.
  if (nodes !== undefined) return undefined;
  const reservoirs = hydroIds
    .flatMap((id, component) => {
      const entity = entities.hydros.find((one) => one.id === id);
      const { min = Number.NaN, max = Number.NaN } = limits.get(id) ?? {};
      return entity !== undefined && max > min ? [{ entity, component, min, max }] : [];
    })
    .sort((a, b) => b.max - a.max);
  const indices = policy.pools.flatMap(({ count }, stage) => (count > 0 ? [stage] : []));
  const stages = indices.flatMap((stage) => entries[stage] ?? []);
  if (stages.length !== indices.length || stages.length === 0) return undefined;
  const states = indices.map((stage) => visitedState(policy, stage));
  return {
    stages,
    reservoirs: reservoirs.map(({ entity }) => entity),
    functions: reservoirs.map(({ component, min, max }) =>
      indices.map((stage, i) =>
        valueFunction(policy.pools[stage] as CutPool, states[i] as Float64Array, {
          component,
          min,
          max,
        }),
      ),
    ),
  };
}

/** The lowest minimum and the highest maximum of all stages, by plant. */
async function storageLimits(run: Run) {
  const columns = (await ifWritten(run.bounds()))?.columns;
  if (columns === undefined) return undefined;
  const { entity_type_code, bound_type_code, entity_id, bound_value } = columns;
  const limits = new Map<number, { min: number; max: number }>();
  bound_value.forEach((value, row) => {
    if (entity_type_code[row] !== ENTITY_TYPE.hydro) return;
    const id = entity_id[row] as number;
    const of = limits.get(id) ?? { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    if (bound_type_code[row] === BOUND_TYPE.storage_min) of.min = Math.min(of.min, value);
    if (bound_type_code[row] === BOUND_TYPE.storage_max) of.max = Math.max(of.max, value);
    limits.set(id, of);
  });
  return limits;
}

/** The mean state at the end of a stage. After the last stage it is the state at its start, because no other is stored. */
function visitedState({ points }: Policy, stage: number): Float64Array {
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

/** Where to look: a component of the state, from `min` to `max`. */
interface Along {
  readonly component: number;
  readonly min: number;
  readonly max: number;
}

/** The highest cuts along a component of the state. */
export function valueFunction(
  pool: CutPool,
  state: Float64Array,
  { component, min, max }: Along,
): ValueFunction {
  const lines = Array.from({ length: pool.count }, (_, slot) => {
    let intercept = pool.intercept(slot);
    for (let i = 0; i < pool.dimension; i++) {
      if (i !== component) intercept += pool.coefficient(slot, i) * (state[i] as number);
    }
    const slope = pool.coefficient(slot, component) * COST_SCALE;
    return { intercept: intercept * COST_SCALE, slope };
  });
  const { found, ends } = highest(lines, min, max);
  return {
    min,
    max,
    visited: Math.min(max, Math.max(min, state[component] as number)),
    cuts: pool.count,
    intercepts: Float64Array.from(found, ({ intercept }) => intercept),
    slopes: Float64Array.from(found, ({ slope }) => slope),
    ends: Float64Array.from(ends),
  };
}

interface Line {
  readonly intercept: number;
  readonly slope: number;
}

/** Walks from `min` to `max` along the highest line, and changes to the one that overtakes it first. */
function highest(lines: readonly Line[], min: number, max: number) {
  const at = ({ intercept, slope }: Line, x: number) => intercept + slope * x;
  const found: Line[] = [];
  const ends: number[] = [];
  let place = min;
  let current = lines.reduce((best, line) => {
    const difference = at(line, min) - at(best, min);
    return difference > 0 || (difference === 0 && line.slope > best.slope) ? line : best;
  });
  for (;;) {
    let next: Line | undefined;
    let end = max;
    for (const line of lines) {
      if (line.slope <= current.slope) continue;
      const meets = (current.intercept - line.intercept) / (line.slope - current.slope);
      const isSteeper = meets === end && next !== undefined && line.slope > next.slope;
      if (meets < end || isSteeper) {
        next = line;
        end = Math.max(place, meets);
      }
    }
    found.push(current);
    ends.push(end);
    if (next === undefined) return { found, ends };
    [current, place] = [next, end];
  }
}
