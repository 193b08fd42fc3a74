/** Stochastic dual dynamic programming: training, simulation, policies. */
export { CutPool } from "./cuts/cut-pool.js";
export { agreeOnSolver } from "./distribution/solver-agreement.js";
export { SddpError, type SddpErrorKind } from "./errors.js";
export type { EventListener, SddpEvent, Termination } from "./events.js";
export { COST_SCALE } from "./model.js";
export type { Boundary } from "./policy/boundary.js";
export { hashPolicy, type PolicyHashes } from "./policy/fingerprint.js";
export type {
  BoundCaveat,
  Policy,
  PolicyOrigin,
  PolicyStates,
  RuleSimulation,
} from "./policy/policy.js";
export { decodePolicy, encodePolicy } from "./policy/policy-file.js";
export type { ScenarioTables } from "./results/scenario-record.js";
export { isRiskNeutral } from "./risk/neutral.js";
export { type RiskRule, riskWeights } from "./risk/weights.js";
export { type SimulateOptions, type SimulationResult, simulate } from "./simulation/simulate.js";
export type { CoefficientRanges, Range } from "./stage/coefficient-ranges.js";
export { SOLVE_PHASES, type SolvePhase, type StageSolves } from "./stage/solve-statistics.js";
export { gapPercent, type IterationRecord } from "./training/records.js";
export { type CostStatistics, costStatistics } from "./training/statistics.js";
export { type Hold, type TrainingResult, type TrainOptions, train } from "./training/train.js";
export { TrialPoints } from "./training/trial-points.js";
