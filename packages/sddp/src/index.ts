/** Stochastic dual dynamic programming: training, simulation, policies. */
export { caseSchemas, loadCase, migrateCase, validateCase } from "./case-format.js";
export { CutPool } from "./cuts/cut-pool.js";
export type { DemandRules } from "./cuts/rows-on-demand.js";
export type {
  CutSelectionPlugin,
  CutSelectionSettings,
  VisitedStates,
} from "./cuts/selection/cut-selection.js";
export { CUT_SELECTIONS } from "./cuts/selection/index.js";
export { agreeOnSolver } from "./distribution/solver-agreement.js";
export { SddpError, type SddpErrorKind } from "./errors.js";
export type { EventListener, SddpEvent, Termination } from "./events.js";
export { COST_SCALE } from "./model.js";
export { defineModel } from "./models/define-model.js";
export type { DefinedModel } from "./models/defined-model.js";
export type { ByOpening, ModelDefinition, StateDefinition } from "./models/model-definition.js";
export type {
  Column,
  ColumnDefinition,
  RowLimits,
  RowTerm,
  StageFormulation,
} from "./models/stage-formulation.js";
export type { Trainable } from "./open-model.js";
export type { Plugins } from "./plugins.js";
export type { Boundary } from "./policy/boundary.js";
export { hashPolicy, type PolicyHashes } from "./policy/fingerprint.js";
export type {
  BoundCaveat,
  Policy,
  PolicyNode,
  PolicyOrigin,
  PolicyStates,
  RuleState,
} from "./policy/policy.js";
export { decodePolicy, encodePolicy } from "./policy/policy-file.js";
export { isReferencePolicy, readReferencePolicy } from "./policy/reference-policy.js";
export type { StateComponent } from "./policy/state-components.js";
export type { ScenarioTables } from "./results/scenario-record.js";
export { RISK_MEASURES } from "./risk/index.js";
export type { RiskMeasurePlugin, RiskRule, Weigh } from "./risk/risk-measure.js";
export { describeRiskMeasure, isRiskNeutral, riskWeights } from "./risk/stage-risks.js";
export { type SimulateOptions, type SimulationResult, simulate } from "./simulation/simulate.js";
export type { CoefficientPlace } from "./stage/coefficient-places.js";
export type { CoefficientRanges, Range } from "./stage/coefficient-ranges.js";
export {
  COEFFICIENT_PARTS,
  type CoefficientAdvice,
  type CoefficientEnd,
  type CoefficientPart,
  type CoefficientReport,
  coefficientReport,
  DANGEROUS_RATIO,
} from "./stage/coefficient-report.js";
export {
  type Coefficient,
  type CoefficientRange,
  type ColumnFamily,
  type FamilyCoefficients,
  type RowFamilyRange,
  ratioOf,
} from "./stage/family-coefficients.js";
export { SOLVE_PHASES, type SolvePhase, type StageSolves } from "./stage/solve-statistics.js";
export { STOPPING_RULES } from "./stopping/index.js";
export { type IterationLimit, isIterationLimit } from "./stopping/iteration-limit.js";
export type {
  Progress,
  RunningStoppingRule,
  StoppingContext,
  StoppingFacts,
  StoppingRulePlugin,
} from "./stopping/stopping-rule.js";
export { gapPercent, type IterationRecord } from "./training/records.js";
export { type CostStatistics, costStatistics } from "./training/statistics.js";
export { type Hold, type TrainingResult, type TrainOptions, train } from "./training/train.js";
export { type BasisSizes, TrialPoints, type Walks } from "./training/trial-points.js";
