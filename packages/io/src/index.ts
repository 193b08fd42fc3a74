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
export { type ExistingOutput, OUTPUT_FILES, OutputDirectory } from "./output/output-directory.js";
export { OutputError, type OutputErrorKind } from "./output/output-error.js";
export { type OutputColumn, readOutputTable, writeTable } from "./output/table.js";
export {
  CONTAINER_VERSION,
  type Container,
  type ContainerArrays,
  ContainerError,
  decodeContainer,
  encodeContainer,
} from "./policy/container.js";
export type { Uncertainty } from "./stochastic-input.js";
