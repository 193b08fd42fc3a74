/** The inner door: what tests need beyond the public one. No published package opens it. */
export { pngOf } from "./charts/png.js";
export { searchPages } from "./docs/pages.js";
export { Roots } from "./files/roots.js";
export { explainStage } from "./results/explain.js";
export { answer, type Query } from "./results/query.js";
export { statisticOf } from "./results/statistics.js";
export { waterValue } from "./results/water-value.js";
export { EventTail } from "./runs/events.js";
export { findProcess } from "./runs/processes.js";
export { requestOf, send } from "./transport/web.js";
