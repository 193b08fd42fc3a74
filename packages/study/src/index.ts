/** A whole study as a library: run it with events and cancellation, open what a run wrote, compare two runs, report on one. */
export { type CaseSummary, summaryOf } from "./case-summary.js";
export {
  adviceText,
  type CoefficientRangeJson,
  type CoefficientsJson,
  coefficientsJson,
  coefficientsOf,
} from "./coefficients.js";
export type { ForwardMean, StudyEvent, StudyListener } from "./events.js";
export type { BusReport } from "./report/buses.js";
export type { CollectiveCalls } from "./report/collectives.js";
export type { ContractReport } from "./report/contracts.js";
export type { BoundRise, ConvergenceReport, RecentForward } from "./report/convergence.js";
export type { CostReport } from "./report/costs.js";
export { type Bands, Cube, LEVELS } from "./report/cube.js";
export { type Distribution, distributionOf } from "./report/distribution.js";
export type { HydroReport } from "./report/hydros.js";
export type { LineReport } from "./report/lines.js";
export type { NumericsReport, SolveCounts } from "./report/numerics.js";
export type { PumpReport } from "./report/pumps.js";
export { type Report, type RunFacts, reportOf, type SimulationReport } from "./report/report.js";
export type { SourceReport } from "./report/sources.js";
export {
  type ContractSummary,
  type CostSummary,
  type PumpSummary,
  type ReportSummary,
  type ReservoirSummary,
  type SourceSummary,
  type StageSummary,
  type StoragePoint,
  summaryOfReport,
  type ThermalSummary,
} from "./report/summary.js";
export type { ThermalReport } from "./report/thermals.js";
export type { RankTime, TimeReport } from "./report/time.js";
export type { RankSummary, TimeSummary } from "./report/time-summary.js";
export type { ValueFunction, ValueReport } from "./report/values.js";
export type { ReportWarning } from "./report/warnings.js";
export { compareRuns, firstDifference, type RunComparison } from "./results/compare.js";
export type {
  BlockEntry,
  Entities,
  Entity,
  StageEntry,
  StateEntry,
} from "./results/dictionaries.js";
export type { NumberDifference } from "./results/judge.js";
export { openRun, type Run } from "./results/run.js";
export { ifWritten, RunError, type RunErrorKind } from "./results/run-error.js";
export type { RunMetadata } from "./results/run-metadata.js";
export {
  type RunSummary,
  type SimulatedCost,
  type Summarised,
  summaryOfRun,
} from "./results/run-summary.js";
export type {
  ScalingPart,
  ScalingRange,
  ScalingRanges,
  ScalingReport,
} from "./results/scaling.js";
export {
  SIMULATION_TABLES,
  type SimulationColumn,
  type SimulationMetadata,
  type SimulationRun,
  type SimulationTable,
} from "./results/simulation-run.js";
export type { TrainingMetadata, TrainingRun } from "./results/training-run.js";
export { FailedElsewhere, type OnFailure } from "./run/agreement.js";
export { iterationLimit } from "./run/iteration-limit.js";
export type { MachineRanks } from "./run/machines.js";
export { runStudy, type StudyOptions, type StudyResult } from "./run/run-study.js";
export { forwardMeanOf } from "./run/run-training.js";
export type { RankEnd, RunEvent } from "./run-events.js";
export { changedSettings, type Setting, type SettingChanges } from "./settings.js";
