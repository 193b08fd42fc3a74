/** The inner door: what tests need beyond the public one. No published package opens it. */
export { Roots } from "./files/roots.js";
export { answer, type Query } from "./results/query.js";
export { STATISTICS, statisticOf } from "./results/statistics.js";
export { EventTail } from "./runs/events.js";
