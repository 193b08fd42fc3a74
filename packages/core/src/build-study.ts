import { resolveBlockFactors } from "./block-factors.js";
import { CASE_FILES } from "./case-files.js";
import { buildGenericConstraints } from "./constraints/generic-constraint.js";
import { applyExchangeFactors } from "./exchange-factors.js";
import { buildInitialConditions } from "./initial-conditions.js";
import { withoutLifetimes } from "./lifetime.js";
import { buildLoadFactors } from "./load-factors.js";
import {
  BUS_PENALTIES,
  CONTRACT_BOUNDS,
  HYDRO_BOUNDS,
  HYDRO_PENALTIES,
  LINE_BOUNDS,
  LINE_PENALTIES,
  NON_CONTROLLABLE_BOUNDS,
  NON_CONTROLLABLE_PENALTIES,
  PUMPING_BOUNDS,
  THERMAL_BOUNDS,
} from "./override-kinds.js";
import { resolveOverrides } from "./overrides.js";
import { pastValuesOf } from "./past-values.js";
import type { Study, StudyInput } from "./study.js";
import { clearAbsent } from "./system/absence.js";
import { buildCommitments, checkCommittedRows } from "./system/commitments.js";
import { spreadRows } from "./system/directional-penalties.js";
import { withPossibleDiversions } from "./system/diversion-limits.js";
import { buildEnergyEquivalents } from "./system/energy-equivalents.js";
import { buildEvaporation } from "./system/evaporation.js";
import { buildFillings, checkFilling, checkFillingRows } from "./system/filling.js";
import { buildGeometry } from "./system/geometry.js";
import { PlaneFitter } from "./system/plane-fitter.js";
import { buildProduction } from "./system/production.js";
import { buildSystem } from "./system/system.js";
import { buildTravelTimes } from "./system/travel-time.js";
import { buildUnitCells } from "./system/unit-groups.js";
import { buildTimeline } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

/**
 * Builds a study and reports everything that is wrong with it. Use the result only if `issues` has no error.
 *
 * @example
 * ```ts
 * const issues = new IssueCollector();
 * const study = buildStudy(input, issues);
 * issues.throwIfErrors();
 * study.thermals.costPerMwh.at(stage, thermal);
 * ```
 */
