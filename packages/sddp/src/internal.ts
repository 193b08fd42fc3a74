/** The inner door: what tests and benchmarks need beyond the public one. */
export { Deal } from "./distribution/deal.js";
export { shareModel } from "./model.js";
export { buildStageLp } from "./stage/stage-lp.js";
export { isStalling, type Progress, whichStops } from "./stopping/rules.js";
export { OpeningGroups } from "./training/opening-groups.js";
