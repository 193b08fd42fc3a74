import type { StoppingRule } from "@cobre/io";
import type { Termination } from "../events.js";

/** What the rules look at. */
export interface Progress {
  /** Iterations that are done. */
  readonly iteration: number;
  /** Of each iteration, the first one first. */
  readonly lowerBounds: readonly number[];
  /** The bound before the first cut. */
  readonly initialBound: number;
  /** Whether a number of seconds is over; rank 0 has decided it for all. */
  hasElapsed(seconds: number): boolean;
  /** Whether two simulations of the policy agree; makes the second one. */
  hasSettled(rule: Extract<StoppingRule, { type: "simulation" }>): boolean;
}

/** Which rule ends training now, if one does. All ranks decide alike. */
export function whichStops(
  rules: readonly StoppingRule[],
  mode: "any" | "all",
  progress: Progress,
): Termination | undefined {
  // Every rule is asked, also behind one that holds: a simulation is made by its own calendar.
  const holding = rules.filter((rule) => holds(rule, progress));
  if (mode === "all") return holding.length === rules.length ? holding.at(-1)?.type : undefined;
  return holding[0]?.type;
}

function holds(rule: StoppingRule, progress: Progress): boolean {
  switch (rule.type) {
    case "iteration_limit":
      return progress.iteration >= rule.limit;
    case "time_limit":
      return progress.hasElapsed(rule.seconds);
    case "bound_stalling":
      return isStalling(progress, rule.iterations, rule.tolerance);
    case "simulation":
      return (
        progress.iteration > 0 &&
        progress.iteration % rule.period === 0 &&
        isStalling(progress, rule.boundWindow, rule.boundTolerance) &&
        progress.hasSettled(rule)
      );
  }
}

/** |LB_n - LB_(n - window)| / max(1, |LB_n|) < tolerance; never while the bound has not moved from where it began. */
export function isStalling(
  { lowerBounds, initialBound }: Pick<Progress, "lowerBounds" | "initialBound">,
  window: number,
  tolerance: number,
): boolean {
  const last = lowerBounds.at(-1);
  const earlier = lowerBounds.at(-1 - window);
  if (last === undefined || earlier === undefined || lowerBounds.length <= window) return false;
  if (last === initialBound) return false;
  return Math.abs(last - earlier) / Math.max(1, Math.abs(last)) < tolerance;
}
