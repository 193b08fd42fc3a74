import type { StoppingRulePlugin } from "./stopping-rule.js";

/** Holds when the run has taken this time, by the clock of rank 0. */
export type TimeLimit = { readonly type: "time_limit"; readonly seconds: number };

export const timeLimit: StoppingRulePlugin<TimeLimit> = {
  type: "time_limit",
  example: '{"type": "time_limit", "seconds": …}',
  ending: "the time limit",
  read: (settings) => ({ type: "time_limit", seconds: settings.number("seconds", { min: 0 }) }),
  create: ({ seconds }, { elapsedSeconds }) => ({
    asksFirstRank: () => elapsedSeconds() >= seconds,
    holds: (_, isOver) => isOver,
    // The clock starts again with every run, unless the time is over once and for all because another rule has to hold as well.
    holdsStill: (_, { held, mode }) => mode === "all" && held,
  }),
};
