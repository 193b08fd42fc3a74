import { existsIn, setOutsideLifetimes } from "../lifetime.js";
import type { Study } from "../study.js";

/**
 * Sets the limits of what does not exist in a stage to 0. A hydro plant that is not there has no limits, and keeps what it has stored: the
 * river flows through its place.
 */
export function clearAbsent(study: Study): Study {
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

function clearAbsentHydros(study: Study): Study {
  const { hydros: tables, initialConditions, hydroPenalties } = study;
  const { hydros } = study.system;
  const { stages } = study.time;
  const { maxOutflowM3s, minSpillageM3s, maxSpillageM3s, maxStorageHm3, ...zero } = tables;
  // Whatever may have been stored before can be kept.
  const most = hydros.map((_, h) =>
    Math.max(
      initialConditions.storageHm3[h] ?? 0,
      ...stages.map((_stage, stage) => maxStorageHm3.at(stage, h)),
    ),
  );
  setOutsideLifetimes(hydros, stages, [...Object.values(zero), hydroPenalties.spillageCost]);
  const none = [maxOutflowM3s, maxSpillageM3s];
  setOutsideLifetimes(hydros, stages, none, () => Number.POSITIVE_INFINITY);
  // A negative inflow flows on as well.
  setOutsideLifetimes(hydros, stages, [minSpillageM3s], () => Number.NEGATIVE_INFINITY);
  setOutsideLifetimes(hydros, stages, [maxStorageHm3], (h) => most[h] ?? 0);
  return {
    ...study,
    evaporation: study.evaporation.map((ofStage, t) =>
      ofStage.map((due, h) => {
        const [hydro, stage] = [hydros[h], stages[t]];
        return hydro !== undefined && stage !== undefined && existsIn(hydro, stage)
          ? due
          : undefined;
      }),
    ),
  };
}
