import { type BlockFactorInput, resolveBlockFactors } from "./block-factors.js";
import { CASE_FILES } from "./case-files.js";
import {
  buildGenericConstraints,
  type GenericBoundInput,
  type GenericConstraintInput,
  type GenericConstraints,
} from "./constraints/generic-constraint.js";
import type { ParameterInput } from "./constraints/parameters.js";
import type { NamedExpressionInput } from "./constraints/resolve-relation.js";
import type { Dialect } from "./dialect.js";
import { applyExchangeFactors } from "./exchange-factors.js";
import {
  buildInitialConditions,
  type InitialConditions,
  type InitialConditionsInput,
} from "./initial-conditions.js";
import { withoutLifetimes } from "./lifetime.js";
import { buildLoadFactors, type LoadFactorInput } from "./load-factors.js";
import { type OverrideRow, resolveOverrides } from "./overrides.js";
import { pastValuesOf } from "./past-values.js";
import type { StageTable, StageTables } from "./stage-table.js";
import { clearAbsent } from "./system/absence.js";
import {
  BUS_PENALTY_COLUMNS,
  HYDRO_COLUMNS,
  HYDRO_COLUMNS_OF_BLOCKS,
  HYDRO_PENALTY_COLUMNS,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  THERMAL_COLUMNS,
} from "./system/columns.js";
import {
  buildCommitments,
  type Commitments,
  checkCommittedRows,
  type PostStudyInput,
} from "./system/commitments.js";
import { spreadRows } from "./system/directional-penalties.js";
import { withPossibleDiversions } from "./system/diversion-limits.js";
import { CONTRACT_COLUMNS } from "./system/energy-contract.js";
import { buildEnergyEquivalents, type EnergyEquivalents } from "./system/energy-equivalents.js";
import { buildEvaporation, type Evaporations } from "./system/evaporation.js";
import { buildFillings, checkFilling, checkFillingRows, type Fillings } from "./system/filling.js";
import { buildGeometry, type GeometryRow } from "./system/geometry.js";
import {
  NON_CONTROLLABLE_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
} from "./system/non-controllable.js";
import { PlaneFitter } from "./system/plane-fitter.js";
import { buildProduction, type Production, type ProductionInput } from "./system/production.js";
import { PUMPING_COLUMNS } from "./system/pumping-station.js";
import {
  buildSystem,
  type GlobalPenalties,
  type System,
  type SystemInput,
} from "./system/system.js";
import { buildTravelTimes, type TravelTimes } from "./system/travel-time.js";
import { buildUnitCells, type UnitCells, type UnitGroupRow } from "./system/unit-groups.js";
import { buildTimeline, type TimeInput, type Timeline } from "./time/stages.js";
import type { IssueCollector } from "./validation/issue.js";

type Rows<C> = readonly OverrideRow<Extract<keyof C, string>>[];
type Tables<C> = StageTables<Extract<keyof C, string>>;

