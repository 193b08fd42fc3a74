import type { BlockFactorInput } from "./block-factors.js";
import type {
  GenericBoundInput,
  GenericConstraintInput,
  GenericConstraints,
} from "./constraints/generic-constraint.js";
import type { ParameterInput } from "./constraints/parameters.js";
import type { NamedExpressionInput } from "./constraints/resolve-relation.js";
import type { Dialect } from "./dialect.js";
import type { InitialConditions, InitialConditionsInput } from "./initial-conditions.js";
import type { LoadFactorInput } from "./load-factors.js";
import type { OverrideRow } from "./overrides.js";
import type { StageTable, StageTables } from "./stage-table.js";
import type {
  BUS_PENALTY_COLUMNS,
  HYDRO_COLUMNS,
  HYDRO_PENALTY_COLUMNS,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  THERMAL_COLUMNS,
} from "./system/columns.js";
import type { Commitments, PostStudyInput } from "./system/commitments.js";
import type { CONTRACT_COLUMNS } from "./system/energy-contract.js";
import type { EnergyEquivalents } from "./system/energy-equivalents.js";
import type { Evaporations } from "./system/evaporation.js";
import type { Fillings } from "./system/filling.js";
import type { GeometryRow } from "./system/geometry.js";
import type {
  NON_CONTROLLABLE_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
} from "./system/non-controllable.js";
import type { Production, ProductionInput } from "./system/production.js";
import type { PUMPING_COLUMNS } from "./system/pumping-station.js";
import type { GlobalPenalties, System, SystemInput } from "./system/system.js";
import type { TravelTimes } from "./system/travel-time.js";
import type { UnitCells, UnitGroupRow } from "./system/unit-groups.js";
import type { TimeInput, Timeline } from "./time/stages.js";

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
