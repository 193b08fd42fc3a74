/** The report on a run as one HTML page, and its charts one by one. */
export { renderReport } from "./page/render.js";
export { type Chart, type ChartRequest, NoChart, renderChart } from "./single/chart.js";
