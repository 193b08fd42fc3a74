import { CASE_FILES } from "../case-files.js";
import { checkLifetime, type Lifetime } from "../lifetime.js";
import type { IssueCollector } from "../validation/issue.js";
import { checkBus, checkNotNegative, checkPair } from "./check-entities.js";
import type { Ordered } from "./entities.js";

/** Energy bought from outside the system, or sold there. A negative price is a revenue. */
export interface EnergyContract extends Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly type: "import" | "export";
  readonly pricePerMwh: number;
  readonly minMw: number;
  readonly maxMw: number;
}

/** The columns of the table that overrides values of contracts for a stage. */
export const CONTRACT_COLUMNS = {
  minMw: "min_mw",
  maxMw: "max_mw",
  pricePerMwh: "price_per_mwh",
} as const;

export function checkContract(
  contract: EnergyContract,
  buses: ReadonlySet<number>,
  issues: IssueCollector,
): void {
  const place = (field: string) => ({
    file: CASE_FILES.energyContracts,
    entity: `contract ${contract.id}`,
    field,
  });
  checkBus(contract.busId, buses, place("bus_id"), issues);
  checkNotNegative(contract.minMw, place("limits.min_mw"), issues);
  checkPair(contract.minMw, contract.maxMw, place("limits.max_mw"), issues);
  checkLifetime(contract, place(""), issues);
}
