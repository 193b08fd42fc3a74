import type { Case } from "@cobre/io";

/**
 * The largest number of iterations that the stopping rules allow. With `stopping_mode` "all" and other rules than iteration limits there is
 * none.
 */
export function iterationLimit({ training }: Case["config"]): number | undefined {
  const { stoppingRules, stoppingMode } = training;
  const limits = stoppingRules.flatMap((rule) =>
    rule.type === "iteration_limit" ? [rule.limit] : [],
  );
  if (stoppingMode === "any") return Math.min(...limits);
  return limits.length === stoppingRules.length ? Math.max(...limits) : undefined;
}
