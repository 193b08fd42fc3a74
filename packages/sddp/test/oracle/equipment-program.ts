/** The part of the whole tree's program that belongs to equipment. */
import { type SmallConstraint, sourceIn } from "./equipment.js";
import type { Terms } from "./program.js";
import { existsIn, isIn, type SmallSystem } from "./system.js";
import type { TreeNode } from "./tree.js";

/** What a variable of a constraint is in a node: columns, and a number. */
export interface Quantity {
  readonly terms: Terms;
  readonly constant?: number;
}

/** What a node offers to those who add to it. */
export interface NodeProgram {
  /** A column that costs this much per hour, between two limits. */
  paid(price: number, hours: number, lower: number, upper: number): number;
  /** What a bus gets in a block. */
  feed(bus: number, block: number, column: number, share: number): void;
  /** What leaves a reservoir in a block, in hm³ per unit of a column. */
  drain(hydro: number, block: number, column: number, volume: number): void;
  /** A row of its own. */
  row(terms: Terms, lower: number, upper: number): void;
  /** What constraints can name: by variable, id and block. */
  readonly quantities: Quantities;
}

/** What the variables of constraints are, as the node is put together. Without a block: the same in all blocks. */
export class Quantities {
  private readonly known = new Map<string, Quantity>();

  note(variable: string, id: number, block: number | null, terms: Terms, constant = 0): void {
    const key = `${variable} ${id} ${block}`;
    this.known.set(key, { terms: [...(this.known.get(key)?.terms ?? []), ...terms], constant });
  }

  /** Nothing where the node has no such thing, such as the diversion of a plant without one. */
  of(variable: string, id: number, block: number): Quantity {
    const found =
      this.known.get(`${variable} ${id} ${block}`) ?? this.known.get(`${variable} ${id} null`);
    return found ?? { terms: [] };
  }
}

export function addEquipment(system: SmallSystem, node: TreeNode, program: NodeProgram): void {
  addSources(system, node, program);
  if (system.compat) return;
  const { id: stage, hours } = system.stages[node.stage];
  for (const { bus, from, to, consumption, stages, ...pump } of system.equipment.pumps) {
    const limits = { ...pump, ...stages[node.stage] };
    const plants = system.hydros.filter(({ id }) => id === from || id === to);
    const canPump = plants.every((plant) => existsIn(system, plant, node.stage));
    const [least, most] = isIn(pump, stage) && canPump ? [limits.min, limits.max] : [0, 0];
    hours.forEach((duration, k) => {
      const pumped = program.paid(0, duration, least, most);
      const volume = VOLUME_PER_HOUR * duration;
      program.drain(from, k, pumped, volume);
      program.drain(to, k, pumped, -volume);
      program.feed(bus, k, pumped, -consumption);
      program.quantities.note("pumping_flow", pump.id, k, [[pumped, 1]]);
      program.quantities.note("pumping_power", pump.id, k, [[pumped, consumption]]);
    });
  }
  for (const { bus, isImport, stages, ...contract } of system.equipment.contracts) {
    const { min, max, price } = { ...contract, ...stages[node.stage] };
    const [least, most] = isIn(contract, stage) ? [min, max] : [0, 0];
    hours.forEach((duration, k) => {
      const traded = program.paid(price, duration, least, most);
      program.feed(bus, k, traded, isImport ? 1 : -1);
      const variable = isImport ? "contract_import" : "contract_export";
      program.quantities.note(variable, contract.id, k, [[traded, 1]]);
    });
  }
}

/** The volume of one m³/s in an hour, in hm³. */
const VOLUME_PER_HOUR = 0.0036;

function addSources(system: SmallSystem, node: TreeNode, program: NodeProgram): void {
  const { hours } = system.stages[node.stage];
  for (const source of system.equipment.sources) {
    const { available, cost } = sourceIn(system, source, node.stage, node.opening);
    hours.forEach((duration, k) => {
      // What is used earns what curtailment costs: the constant cost · available is left out of all costs.
      const least = source.curtails ? 0 : available[k];
      const used = program.paid(-cost, duration, least, available[k]);
      program.feed(source.bus, k, used, 1);
      const { quantities } = program;
      quantities.note("non_controllable_generation", source.id, k, [[used, 1]]);
      quantities.note("non_controllable_curtailment", source.id, k, [[used, -1]], available[k]);
    });
  }
}

/** The rows of constraints. All columns of the node must be there. */
export function addConstraints(system: SmallSystem, node: TreeNode, program: NodeProgram): void {
  const { hours } = system.stages[node.stage];
  for (const constraint of system.equipment.constraints) {
    for (const { stage, block, bound } of constraint.bounds) {
      if (stage !== node.stage) continue;
      hours.forEach((duration, k) => {
        if (block === null || block === k) addRow(constraint, bound, k, duration, program);
      });
    }
  }
}

function addRow(
  { sense, penalty, terms }: SmallConstraint,
  bound: number,
  k: number,
  hours: number,
  program: NodeProgram,
): void {
  const sum = new Map<number, number>();
  let constant = 0;
  for (const { coefficient, variable, id, block } of terms) {
    const quantity = program.quantities.of(variable, id, block ?? k);
    constant += coefficient * (quantity.constant ?? 0);
    for (const [column, factor] of quantity.terms) {
      sum.set(column, (sum.get(column) ?? 0) + coefficient * factor);
    }
  }
  const slack = () => program.paid(penalty ?? 0, hours, 0, Number.POSITIVE_INFINITY);
  if (penalty !== null && sense !== "<=") sum.set(slack(), 1);
  if (penalty !== null && sense !== ">=") sum.set(slack(), -1);
  const right = bound - constant;
  program.row(
    [...sum],
    sense === "<=" ? Number.NEGATIVE_INFINITY : right,
    sense === ">=" ? Number.POSITIVE_INFINITY : right,
  );
}
