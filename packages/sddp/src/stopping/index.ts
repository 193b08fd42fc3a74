/** The stopping rules. A new one is a file, and a line here. */
import { boundStalling } from "./bound-stalling.js";
import { gap } from "./gap.js";
import { iterationLimit } from "./iteration-limit.js";
import { simulation } from "./simulation.js";
import { statistical } from "./statistical.js";
import type { StoppingRulePlugin } from "./stopping-rule.js";
import { timeLimit } from "./time-limit.js";

export const STOPPING_RULES: readonly [StoppingRulePlugin, ...StoppingRulePlugin[]] = [
  iterationLimit,
  timeLimit,
  boundStalling,
  simulation,
  statistical,
  gap,
];
