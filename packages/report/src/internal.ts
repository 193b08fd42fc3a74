/** The inner door: what tests need beyond the public one. No published package opens it. */
export { histogramOf } from "./charts/histogram.js";
export { stageName, stageTicks } from "./charts/stage-labels.js";
export { curveOf } from "./charts/value-function.js";
export { chooseScenarios, packCube } from "./page/cubes.js";
export { clientScript } from "./page/script.js";
export { percent } from "./words.js";
