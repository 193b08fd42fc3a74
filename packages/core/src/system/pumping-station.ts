import { CASE_FILES } from "../case-files.js";
import { checkLifetime, type Lifetime } from "../lifetime.js";
import type { IssueCollector } from "../validation/issue.js";
import { checkBus, checkNotNegative, checkPair } from "./check-entities.js";
import type { Ordered } from "./entities.js";

/** Pumps that bring water from one reservoir to another and take power for it. */
export interface PumpingStation extends Lifetime, Ordered {
  readonly id: number;
  readonly name: string;
  readonly busId: number;
  readonly sourceHydroId: number;
  readonly destinationHydroId: number;
  readonly consumptionMwPerM3s: number;
  readonly minFlowM3s: number;
  readonly maxFlowM3s: number;
}

/** The columns of the table that overrides limits of stations for a stage. */
export const PUMPING_COLUMNS = { minFlowM3s: "min_m3s", maxFlowM3s: "max_m3s" } as const;

export function checkPumpingStation(
  station: PumpingStation,
  buses: ReadonlySet<number>,
  hydros: ReadonlySet<number>,
  issues: IssueCollector,
): void {
  const place = (field: string) => ({
    file: CASE_FILES.pumpingStations,
    entity: `pumping station ${station.id}`,
    field,
  });
  checkBus(station.busId, buses, place("bus_id"), issues);
  for (const [field, id] of [
    ["source_hydro_id", station.sourceHydroId],
    ["destination_hydro_id", station.destinationHydroId],
  ] as const) {
    if (hydros.has(id)) continue;
    const remedy = `give the id of a plant in ${CASE_FILES.hydros}`;
    issues.error("references", place(field), `hydro ${id} does not exist`, remedy);
  }
  if (station.sourceHydroId === station.destinationHydroId) {
    const problem = `is hydro ${station.sourceHydroId}, from which the station pumps`;
    issues.error("physics", place("destination_hydro_id"), problem, "must be another plant");
  }
  checkNotNegative(station.consumptionMwPerM3s, place("consumption_mw_per_m3s"), issues);
  checkNotNegative(station.minFlowM3s, place("flow.min_m3s"), issues);
  checkPair(station.minFlowM3s, station.maxFlowM3s, place("flow.max_m3s"), issues);
  checkLifetime(station, place(""), issues);
}
