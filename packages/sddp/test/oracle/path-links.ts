/** What links the nodes of a path: water on its way, commitments, and what a $ is worth. */
import { decidingStage } from "./commitments.js";
import { type Terms, times } from "./program.js";
import type { SmallStage, SmallSystem, SmallThermal } from "./system.js";
import { arcsOf, shareInStage } from "./travel.js";
import type { TreeNode } from "./tree.js";

/** The volume of one m³/s in an hour, in hm³. */
export const VOLUME_PER_HOUR = 0.0036;
const DAYS_A_YEAR = 365.25;

/** What a node leaves to those after it. */
export interface NodeColumns {
  /** The columns of the final storages. */
  readonly storage: readonly number[];
  /** For each plant and block the terms of what is turbined and spilled. */
  readonly released: readonly (readonly Terms[])[];
  /** What thermal plants are committed to, by their id and the stage of the delivery. */
  readonly committed: ReadonlyMap<string, number>;
  readonly cost: Terms;
}

export type Made = Map<TreeNode, NodeColumns>;

/** The path to a node, itself included. */
export function pathTo(node: TreeNode): readonly TreeNode[] {
  return node.parent === null ? [node] : [...pathTo(node.parent), node];
}

/** What a plant was committed to on a path: a column, or a number from before the study. */
export function committedTo(
  system: SmallSystem,
  path: readonly TreeNode[],
  made: Made,
  thermal: SmallThermal,
  stage: number,
): { readonly terms: Terms; readonly known: number } {
  const at = decidingStage(system, thermal, stage);
  if (at < 0) return { terms: [], known: thermal.lead?.past[stage] ?? 0 };
  const column = made.get(path[at])?.committed.get(`${thermal.id} ${stage}`);
  return { terms: column === undefined ? [] : [[column, 1]], known: 0 };
}

/** The terms of what arrives at a plant in a stage from the nodes of a path, in hm³. */
export function arrivingFrom(
  system: SmallSystem,
  path: readonly TreeNode[],
  made: Made,
  plant: number,
  stage: number,
): Terms {
  const arcs = arcsOf(system).filter(({ to }) => to === plant);
  return path.flatMap((node) =>
    arcs.flatMap((arc) =>
      system.stages[node.stage].hours.flatMap((hours, k) => {
        const share = shareInStage(system, arc, node.stage, k, stage);
        return times(VOLUME_PER_HOUR * hours * share, made.get(node)?.released[arc.from][k] ?? []);
      }),
    ),
  );
}

/** (1 + r)^(-days / 365.25) */
export function discountOf({ annualRate }: SmallSystem, { rate, days }: SmallStage): number {
  return (1 + (rate ?? annualRate)) ** (-days / DAYS_A_YEAR);
}
