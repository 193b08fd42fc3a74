import type { StoppingRule } from "@cobre/io";
import type { Termination } from "../events.js";

/** What the stopping rules look at. */
export interface Progress {
  /** The results of the completed iterations, in order. */
  readonly history: readonly {
    readonly lowerBound: number;
    readonly upperBoundMean: number;
  }[];
  /** The bound before the first iteration. */
  readonly initialBound: number;
  /** Whether training started with cuts of another policy. */
  readonly isWarm: boolean;
  /** Whether bound and mean cost measure the same thing. */
  readonly isRiskNeutral: boolean;
  /** Whether the limit is over, by the clock of rank 0. */
  hasElapsed(rule: Extract<StoppingRule, { type: "time_limit" }>): boolean;
  /** Makes a simulation and tells whether it agrees with the rule's previous one. */
  hasSettled(rule: Extract<StoppingRule, { type: "simulation" }>): boolean;
}

/**
 * The rules that hold now. Every rule is evaluated, even after one that holds, so that simulations are made at the same iterations in any
 * case. All ranks come to the same result.
 */
export function rulesHolding(
  rules: readonly StoppingRule[],
  progress: Progress,
): readonly StoppingRule[] {
  return rules.filter((rule) => holds(rule, progress));
}

/** The rule that ends training, if any, given those that hold. */
export function whichStops(
  rules: readonly StoppingRule[],
  mode: "any" | "all",
  holding: readonly StoppingRule[],
): Termination | undefined {
  if (mode === "all") return holding.length === rules.length ? holding.at(-1)?.type : undefined;
  return holding[0]?.type;
}

/**
 * The rules that hold when a policy is resumed. A simulation is not repeated: what it said belongs to the policy. The clock of a time
 * limit starts again with every run, unless the time is over once and for all because another rule has to hold as well.
 *
 * @param before the rules that held when the policy was written
 */
export function rulesHoldingStill(
  rules: readonly StoppingRule[],
  mode: "any" | "all",
  before: readonly StoppingRule[],
  progress: Omit<Progress, "hasElapsed" | "hasSettled">,
): readonly StoppingRule[] {
  const held = (rule: StoppingRule) => before.some((other) => isSameRule(rule, other));
  return rulesHolding(rules, {
    ...progress,
    hasElapsed: (rule) => mode === "all" && held(rule),
    hasSettled: held,
  });
}

/** Whether two rules have the same type and the same settings. */
export function isSameRule(a: StoppingRule, b: StoppingRule): boolean {
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => right.get(key) === value);
}

function holds(rule: StoppingRule, progress: Progress): boolean {
  const iteration = progress.history.length;
  switch (rule.type) {
    case "iteration_limit":
      return iteration >= rule.limit;
    case "time_limit":
      return progress.hasElapsed(rule);
    case "bound_stalling":
      return isStalling(progress, rule.iterations, rule.tolerance);
    case "simulation":
      return (
        iteration % rule.period === 0 &&
        isStalling(progress, rule.boundWindow, rule.boundTolerance) &&
        progress.hasSettled(rule)
      );
  }
}

/** The solver may find the same bound from another basis with other last digits. */
const ROUNDING = 1e-9;

/**
 * |LB_n - LB_(n - window)| / max(1, |LB_n|) < tolerance.
 *
 * A bound that is still at its initial value stalls only if there is a reason to believe in it: training started warm, or the forward
 * passes of the whole window cost as much as the bound says. A cold start may stay at its trivial bound for a while before it rises.
 */
export function isStalling(
  { history, initialBound, isWarm, isRiskNeutral }: Omit<Progress, "hasElapsed" | "hasSettled">,
  window: number,
  tolerance: number,
): boolean {
  const last = history.at(-1)?.lowerBound;
  const earlier = history.at(-1 - window)?.lowerBound;
  if (last === undefined || earlier === undefined) return false;
  const size = Math.max(1, Math.abs(last));
  if (Math.abs(last - initialBound) <= ROUNDING * size && !isWarm) {
    const isReached = history
      .slice(-1 - window)
      .every(({ upperBoundMean }) => Math.abs(upperBoundMean - last) / size < tolerance);
    if (!isReached || !isRiskNeutral) return false;
  }
  return Math.abs(last - earlier) / size < tolerance;
}
