/** Small random systems and what is known about them without the solver. */

export { boundaryOf } from "./boundary-policy.js";
export { checkSystem, type Verdict } from "./check.js";
export { furthestOf } from "./commitments.js";
export * from "./equipment.js";
export { canReachOptimum } from "./exactness.js";
export { optimumOf } from "./extensive-form.js";
export { fillingOf, isFilling } from "./filling.js";
export { generateSystem } from "./generate.js";
export { withoutLaterFeatures } from "./generate-later.js";
export { isSplitPlant } from "./groups.js";
export { diversionOf } from "./node-program.js";
export { discountOf } from "./path-links.js";
export { KEPT, numbersOf, reportFailure } from "./report.js";
export { withSampledNoise } from "./sampled-noise.js";
export { shrink } from "./shrink.js";
export * from "./system.js";
export { arcsOf, depthOf } from "./travel.js";
export { lagWeights, ownInflow, pastInflow, type TreeNode, treeOf } from "./tree.js";
export { type WalkedPath, walkPaths } from "./walk-paths.js";
export { evaporationOf, isSoft, waterPenaltiesOf } from "./water-use.js";
export { type WriteOptions, writeCase } from "./write-case.js";
