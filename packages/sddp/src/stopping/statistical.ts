import { LIMITS } from "@cobre/io";
import { costStatistics } from "../training/statistics.js";
import type { Progress, StoppingRulePlugin } from "./stopping-rule.js";

/**
 * Holds when the lower bound is not below the confidence interval of the mean cost in a simulation of the policy: mean - z · deviation / √n.
 *
 * The test says that a gap could not be seen, not that there is none. The fewer replications, the wider the interval, and the earlier it
 * holds; asked every few iterations, it holds by chance at last. So it wants hundreds of replications, and a long period.
 */
export type Statistical = {
  readonly type: "statistical";
  readonly replications: number;
  readonly period: number;
  readonly zScore: number;
};

/** The solver may find the same cost from another basis with other last digits. */
const ROUNDING = 1e-9;

export const statistical: StoppingRulePlugin<Statistical> = {
  type: "statistical",
  example: '{"type": "statistical", "replications": …, "period": …}',
  ending: "a bound within the confidence interval of simulated costs",
  meansConverged: true,
  read: (settings) => ({
    type: "statistical",
    // A single scenario has no deviation.
    replications: settings.integer("replications", { min: 2, max: LIMITS.scenarios }),
    period: settings.integer("period", { min: 1, max: LIMITS.iterations }),
    zScore: settings.optionalNumber("z_score", { min: 0 }) ?? 1.96,
  }),
  faultIn: (_, { isRiskNeutral, isCyclic }) => {
    if (isCyclic) {
      return {
        problem:
          "compares the lower bound with the cost of paths, which have no end in a cyclic horizon",
        remedy: "use bound_stalling or simulation",
      };
    }
    if (isRiskNeutral) return undefined;
    return {
      problem:
        "compares the lower bound with a mean cost, which it does not bound with a risk measure",
      remedy: "use bound_stalling or simulation, or the expectation in all stages",
    };
  },
  create: ({ replications, period, zScore }, { scenarioCosts }) => {
    const isDue = ({ history }: Progress) => history.length > 0 && history.length % period === 0;
    return {
      holds: (progress) => {
        const bound = progress.history.at(-1)?.lowerBound;
        if (bound === undefined || !isDue(progress)) return false;
        const { mean, std, count } = costStatistics(scenarioCosts(replications));
        const size = Math.max(1, Math.abs(mean));
        return bound >= mean - (zScore * std) / Math.sqrt(count) - ROUNDING * size;
      },
      // A simulation is not repeated: what it said belongs to the policy.
      holdsStill: (progress, { held }) => isDue(progress) && held,
    };
  },
};
