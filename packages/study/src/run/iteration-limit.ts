import type { Case } from "@cobre/io";
import { isIterationLimit } from "@cobre/sddp";

/**
 * The largest number of iterations that the stopping rules allow. With `stopping_mode` "all" and other rules than iteration limits there is
 * none.
 */
export function iterationLimit({ training }: Case["config"]): number | undefined {
  const { stoppingRules, stoppingMode } = training;
  const limits = stoppingRules.filter(isIterationLimit).map(({ limit }) => limit);
  if (stoppingMode === "any") return Math.min(...limits);
  if (stoppingMode === "all_within_limit") return Math.max(...limits);
  return limits.length === stoppingRules.length ? Math.max(...limits) : undefined;
}
