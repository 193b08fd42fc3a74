/** The inner door: what tests need beyond the public one. No published package opens it. */
export { recentOf, riseOf } from "./report/convergence.js";
export { percentile, sortedValues } from "./report/cube.js";
export { distributionOf } from "./report/distribution.js";
export { percentText, secondsText } from "./report/verdict.js";
export { warningsOf } from "./report/warnings.js";
export { differenceOfPolicies } from "./results/compare-policies.js";
export { parseCsv } from "./results/dictionaries.js";
export { JsonFields } from "./results/json-fields.js";
export { RunFiles } from "./results/run-files.js";
export { ScenarioTables } from "./results/scenario-tables.js";
