import type { StoppingRule } from "@cobre/io";
import type { Plugins, RuleState, StoppingContext } from "@cobre/sddp";
import { StoppingRules } from "#internal";

/** What a test says about the training in which rules work. */
export interface AtWork extends Partial<Omit<StoppingContext, "state">> {
  readonly mode?: "any" | "all" | "all_within_limit";
  readonly plugins?: Plugins;
  readonly before?: readonly RuleState[];
  readonly isRiskNeutral?: boolean;
  readonly isEnumerated?: boolean;
}

/** Stopping rules in a training that is only said to be one. Nothing can be simulated unless the test says what that gives. */
export function rulesAtWork(
  rules: readonly StoppingRule[],
  {
    mode = "any",
    plugins = {},
    before = [],
    isRiskNeutral = true,
    isEnumerated = false,
    ...context
  }: AtWork = {},
): StoppingRules {
  const nothing = () => {
    throw new Error("nothing is to be simulated here");
  };
  return new StoppingRules(
    rules,
    mode,
    plugins,
    { isRiskNeutral, isCyclic: false, isEnumerated },
    {
      elapsedSeconds: () => 0,
      meanStageCosts: nothing,
      scenarioCosts: nothing,
      tell: () => {},
      ...context,
    },
    before,
  );
}