/** What a study is built from. */
export interface StudyInput {
  readonly system: SystemInput;
  readonly penalties: GlobalPenalties;
  readonly time: TimeInput;
  readonly initialConditions: InitialConditionsInput;
  readonly loadFactors?: readonly LoadFactorInput[];
  readonly thermalBounds?: Rows<typeof THERMAL_COLUMNS>;
  readonly hydroBounds?: Rows<typeof HYDRO_COLUMNS>;
  readonly unitGroupBounds?: readonly UnitGroupRow[];
  readonly lineBounds?: Rows<typeof LINE_COLUMNS>;
  readonly busPenalties?: Rows<typeof BUS_PENALTY_COLUMNS>;
  readonly linePenalties?: Rows<typeof LINE_PENALTY_COLUMNS>;
  readonly hydroPenalties?: Rows<typeof HYDRO_PENALTY_COLUMNS>;
  readonly nonControllableBounds?: Rows<typeof NON_CONTROLLABLE_COLUMNS>;
  readonly nonControllablePenalties?: Rows<typeof NON_CONTROLLABLE_PENALTY_COLUMNS>;
  readonly nonControllableFactors?: readonly BlockFactorInput<"factor">[];
  readonly pumpingBounds?: Rows<typeof PUMPING_COLUMNS>;
  readonly contractBounds?: Rows<typeof CONTRACT_COLUMNS>;
  readonly exchangeFactors?: readonly BlockFactorInput<"directMw" | "reverseMw">[];
  readonly genericConstraints?: readonly GenericConstraintInput[];
  readonly genericBounds?: readonly GenericBoundInput[];
  readonly genericParameters?: readonly ParameterInput[] | undefined;
  readonly namedExpressions?: readonly NamedExpressionInput[] | undefined;
  readonly production?: ProductionInput;
  /** Evaporation goes by the rule of this version; without it by that of Cobre 0.5. */
  readonly dialect?: Dialect | undefined;
  /** Set to fit planes as Cobre 0.5 does. */
  readonly compat?: "cobre-0.5" | undefined;
  readonly postStudy?: PostStudyInput | undefined;
  readonly hydroGeometry?: readonly GeometryRow[];
}

