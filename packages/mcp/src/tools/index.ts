/** All tools, in the order in which a study uses them. */
import { describeCase, listCases, validateTool, varyTool } from "./cases.js";
import { renderTool } from "./chart.js";
import { compareTool } from "./compare.js";
import { getConvergence } from "./convergence.js";
import { getWaterValue, inspectPolicy } from "./policy.js";
import { getSchema, searchDocs } from "./reference.js";
import { explainTool, queryResults } from "./results.js";
import { cancelRun, listRuns, runStatus, startRun } from "./runs.js";
import type { Tool } from "./tool.js";

export const TOOLS: readonly Tool[] = [
  listCases,
  describeCase,
  validateTool,
  varyTool,
  startRun,
  runStatus,
  cancelRun,
  listRuns,
  getConvergence,
  queryResults,
  inspectPolicy,
  getWaterValue,
  explainTool,
  compareTool,
  renderTool,
  getSchema,
  searchDocs,
];
