import { StochasticError, type StochasticErrorPlace } from "../errors.js";
import type { NoiseLayout } from "../noise-layout.js";
import type { OpeningTree } from "./opening-tree.js";

/** The columns of `scenarios/noise_openings.parquet`, one entry per row. */
export interface GivenOpenings {
  readonly stageId: ArrayLike<number>;
  readonly opening: ArrayLike<number>;
  /** The index in the noise vector: hydro plants by id, then buses with uncertain load by id. */
  readonly entity: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

/**
 * Replaces sampled noise by given values, which are used as they are, without correlation. They must cover the
 * inflow and load noise of every opening, each value once. Noise of sources may stay sampled.
 */
export function useGivenOpenings(
  tree: OpeningTree,
  layout: NoiseLayout,
  given: GivenOpenings,
): void {
  const stageIndex = new Map(tree.stages.map(({ id }, index) => [id, index]));
  const seen = new Uint8Array(tree.values.length);
  for (let row = 0; row < given.value.length; row++) {
    const stageId = given.stageId[row] as number;
    const opening = given.opening[row] as number;
    const entity = given.entity[row] as number;
    const value = given.value[row] as number;
    const stage = stageIndex.get(stageId);
    const where = `row ${row + 1}`;
    const at = (field: string) => ({ entity: where, field });
    if (stage === undefined)
      throw invalid(`${where}: stage ${stageId} does not exist; correct stage_id`, at("stage_id"));
    if (!isIndex(opening, tree.openings(stage))) {
      throw invalid(
        `${where}: opening_index is ${opening}; stage ${stageId} has openings 0 to ${tree.openings(stage) - 1} (num_scenarios)`,
        at("opening_index"),
      );
    }
    if (!isIndex(entity, tree.dimension)) {
      throw invalid(
        `${where}: entity_index is ${entity}; it must be from 0 to ${tree.dimension - 1}`,
        at("entity_index"),
      );
    }
    if (!Number.isFinite(value))
      throw invalid(`${where}: value is ${value}; it must be finite`, at("value"));
    const position = tree.offset(stage, opening) + entity;
    if (seen[position] === 1) {
      throw invalid(
        `${where}: stage ${stageId}, opening ${opening}, entity ${entity} was given before; remove one of the rows`,
        at("entity_index"),
      );
    }
    seen[position] = 1;
    tree.values[position] = value;
  }
  checkCoverage(tree, layout, seen);
}

function checkCoverage(tree: OpeningTree, layout: NoiseLayout, seen: Uint8Array): void {
  const required = layout.inflow.length + layout.load.length;
  let missing = 0;
  let first = "";
  tree.stages.forEach(({ id, openings }, stage) => {
    for (let opening = 0; opening < openings; opening++) {
      for (let entity = 0; entity < required; entity++) {
        if (seen[tree.offset(stage, opening) + entity] === 1) continue;
        missing++;
        first ||= `stage ${id}, opening ${opening}, entity ${entity}`;
      }
    }
  });
  if (missing > 0) {
    throw invalid(
      `${missing} values are missing, the first one for ${first}; every stage needs num_scenarios × ${required} values`,
    );
  }
}

function isIndex(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count;
}

function invalid(reason: string, place?: StochasticErrorPlace): StochasticError {
  return new StochasticError("InvalidOpenings", `noise_openings: ${reason}`, place);
}
