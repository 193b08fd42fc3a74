import { LIMITS } from "@cobre/io";
import { isStalling } from "./stalling.js";
import type { Progress, StoppingContext, StoppingRulePlugin } from "./stopping-rule.js";

/**
 * Holds when two simulations of the policy, `period` iterations apart, agree in the mean cost of each stage. Nothing is simulated while the
 * bound still moves.
 */
export type SimulationRule = {
  readonly type: "simulation";
  readonly replications: number;
  readonly period: number;
  readonly boundWindow: number;
  readonly distanceTolerance: number;
  readonly boundTolerance: number;
};

export const simulation: StoppingRulePlugin<SimulationRule> = {
  type: "simulation",
  example:
    '{"type": "simulation", "replications": …, "period": …, "bound_window": …, "distance_tol": …, "bound_tol": …}',
  ending: "simulations that agree",
  meansConverged: true,
  read: (settings) => ({
    type: "simulation",
    replications: settings.integer("replications", { min: 1, max: LIMITS.scenarios }),
    period: settings.integer("period", { min: 1, max: LIMITS.iterations }),
    boundWindow: settings.integer("bound_window", { min: 1, max: LIMITS.iterations }),
    distanceTolerance: settings.number("distance_tol", { min: 0 }),
    boundTolerance: settings.number("bound_tol", { min: 0 }),
  }),
  create: (rule, context) => {
    /** The mean cost of each stage in the last simulation. */
    let last = context.state;
    const isDue = (progress: Progress) =>
      progress.history.length % rule.period === 0 &&
      isStalling(progress, rule.boundWindow, rule.boundTolerance);
    return {
      holds: (progress) => {
        if (!isDue(progress)) return false;
        const { costs, distance } = compare(rule, context, last, progress.history.length);
        last = costs;
        return distance !== undefined && distance < rule.distanceTolerance;
      },
      // A simulation is not repeated: what it said belongs to the policy.
      holdsStill: (progress, { held }) => isDue(progress) && held,
      get state() {
        return last;
      },
    };
  },
};

/** Simulates. The distance from the simulation before is ‖new - old‖ / max(1, ‖new‖). */
function compare(
  { replications }: SimulationRule,
  { meanStageCosts, tell }: StoppingContext,
  before: Float64Array | undefined,
  iteration: number,
): { costs: Float64Array; distance: number | undefined } {
  const began = performance.now();
  const costs = meanStageCosts(replications);
  const distance = before && distanceOf(costs, before);
  const ms = performance.now() - began;
  const lpSolves = replications * costs.length;
  tell({ type: "simulation_compared", iteration, ms, lpSolves, distance });
  return { costs, distance };
}

function distanceOf(costs: Float64Array, previous: Float64Array): number {
  let squares = 0;
  let size = 0;
  costs.forEach((cost, stage) => {
    const change = cost - previous[stage];
    squares += change * change;
    size += cost * cost;
  });
  return Math.sqrt(squares) / Math.max(1, Math.sqrt(size));
}
