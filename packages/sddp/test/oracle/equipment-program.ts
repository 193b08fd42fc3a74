/** The part of the whole tree's program that belongs to equipment. */
import { sourceIn } from "./equipment.js";
import type { SmallSystem } from "./system.js";
import type { TreeNode } from "./tree.js";

/** What a node offers to those who add to it. */
export interface NodeProgram {
  /** A column that costs this much per hour, between two limits. */
  paid(price: number, hours: number, lower: number, upper: number): number;
  /** What a bus gets in a block. */
  feed(bus: number, block: number, column: number, share: number): void;
}

export function addEquipment(system: SmallSystem, node: TreeNode, program: NodeProgram): void {
  const { hours } = system.stages[node.stage];
  for (const source of system.equipment.sources) {
    const { available, cost } = sourceIn(system, source, node.stage, node.opening);
    hours.forEach((duration, k) => {
      // What is used earns what curtailment costs: the constant cost · available is left out of all costs.
      const least = source.curtails ? 0 : available[k];
      const used = program.paid(-cost, duration, least, available[k]);
      program.feed(source.bus, k, used, 1);
    });
  }
}
