import { LIMITS, type StoppingRule } from "@cobre/io";
import type { StoppingRulePlugin } from "./stopping-rule.js";

/** Holds after a number of iterations, those of resumed policies among them. */
export type IterationLimit = { readonly type: "iteration_limit"; readonly limit: number };

/** Every case needs one, so that every training ends. */
export const iterationLimit: StoppingRulePlugin<IterationLimit> = {
  type: "iteration_limit",
  example: '{"type": "iteration_limit", "limit": …}',
  isNeeded: true,
  ending: "the limit of iterations",
  read: (settings) => ({
    type: "iteration_limit",
    limit: settings.integer("limit", { min: 1, max: LIMITS.iterations }),
  }),
  create: ({ limit }) => ({ holds: ({ history }) => history.length >= limit }),
};

/** Whether a rule is a limit of iterations. */
export function isIterationLimit(rule: StoppingRule): rule is IterationLimit {
  return rule.type === "iteration_limit";
}
