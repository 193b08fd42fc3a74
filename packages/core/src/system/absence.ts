import { existsIn, setOutsideLifetimes } from "../lifetime.js";
import type { Study } from "../study.js";
import { lifetimeOfReservoir } from "./filling.js";

/** Commitments and the limits of units follow from limits that have been cleared. */
type Unfinished = Omit<Study, "commitments" | "units">;

/**
 * Sets the limits of what does not exist in a stage to 0. A hydro plant that is not there has no limits, and keeps what it has stored: the
 * river flows through its place.
 */
export function clearAbsent(study: Unfinished): Unfinished {
  const { system, thermals, lines, pumpingStations, contracts } = study;
  const { stages } = study.time;
  const { minGenerationMw, maxGenerationMw } = thermals;
  setOutsideLifetimes(system.thermals, stages, [minGenerationMw, maxGenerationMw]);
  setOutsideLifetimes(system.lines, stages, [lines.directMw, lines.reverseMw]);
  const { minFlowM3s, maxFlowM3s } = pumpingStations;
  setOutsideLifetimes(system.pumpingStations, stages, [minFlowM3s, maxFlowM3s]);
  // Nothing is pumped from or to a reservoir that is not there.
  for (const plants of [system.sourceOfPumpingStation, system.destinationOfPumpingStation]) {
    const lifetimes = [...plants].map((h) => system.hydros[h] ?? {});
    setOutsideLifetimes(lifetimes, stages, [minFlowM3s, maxFlowM3s]);
  }
  setOutsideLifetimes(system.energyContracts, stages, [contracts.minMw, contracts.maxMw]);
  return clearAbsentHydros(study);
}

function clearAbsentHydros(study: Unfinished): Unfinished {
  const { hydros: tables, initialConditions, hydroPenalties } = study;
  const { hydros } = study.system;
  const { stages } = study.time;
  const { maxStorageHm3, minSpillageM3s } = tables;
  // Whatever may have been stored before can be kept.
  const most = hydros.map((_, h) =>
    Math.max(
      initialConditions.storageHm3[h] ?? 0,
      ...stages.map((_stage, stage) => maxStorageHm3.at(stage, h)),
    ),
  );
  // While a reservoir is being filled, nothing but its dam is there: no turbine, no diversion, and no limit of what flows on.
  setOutsideLifetimes(hydros, stages, [
    tables.minStorageHm3,
    tables.minOutflowM3s,
    tables.minTurbinedM3s,
    tables.maxTurbinedM3s,
    tables.minGenerationMw,
    tables.maxGenerationMw,
    tables.minDiversionM3s,
    tables.maxDiversionM3s,
    minSpillageM3s,
  ]);
  const none = [tables.maxOutflowM3s, tables.maxSpillageM3s];
  setOutsideLifetimes(hydros, stages, none, () => Number.POSITIVE_INFINITY);
  const reservoirs = hydros.map(lifetimeOfReservoir);
  const nothing = [tables.waterWithdrawalM3s, hydroPenalties.spillageCost];
  setOutsideLifetimes(reservoirs, stages, nothing);
  // A negative inflow flows on as well.
  setOutsideLifetimes(reservoirs, stages, [minSpillageM3s], () => Number.NEGATIVE_INFINITY);
  setOutsideLifetimes(reservoirs, stages, [maxStorageHm3], (h) => most[h] ?? 0);
  return {
    ...study,
    evaporation: study.evaporation.map((ofStage, t) =>
      ofStage.map((due, h) => {
        const [reservoir, stage] = [reservoirs[h], stages[t]];
        return reservoir !== undefined && stage !== undefined && existsIn(reservoir, stage)
          ? due
          : undefined;
      }),
    ),
  };
}
