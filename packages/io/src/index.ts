/** The case directory: read, and everything that is wrong with it told. */
export {
  type Config,
  type CutSelection,
  DEFAULT_SEED,
  type ScenarioSource,
  type Scheme,
  type StoppingRule,
} from "./files/config.js";
export {
  type Case,
  type CaseValidation,
  fillOpeningTree,
  loadCase,
  openingTreeLength,
  validateCase,
} from "./load-case.js";
export type { Uncertainty } from "./stochastic-input.js";
