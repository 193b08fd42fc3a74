import type { ObjectReader, StoppingRule, StoppingRuleFormat } from "@cobre/io";
import type { EventListener } from "../events.js";

/** How far training has come. The same on all ranks. */
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
}

/** What training offers a stopping rule. */
export interface StoppingContext {
  /** A copy of what the rule kept in the policy that is resumed: its `state`. */
  readonly state: Float64Array | undefined;
  /** Seconds since the run began, by the clock of this rank. Only for `asksFirstRank`: ranks must not decide by their own clocks. */
  elapsedSeconds(): number;
  /** Collective: simulates, and returns the mean cost of each stage in $. Repeated calls use the same scenarios. */
  meanStageCosts(scenarios: number): Float64Array;
  /** Collective: simulates, and returns the discounted cost of each scenario in $. Repeated calls use the same scenarios. */
  scenarioCosts(scenarios: number): Float64Array;
  /** Tells the listeners of this training. */
  tell: EventListener;
}

/** What a stopping rule may need of a study to make sense in it. */
export interface StoppingFacts {
  /** Whether the lower bound is a bound on the expected cost. */
  readonly isRiskNeutral: boolean;
  /** Whether the first stage follows the last one. Paths then end with what the cuts know of later cycles, which may be too little. */
  readonly isCyclic: boolean;
  /** Whether forward passes go along every path. Their mean is then the cost of the policy, and not an estimate of it. */
  readonly isEnumerated: boolean;
}

/** A stopping rule at work in a training. */
export interface RunningStoppingRule {
  /**
   * Whether the rule holds now. It is asked once after each iteration, on all ranks, and has to give the same answer on all: from what it is
   * told here, and from collective calls.
   *
   * @param firstRankSays what `asksFirstRank` returned on rank 0
   */
  holds(progress: Progress, firstRankSays: boolean): boolean;
  /** Something that only one rank can know, such as the time. What it returns on rank 0 reaches `holds` on all ranks. */
  asksFirstRank?(): boolean;
  /**
   * Whether the rule holds when a policy is resumed, before the first iteration of this run. Without it `holds` is asked, with nothing said by
   * the first rank.
   *
   * @param before whether the same rule held when the policy was written, and whether all rules have to hold or any
   */
  holdsStill?(
    progress: Progress,
    before: { readonly held: boolean; readonly mode: "any" | "all" },
  ): boolean;
  /** Numbers that the policy keeps for the rule. A rule with the same settings finds them in its context when the policy is resumed. */
  readonly state?: Float64Array | undefined;
}

/**
 * A kind of stopping rule: how its settings are written in `config.json`, and what it does. docs/plugins.md tells more.
 *
 * @example
 * ```ts
 * // {"type": "bound_reached", "bound": 4.2e6}
 * type BoundReached = { readonly type: "bound_reached"; readonly bound: number };
 *
 * const boundReached: StoppingRulePlugin<BoundReached> = {
 *   type: "bound_reached",
 *   example: '{"type": "bound_reached", "bound": …}',
 *   ending: "the bound that was asked for",
 *   read: (settings) => ({ type: "bound_reached", bound: settings.number("bound") }),
 *   create: ({ bound }) => ({
 *     holds: ({ history }) => (history.at(-1)?.lowerBound ?? Number.NEGATIVE_INFINITY) >= bound,
 *   }),
 * };
 *
 * const plugins = { stoppingRules: [boundReached] };
 * const source = await loadCase("cases/1dtoy", undefined, plugins);
 * const { termination } = await train(comm, source, { plugins });
 * ```
 */
export interface StoppingRulePlugin<S extends StoppingRule = StoppingRule>
  extends StoppingRuleFormat {
  readonly type: S["type"];
  /** What a report says about how training ended, after "until". Default: `type`. */
  readonly ending?: string;
  /** Whether a training that the rule ends has converged, rather than run out of time or iterations. Default: false. */
  readonly meansConverged?: boolean;
  read(settings: ObjectReader): S;
  /** Why the rule makes no sense in a study, if it does not. The validation of a case tells it, and training refuses the study. */
  faultIn?(
    rule: S,
    facts: StoppingFacts,
  ): { readonly problem: string; readonly remedy: string } | undefined;
  create(rule: S, context: StoppingContext): RunningStoppingRule;
}
