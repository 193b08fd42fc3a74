import type { OverrideRow } from "../overrides.js";
import type { StageTables } from "../stage-table.js";
import type { Stage } from "../time/stages.js";
import type { DirectionalPenalties, HydroPenalties } from "./entities.js";

type Field = keyof HydroPenalties | keyof DirectionalPenalties;

/** The penalties that may differ by direction, and the one that sets both directions. */
const DIRECTIONS: readonly [keyof DirectionalPenalties, keyof HydroPenalties][] = [
  ["evaporationViolationPosCost", "evaporationViolationCost"],
  ["evaporationViolationNegCost", "evaporationViolationCost"],
  ["waterWithdrawalViolationPosCost", "waterWithdrawalViolationCost"],
  ["waterWithdrawalViolationNegCost", "waterWithdrawalViolationCost"],
];

/** The same values; a cost of both directions is that of each one which has none of its own. */
export function withDirections<V extends Partial<Readonly<Record<Field, number | undefined>>>>(
  values: V,
): V & Partial<DirectionalPenalties> {
  const spread: Partial<Record<Field, number | undefined>> = { ...values };
  for (const [direction, both] of DIRECTIONS) spread[direction] ??= values[both];
  return spread as V & Partial<DirectionalPenalties>;
}

/** Whether the field only repeats the cost of both directions, which is checked itself. */
export function isRepeated(field: string, values: Readonly<Record<string, number>>): boolean {
  const found = DIRECTIONS.find(([direction]) => direction === field);
  return found !== undefined && values[field] === values[found[1]];
}

/** Lets a row's cost of both directions hold for each direction of which the row says nothing. */
export function spreadRows(
  tables: StageTables<Field>,
  rows: readonly OverrideRow<Field>[],
  plants: readonly { readonly id: number }[],
  stages: readonly Stage[],
): void {
  for (const { id, stageId, values } of rows) {
    const [stage, plant] = [
      stages.findIndex((candidate) => candidate.id === stageId),
      plants.findIndex((candidate) => candidate.id === id),
    ];
    if (stage < 0 || plant < 0) continue;
    for (const [direction, both] of DIRECTIONS) {
      const value = values[direction] ?? values[both];
      if (value !== undefined) tables[direction].set(stage, plant, value);
    }
  }
}
