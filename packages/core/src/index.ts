/** The system model: entities, time, penalties, and everything that can be wrong with them. */
export { type BlockFactorInput, resolveBlockFactors } from "./block-factors.js";
export { buildStudy } from "./build-study.js";
export { CASE_FILES } from "./case-files.js";
export { type ExpressionTerm, parseExpression } from "./constraints/expression.js";
export type {
  GenericBoundInput,
  GenericConstraint,
  GenericConstraintInput,
  GenericConstraints,
  GenericRow,
  GenericSense,
  GenericTerm,
} from "./constraints/generic-constraint.js";
export { COMPUTED_TAGS, type ComputedTag, type ParameterInput } from "./constraints/parameters.js";
export {
  parseRelation,
  type Relation,
  type RelationItem,
  type RelationName,
  type RelationNumber,
  type RelationTerm,
} from "./constraints/relation.js";
export type { NamedExpressionInput } from "./constraints/resolve-relation.js";
export { ExpressionError } from "./constraints/tokens.js";
export {
  GENERIC_VARIABLES,
  type GenericVariable,
  LATER_VARIABLES,
} from "./constraints/variables.js";
export { DEFAULT_DIALECT, DIALECTS, type Dialect } from "./dialect.js";
export {
  buildInitialConditions,
  type InitialConditions,
  type InitialConditionsInput,
} from "./initial-conditions.js";
export { existsIn, type Lifetime } from "./lifetime.js";
export { buildLoadFactors, type LoadFactorInput } from "./load-factors.js";
export { type OverrideKind, type OverrideRow, resolveOverrides } from "./overrides.js";
export {
  type BlockValue,
  moveTables,
  StageTable,
  type StageTables,
  tablesLength,
} from "./stage-table.js";
export { type Study, type StudyInput, studyTables } from "./study.js";
export { buildCascade, type Cascade } from "./system/cascade.js";
export {
  BUS_PENALTY_COLUMNS,
  HYDRO_COLUMNS,
  HYDRO_PENALTY_COLUMNS,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  THERMAL_COLUMNS,
} from "./system/columns.js";
export type { Commitments, Decision, PostStudyInput } from "./system/commitments.js";
export type { DatedValue } from "./system/dated-values.js";
export { CONTRACT_COLUMNS, type EnergyContract } from "./system/energy-contract.js";
export { type EnergyEquivalents, MWH_PER_HM3 } from "./system/energy-equivalents.js";
export type {
  Bus,
  BusInput,
  DeficitSegment,
  DirectionalPenalties,
  Diversion,
  Evaporation,
  Filling,
  HydraulicLosses,
  Hydro,
  HydroBounds,
  HydroInput,
  HydroPenalties,
  HydroStageBounds,
  Lead,
  Line,
  LineInput,
  Ordered,
  Tailrace,
  Thermal,
  UnitGroup,
} from "./system/entities.js";
export type { Evaporations, LinearEvaporation } from "./system/evaporation.js";
export { type FillingStage, type Fillings, lifetimeOfReservoir } from "./system/filling.js";
export type { GeometryRow } from "./system/geometry.js";
export {
  NON_CONTROLLABLE_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
  type NonControllable,
  type NonControllableInput,
} from "./system/non-controllable.js";
export type { FittedPlanes } from "./system/plane-fitter.js";
export type { Plane, Production, ProductionInput } from "./system/production.js";
export type {
  FittingWindow,
  FphaConfig,
  PlaneRow,
  ProductionChoice,
  ProductionModelInput,
  ProductivityRow,
  ReferenceVolume,
} from "./system/production-input.js";
export { PUMPING_COLUMNS, type PumpingStation } from "./system/pumping-station.js";
export {
  buildSystem,
  type GlobalPenalties,
  type System,
  type SystemInput,
} from "./system/system.js";
export type { Route, TravelTimes } from "./system/travel-time.js";
export {
  UNIT_GROUP_COLUMNS,
  type UnitCell,
  type UnitCells,
  type UnitGroupRow,
} from "./system/unit-groups.js";
export {
  areWhole,
  type GraphInput,
  type NodeInput,
  type TransitionInput,
} from "./time/build-graph.js";
export {
  type GraphNode,
  type GraphPath,
  NodeGraph,
  type Transition,
} from "./time/node-graph.js";
export {
  type Season,
  type SeasonCycle,
  type SeasonDefinitions,
  seasonCycle,
  seasonOf,
  stagesWithinSeasons,
} from "./time/seasons.js";
export {
  type Block,
  buildTimeline,
  type Day,
  type Discounting,
  type PreStudyStage,
  type RiskMeasure,
  type Stage,
  type TimeInput,
  type Timeline,
} from "./time/stages.js";
export {
  formatIssue,
  IssueCollector,
  type IssuePlace,
  VALIDATION_LAYERS,
  ValidationError,
  type ValidationIssue,
  type ValidationLayer,
} from "./validation/issue.js";
