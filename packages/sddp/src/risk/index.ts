/** The risk measures. A new one is a file, and a line here. The first one is that of stages which name none. */
import { cvar } from "./cvar.js";
import { expectation } from "./expectation.js";
import type { RiskMeasurePlugin } from "./risk-measure.js";
import { worstCase } from "./worst-case.js";

export const RISK_MEASURES: readonly [RiskMeasurePlugin, ...RiskMeasurePlugin[]] = [
  expectation,
  cvar,
  worstCase,
];
