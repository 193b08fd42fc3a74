import type { Config, StoppingRule } from "@cobre/io";
import { SddpError } from "../errors.js";
import type { Termination } from "../events.js";
import { type Plugins, stoppingRuleOf } from "../plugins.js";
import type { RuleState } from "../policy/policy.js";
import { isIterationLimit } from "./iteration-limit.js";
import type {
  Progress,
  RunningStoppingRule,
  StoppingContext,
  StoppingFacts,
} from "./stopping-rule.js";

type StoppingMode = Config["training"]["stoppingMode"];

interface Running {
  readonly rule: StoppingRule;
  readonly running: RunningStoppingRule;
}

/** The stopping rules of a training, at work. A rule that a case has twice works once. */
export class StoppingRules {
  private readonly rules: readonly StoppingRule[];
  private readonly mode: StoppingMode;
  private readonly running: readonly Running[];

  /** @param before what the rules kept in the policy that is resumed */
  constructor(
    rules: readonly StoppingRule[],
    mode: StoppingMode,
    plugins: Plugins,
    facts: StoppingFacts,
    context: Omit<StoppingContext, "state">,
    before: readonly RuleState[],
  ) {
    this.rules = rules;
    this.mode = mode;
    const different = rules.filter((rule, i) => rules.findIndex((o) => isSameRule(o, rule)) === i);
    this.running = different.map((rule) => {
      const plugin = stoppingRuleOf(rule, plugins);
      const fault = plugin.faultIn?.(rule, facts);
      if (fault !== undefined) {
        const message = `the stopping rule ${rule.type} ${fault.problem}; ${fault.remedy}`;
        throw new SddpError("InvalidSettings", message);
      }
      const state = stateOf(rule, rules, before);
      return { rule, running: plugin.create(rule, { ...context, state }) };
    });
  }

  /** What the rules say that ask the first rank; it counts only there. */
  firstRankSays(): readonly boolean[] {
    return this.running.flatMap(({ running }) => running.asksFirstRank?.() ?? []);
  }

  /**
   * Collective: the rules that hold now. Every rule is asked, even after one that holds, so that simulations are made at the same iterations
   * in any case.
   *
   * @param said what {@link firstRankSays} returned on rank 0
   */
  holding(progress: Progress, said: readonly boolean[]): readonly StoppingRule[] {
    const answers = said[Symbol.iterator]();
    return this.filter(({ running }) => {
      const answer = running.asksFirstRank === undefined ? undefined : answers.next().value;
      return running.holds(progress, answer ?? false);
    });
  }

  /**
   * The rules that hold when a policy is resumed.
   *
   * @param before the rules that held when the policy was written
   */
  holdingStill(progress: Progress, before: readonly StoppingRule[]): readonly StoppingRule[] {
    return this.filter(({ rule, running }) => {
      const held = before.some((other) => isSameRule(rule, other));
      if (running.holdsStill === undefined) return running.holds(progress, false);
      return running.holdsStill(progress, { held, mode: this.mode === "any" ? "any" : "all" });
    });
  }

  /** The rule that ends training, if any, given those that hold. */
  whichStops(holding: readonly StoppingRule[]): Termination | undefined {
    if (this.mode === "any") return holding[0]?.type;
    if (this.mode === "all_within_limit") return this.whichStopsWithin(holding);
    return holding.length === this.rules.length ? holding.at(-1)?.type : undefined;
  }

  /** All rules but the limits of iterations, or the largest of these. */
  private whichStopsWithin(holding: readonly StoppingRule[]): Termination | undefined {
    const limits = this.rules.filter(isIterationLimit);
    const most = Math.max(...limits.map(({ limit }) => limit));
    const reached = holding.find((rule) => isIterationLimit(rule) && rule.limit === most);
    if (reached !== undefined) return reached.type;
    const others = holding.filter((rule) => !isIterationLimit(rule));
    const count = this.rules.length - limits.length;
    return count > 0 && others.length === count ? others.at(-1)?.type : undefined;
  }

  /** For a policy: a copy of what each rule keeps. */
  get states(): readonly RuleState[] {
    return this.running.flatMap(({ rule, running: { state } }) =>
      state === undefined ? [] : [{ rule, values: state.slice() }],
    );
  }

  private filter(isHolding: (one: Running) => boolean): readonly StoppingRule[] {
    const holding = this.running.filter(isHolding);
    return this.rules.filter((rule) => holding.some((one) => isSameRule(one.rule, rule)));
  }
}

function stateOf(
  rule: StoppingRule,
  rules: readonly StoppingRule[],
  before: readonly RuleState[],
): Float64Array | undefined {
  // Files of earlier versions have one state that names no rule: that of the first simulation.
  const nameless = rules.find(({ type }) => type === "simulation");
  return before.find((state) => isSameRule(state.rule ?? nameless, rule))?.values.slice();
}

/** Whether two rules have the same type and the same settings. */
export function isSameRule(a: StoppingRule | undefined, b: StoppingRule): boolean {
  if (a === undefined) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => right.get(key) === value);
}
