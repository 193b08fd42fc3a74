/** The report on a run as one HTML page. */
export { renderReport } from "./page/render.js";
