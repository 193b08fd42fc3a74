/** The inner door: what tests and benchmarks need beyond the public one. */
export { Deal } from "./distribution/deal.js";
export { shareModel } from "./model.js";
export { buildStageLp } from "./stage/stage-lp.js";
export { isStalling, type Progress, whichStops } from "./stopping/rules.js";
export { OPENINGS_PER_UNIT } from "./training/openings.js";
