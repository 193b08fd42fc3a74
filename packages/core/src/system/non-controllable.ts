import { CASE_FILES } from "../case-files.js";
import { checkLifetime, type Lifetime } from "../lifetime.js";
import type { IssueCollector } from "../validation/issue.js";
import { checkBus, checkNotNegative, checkPositive } from "./check-entities.js";
import type { Ordered } from "./entities.js";

/** A source whose power nobody controls, such as wind and sun: what is available can be used or curtailed. */
export interface NonControllable extends Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly maxGenerationMw: number;
  readonly curtailmentCost: number;
  /** Whether less than what is available may be used. */
  readonly allowsCurtailment: boolean;
}

/** A source as the file gives it. */
export type NonControllableInput = Omit<NonControllable, "curtailmentCost"> & {
  readonly curtailmentCost?: number | undefined;
};

/** The columns of the tables that override values of sources for a stage. */
export const NON_CONTROLLABLE_COLUMNS = { availableMw: "available_generation_mw" } as const;
export const NON_CONTROLLABLE_PENALTY_COLUMNS = { curtailmentCost: "curtailment_cost" } as const;

export function checkNonControllable(
  source: NonControllable,
  buses: ReadonlySet<number>,
  issues: IssueCollector,
): void {
  const place = (field: string) => ({
    file: CASE_FILES.nonControllables,
    entity: `non-controllable source ${source.id}`,
    field,
  });
  checkBus(source.busId, buses, place("bus_id"), issues);
  checkNotNegative(source.maxGenerationMw, place("max_generation_mw"), issues);
  checkPositive(source.curtailmentCost, place("curtailment_cost"), issues);
  checkLifetime(source, place(""), issues);
}
