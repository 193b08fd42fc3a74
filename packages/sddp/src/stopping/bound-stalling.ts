import { LIMITS } from "@cobre/io";
import { isStalling } from "./stalling.js";
import type { StoppingRulePlugin } from "./stopping-rule.js";

/** Holds when the lower bound has moved by less than the tolerance in a number of iterations. */
export type BoundStalling = {
  readonly type: "bound_stalling";
  readonly iterations: number;
  readonly tolerance: number;
};

export const boundStalling: StoppingRulePlugin<BoundStalling> = {
  type: "bound_stalling",
  example: '{"type": "bound_stalling", "iterations": …, "tolerance": …}',
  ending: "a bound that rises no more",
  meansConverged: true,
  read: (settings) => ({
    type: "bound_stalling",
    iterations: settings.integer("iterations", { min: 1, max: LIMITS.iterations }),
    tolerance: settings.number("tolerance", { min: 0 }),
  }),
  create: ({ iterations, tolerance }) => ({
    holds: (progress) => isStalling(progress, iterations, tolerance),
  }),
};