export function buildStudy(input: StudyInput, issues: IssueCollector): Study {
  // In Cobre 0.5 plants and lines always exist.
  const entities = input.compat === undefined ? input.system : withoutLifetimes(input.system);
  const system = buildSystem(entities, input.penalties, issues);
  const time = buildTimeline(input.time, issues);
  const { stages } = time;
  const { buses, lines, thermals, hydros, nonControllables } = system;
  const hydroBounds = withPossibleDiversions(input.hydroBounds ?? [], hydros, issues);
  if (input.compat === undefined) checkFillingRows(hydroBounds, hydros, issues);
  for (const hydro of hydros) checkFilling(hydro, time, issues);
  const { models, productivities = [] } = input.production ?? { models: [] };
  const usesGeometry = (id: number) =>
    hydros.some(
      (hydro) =>
        hydro.id === id &&
        (hydro.evaporation !== undefined || hydro.specificProductivity !== undefined),
    ) ||
    productivities.some(({ hydroId, specific }) => hydroId === id && specific !== undefined) ||
    models.some(
      ({ hydroId, ranges, seasons }) =>
        hydroId === id &&
        [...ranges, ...(seasons?.list ?? [])].some(({ fpha }) => fpha?.source === "computed"),
    );
  const geometry = buildGeometry(input.hydroGeometry ?? [], hydros, usesGeometry, issues);
  const hydroPenalties = hydros.map(({ id, penalties }) => ({ id, ...penalties }));
  const penaltyRows = input.hydroPenalties ?? [];
  const hydroPenaltyTables = resolveOverrides(
    HYDRO_PENALTIES,
    hydroPenalties,
    stages,
    penaltyRows,
    issues,
  );
  spreadRows(hydroPenaltyTables, penaltyRows, hydros, stages);
  const initialConditions = buildInitialConditions(
    input.initialConditions,
    hydros,
    new Set(input.system.hydros.filter(({ filling }) => filling).map(({ id }) => id)),
    issues,
  );
  const hydroTables = resolveOverrides(
    HYDRO_BOUNDS,
    hydros.map((hydro) => ({
      ...hydro,
      maxDiversionM3s: hydro.diversion?.maxFlowM3s ?? 0,
      minDiversionM3s: 0,
      minSpillageM3s: 0,
      maxSpillageM3s: Number.POSITIVE_INFINITY,
      waterWithdrawalM3s: 0,
      fillingMinRateM3s: hydro.filling?.minRateM3s ?? 0,
      fillingInflowM3s: hydro.filling?.inflowM3s ?? 0,
    })),
    stages,
    hydroBounds,
    issues,
  );
  const production = buildProduction(
    input.production ?? { models: [], planes: [] },
    hydros,
    stages,
    new PlaneFitter(geometry, input.compat !== undefined, issues),
    issues,
  );
  const energy = buildEnergyEquivalents(
    { hydros, cascade: system.cascade, stages, production, models, rows: productivities, geometry },
    issues,
  );
  const study: Omit<Study, "commitments" | "units"> = {
    system,
    time,
    initialConditions,
    loadFactors: buildLoadFactors(input.loadFactors ?? [], buses, stages, issues),
    thermals: resolveOverrides(THERMAL_BOUNDS, thermals, stages, input.thermalBounds ?? [], issues),
    hydros: hydroTables,
    lines: resolveOverrides(LINE_BOUNDS, lines, stages, input.lineBounds ?? [], issues),
    busPenalties: resolveOverrides(BUS_PENALTIES, buses, stages, input.busPenalties ?? [], issues),
    linePenalties: resolveOverrides(
      LINE_PENALTIES,
      lines,
      stages,
      input.linePenalties ?? [],
      issues,
    ),
    hydroPenalties: hydroPenaltyTables,
    production,
    energy,
    nonControllables: resolveOverrides(
      NON_CONTROLLABLE_BOUNDS,
      nonControllables.map(({ id, maxGenerationMw }) => ({ id, availableMw: maxGenerationMw })),
      stages,
      input.nonControllableBounds ?? [],
      issues,
    ),
    nonControllablePenalties: resolveOverrides(
      NON_CONTROLLABLE_PENALTIES,
      nonControllables,
      stages,
      input.nonControllablePenalties ?? [],
      issues,
    ),
    nonControllableFactors: resolveBlockFactors(
      {
        file: CASE_FILES.nonControllableFactors,
        kind: "non-controllable source",
        idField: "ncs_id",
        entityFile: CASE_FILES.nonControllables,
        fields: { factor: "factor" },
        mayBeZero: false,
      },
      input.nonControllableFactors ?? [],
      nonControllables,
      stages,
      issues,
    ).factor,
    pumpingStations: resolveOverrides(
      PUMPING_BOUNDS,
      system.pumpingStations,
      stages,
      input.pumpingBounds ?? [],
      issues,
    ),
    contracts: resolveOverrides(
      CONTRACT_BOUNDS,
      system.energyContracts,
      stages,
      input.contractBounds ?? [],
      issues,
    ),
    generic: buildGenericConstraints(
      input.genericConstraints ?? [],
      input.genericBounds ?? [],
      {
        parameters: input.genericParameters ?? [],
        expressions: input.namedExpressions ?? [],
        energy,
      },
      system,
      stages,
      issues,
    ),
    evaporation: buildEvaporation(hydros, geometry, stages, input.dialect === "0.18", issues),
    travel: buildTravelTimes(
      hydros,
      system.cascade,
      time,
      pastValuesOf(input, "hydro", issues),
      issues,
    ),
    filling: buildFillings(hydros, time, hydroTables),
    hasSoftMinimum: hydros.map(
      ({ minStorageHm3, filling }, h) =>
        (initialConditions.storageHm3[h] ?? 0) < minStorageHm3 || filling !== undefined,
    ),
  };
  applyExchangeFactors(input.exchangeFactors ?? [], lines, study.lines, stages, issues);
  checkCommittedRows(input.thermalBounds ?? [], thermals, issues);
  const cleared = clearAbsent(study);
  const busOf = (busId: number) => buses.findIndex(({ id }) => id === busId);
  return {
    ...cleared,
    units: buildUnitCells(
      hydros,
      busOf,
      stages,
      input.unitGroupBounds ?? [],
      cleared.hydros,
      cleared.production,
      issues,
    ),
    commitments: buildCommitments(
      thermals,
      time,
      cleared.thermals,
      input.postStudy ?? { stages: [], bounds: [] },
      pastValuesOf(input, "thermal", issues),
      issues,
    ),
  };
}
