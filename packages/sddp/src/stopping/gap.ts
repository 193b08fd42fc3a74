import type { StoppingRulePlugin } from "./stopping-rule.js";

/**
 * Holds when the cost of the policy is close enough to the lower bound: within `tolerance`, in $, or within `relativeTolerance`, in percent of
 * max(1, |lower bound|). The cost is known only where forward passes go along every path. The optimum lies between the two.
 */
export type Gap = {
  readonly type: "gap";
  readonly tolerance?: number;
  readonly relativeTolerance?: number;
};

/** The solver may find the same cost from another basis with other last digits. */
const ROUNDING = 1e-9;

export const gap: StoppingRulePlugin<Gap> = {
  type: "gap",
  example: '{"type": "gap", "relative_tolerance": …}',
  ending: "a policy that costs hardly more than the bound",
  meansConverged: true,
  read: (settings) => {
    const tolerance = settings.optionalNumber("tolerance", { min: 0 });
    const relativeTolerance = settings.optionalNumber("relative_tolerance", { min: 0 });
    if (tolerance === undefined && relativeTolerance === undefined) {
      const remedy = "give tolerance, in $, or relative_tolerance, in percent of the bound";
      settings.report("tolerance", "is missing", remedy);
    }
    return {
      type: "gap",
      ...(tolerance !== undefined && { tolerance }),
      ...(relativeTolerance !== undefined && { relativeTolerance }),
    };
  },
  faultIn: (_, { isEnumerated }) =>
    isEnumerated
      ? undefined
      : {
          problem:
            "compares the lower bound with the cost of the policy, which drawn paths only estimate",
          remedy:
            'let passes go along every path (training.selection {"method": "enumerated"}), or use statistical or bound_stalling',
        },
  create: ({ tolerance = 0, relativeTolerance = 0 }) => ({
    holds: ({ history }) => {
      const last = history.at(-1);
      if (last === undefined) return false;
      const size = Math.max(1, Math.abs(last.lowerBound));
      const allowed = Math.max(tolerance, (relativeTolerance / 100) * size);
      return last.upperBoundMean - last.lowerBound <= allowed + ROUNDING * size;
    },
  }),
};