/** The system over time, with every value resolved: the stage's override, else the entity's own value, else the global penalty. */
export interface Study {
  readonly system: System;
  readonly time: Timeline;
  readonly initialConditions: InitialConditions;
  /** For each stage: [bus · blocks + block]. */
  readonly loadFactors: readonly Float64Array[];
  readonly thermals: Tables<typeof THERMAL_COLUMNS>;
  readonly hydros: Tables<typeof HYDRO_COLUMNS>;
  readonly lines: Tables<typeof LINE_COLUMNS>;
  readonly busPenalties: Tables<typeof BUS_PENALTY_COLUMNS>;
  readonly linePenalties: Tables<typeof LINE_PENALTY_COLUMNS>;
  readonly hydroPenalties: Tables<typeof HYDRO_PENALTY_COLUMNS>;
  readonly nonControllables: Tables<typeof NON_CONTROLLABLE_COLUMNS>;
  readonly nonControllablePenalties: Tables<typeof NON_CONTROLLABLE_PENALTY_COLUMNS>;
  /** For each stage: [source · blocks + block]. */
  readonly nonControllableFactors: readonly Float64Array[];
  readonly pumpingStations: Tables<typeof PUMPING_COLUMNS>;
  readonly contracts: Tables<typeof CONTRACT_COLUMNS>;
  readonly generic: GenericConstraints;
  readonly production: Production;
  /** What water is worth in energy. */
  readonly energy: EnergyEquivalents;
  readonly evaporation: Evaporations;
  /** The units of plants that feed several buses. */
  readonly units: UnitCells;
  /** What thermal plants are committed to ahead of time. */
  readonly commitments: Commitments;
  /** How long water takes between plants. */
  readonly travel: TravelTimes;
  /** What is due of reservoirs that are being filled. */
  readonly filling: Fillings;
  /**
   * Whether each plant may fall below its minimum storage, at a cost: it starts there, or is filled during the study. Of the others the minimum
   * is a hard bound.
   */
  readonly hasSoftMinimum: readonly boolean[];
}

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
    {
      file: CASE_FILES.hydroPenalties,
      kind: "hydro",
      idColumn: "hydro_id",
      columns: HYDRO_PENALTY_COLUMNS,
      arePositive: true,
      mayBeZero: ["fphaTurbinedCost"],
    },
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
    {
      file: CASE_FILES.hydroBounds,
      kind: "hydro",
      idColumn: "hydro_id",
      columns: HYDRO_COLUMNS,
      pairs: [
        ["minStorageHm3", "maxStorageHm3"],
        ["minOutflowM3s", "maxOutflowM3s"],
        ["minTurbinedM3s", "maxTurbinedM3s"],
        ["minGenerationMw", "maxGenerationMw"],
        ["minDiversionM3s", "maxDiversionM3s"],
        ["minSpillageM3s", "maxSpillageM3s"],
      ],
      ofBlocks: HYDRO_COLUMNS_OF_BLOCKS,
      mayBeNegative: ["waterWithdrawalM3s"],
    },
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
    thermals: resolveOverrides(
      {
        file: CASE_FILES.thermalBounds,
        kind: "thermal",
        idColumn: "thermal_id",
        columns: THERMAL_COLUMNS,
        pairs: [["minGenerationMw", "maxGenerationMw"]],
        mayBeNegative: ["costPerMwh"],
        ofBlocks: ["minGenerationMw", "maxGenerationMw"],
      },
      thermals,
      stages,
      input.thermalBounds ?? [],
      issues,
    ),
    hydros: hydroTables,
    lines: resolveOverrides(
      {
        file: CASE_FILES.lineBounds,
        kind: "line",
        idColumn: "line_id",
        columns: LINE_COLUMNS,
        ofBlocks: ["directMw", "reverseMw"],
      },
      lines,
      stages,
      input.lineBounds ?? [],
      issues,
    ),
    busPenalties: resolveOverrides(
      {
        file: CASE_FILES.busPenalties,
        kind: "bus",
        idColumn: "bus_id",
        columns: BUS_PENALTY_COLUMNS,
        arePositive: true,
      },
      buses,
      stages,
      input.busPenalties ?? [],
      issues,
    ),
    linePenalties: resolveOverrides(
      {
        file: CASE_FILES.linePenalties,
        kind: "line",
        idColumn: "line_id",
        columns: LINE_PENALTY_COLUMNS,
        arePositive: true,
      },
      lines,
      stages,
      input.linePenalties ?? [],
      issues,
    ),
    hydroPenalties: hydroPenaltyTables,
    production,
    energy,
    nonControllables: resolveOverrides(
      {
        file: CASE_FILES.nonControllableBounds,
        kind: "non-controllable source",
        idColumn: "ncs_id",
        columns: NON_CONTROLLABLE_COLUMNS,
      },
      nonControllables.map(({ id, maxGenerationMw }) => ({ id, availableMw: maxGenerationMw })),
      stages,
      input.nonControllableBounds ?? [],
      issues,
    ),
    nonControllablePenalties: resolveOverrides(
      {
        file: CASE_FILES.nonControllablePenalties,
        kind: "non-controllable source",
        idColumn: "source_id",
        columns: NON_CONTROLLABLE_PENALTY_COLUMNS,
        arePositive: true,
      },
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
      {
        file: CASE_FILES.pumpingBounds,
        kind: "pumping station",
        idColumn: "station_id",
        columns: PUMPING_COLUMNS,
        pairs: [["minFlowM3s", "maxFlowM3s"]],
        ofBlocks: ["minFlowM3s", "maxFlowM3s"],
      },
      system.pumpingStations,
      stages,
      input.pumpingBounds ?? [],
      issues,
    ),
    contracts: resolveOverrides(
      {
        file: CASE_FILES.contractBounds,
        kind: "contract",
        idColumn: "contract_id",
        columns: CONTRACT_COLUMNS,
        pairs: [["minMw", "maxMw"]],
        mayBeNegative: ["pricePerMwh"],
        ofBlocks: ["minMw", "maxMw", "pricePerMwh"],
      },
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

/** The tables of a study that go into shared memory, always in the same order. */
export function studyTables(study: Study): readonly StageTable[] {
  const { thermals, hydros, lines, busPenalties, linePenalties, hydroPenalties } = study;
  const { nonControllables, nonControllablePenalties, pumpingStations, contracts } = study;
  const ofKinds = [
    thermals,
    hydros,
    lines,
    busPenalties,
    linePenalties,
    hydroPenalties,
    nonControllables,
    nonControllablePenalties,
    pumpingStations,
    contracts,
  ].flatMap((tables): StageTable[] => Object.values(tables));
  return [...ofKinds, study.production.productivity, ...Object.values(study.energy)];
}
