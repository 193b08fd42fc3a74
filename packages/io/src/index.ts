/** The case directory, read and judged; the output directory, written so that there is never half of it. */
export type {
  AlgorithmFormats,
  CutSelection,
  CutSelectionFormat,
  RiskMeasureFormat,
  StoppingRule,
  StoppingRuleFormat,
} from "./algorithms.js";
export { CaseFormat } from "./case-format.js";
export { withEveryPath } from "./every-path.js";
export { type Config, parseConfig } from "./files/config.js";
export { LIMITS } from "./files/limits.js";
export type { ScenarioSource, Scheme } from "./files/scenario-source.js";
export { DEFAULT_SEED } from "./files/training-config.js";
export { mergePatch } from "./json/merge-patch.js";
export { nearest } from "./json/nearest.js";
export { faultOfNumber, type NumberRule } from "./json/number-rule.js";
export { ObjectReader } from "./json/object-reader.js";
export {
  type Case,
  type CaseValidation,
  fillOpeningTree,
  openingTreeLength,
} from "./load-case.js";
export { rawConfig } from "./memory/case-file.js";
export type {
  BlockInput,
  BusInput,
  CaseInput,
  ConfigInput,
  DeficitSegmentInput,
  Fields,
  HydroInput,
  LineInput,
  StageInput,
  TableInput,
  ThermalInput,
  UnitGroupInput,
} from "./memory/case-input.js";
export { type Migration, migrateCase } from "./migrate/migrate-case.js";
export type { MigrationNote } from "./migrate/notes.js";
export { writeAtomically } from "./output/atomic.js";
export {
  BOUND_TYPE,
  CONTRACT_TYPE,
  ENTITY_TYPE,
  OPERATIVE_STATE,
  STORAGE_BINDING,
} from "./output/codes.js";
export type {
  ColumnSpec,
  NumberColumn,
  NumberTableSpec,
  OutputColumn,
  TableRow,
  TableSpec,
  TextColumn,
} from "./output/column.js";
export { TABLES, writeDictionaries } from "./output/dictionaries.js";
export type { FileLocks } from "./output/directory-lock.js";
export { hasHydroModels, writeHydroModels } from "./output/hydro-models.js";
export { type ModelProvenance, modelProvenance } from "./output/model-provenance.js";
export {
  type ExistingOutput,
  OutputDirectory,
  type OutputFolder,
} from "./output/output-directory.js";
export { OutputError, type OutputErrorKind } from "./output/output-error.js";
export { OUTPUT_FILES } from "./output/output-files.js";
export { isRunDirectory } from "./output/run-directory.js";
export { type ScenarioPart, scenarioFolder, scenarioPart } from "./output/scenario-names.js";
export { ScenarioReader } from "./output/scenario-reader.js";
export { SCENARIO, ScenarioWriter } from "./output/scenario-writer.js";
export { type StateVariable, stateVariables } from "./output/state-variables.js";
export { writeStochastic } from "./output/stochastic-export.js";
export {
  type OutputCell,
  readOutputColumns,
  readOutputTable,
  type TableColumns,
  writeTable,
} from "./output/table.js";
export { TableBuilder, tableOf } from "./output/table-builder.js";
export {
  BUSES,
  COMMITMENTS,
  CONTRACTS,
  COSTS,
  EXCHANGES,
  GENERIC_VIOLATIONS,
  HYDRO_BUS_GENERATION,
  HYDROS,
  IN_TRANSIT,
  INFLOW_LAGS,
  NON_CONTROLLABLES,
  PATHS,
  PUMPING_STATIONS,
  SCENARIO_SUMMARY,
  THERMALS,
} from "./output/tables/simulation-tables.js";
export {
  BOUNDS,
  COLLECTIVES,
  CONVERGENCE,
  CUT_SELECTION,
  ITERATION_TIMING,
  RANK_TIMING,
  RETRY_HISTOGRAM,
  SOLVER_ITERATIONS,
  STATES,
} from "./output/tables/training-tables.js";
export {
  CONTAINER_VERSION,
  type Container,
  type ContainerArrays,
  ContainerError,
  decodeContainer,
  encodeContainer,
} from "./policy/container.js";
export { FlatTableError } from "./policy/flat-table.js";
export {
  decodeReferenceCuts,
  decodeReferenceManifest,
  type ReferenceCuts,
  type ReferenceManifest,
  type ReferenceSlot,
} from "./policy/reference-cuts.js";
export type { CaseSchema } from "./schema/case-schemas.js";
export type { JsonSchema } from "./schema/json-schema.js";
export type { Uncertainty } from "./stochastic-input.js";
