/** The case directory, read and judged; the output directory, written so that there is never half of it. */
export {
  type Config,
  type CutSelection,
  DEFAULT_SEED,
  type ScenarioSource,
  type Scheme,
  type StoppingRule,
} from "./files/config.js";
export { mergePatch } from "./json/merge-patch.js";
export {
  type Case,
  type CaseValidation,
  fillOpeningTree,
  loadCase,
  openingTreeLength,
  validateCase,
} from "./load-case.js";
export { removePartials, writeAtomically } from "./output/atomic.js";
export { ENTITY_TYPE, OPERATIVE_STATE, STORAGE_BINDING } from "./output/codes.js";
export type {
  ColumnSpec,
  NumberColumn,
  OutputColumn,
  TableRow,
  TableSpec,
  TextColumn,
} from "./output/column.js";
export { TABLES, writeDictionaries } from "./output/dictionaries.js";
export {
  type ExistingOutput,
  OUTPUT_FILES,
  OutputDirectory,
  type OutputFolder,
} from "./output/output-directory.js";
export { OutputError, type OutputErrorKind } from "./output/output-error.js";
export { writeStochastic } from "./output/stochastic-export.js";
export { type OutputCell, readOutputTable, writeTable } from "./output/table.js";
export { TableBuilder, tableOf } from "./output/table-builder.js";
export {
  BUSES,
  COSTS,
  EXCHANGES,
  HYDROS,
  INFLOW_LAGS,
  THERMALS,
} from "./output/tables/simulation-tables.js";
export {
  CONVERGENCE,
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
export type { Uncertainty } from "./stochastic-input.js";
