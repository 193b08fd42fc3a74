import type { Communicator } from "@cobre/comm";
import type { StoppingRule } from "@cobre/io";
import type { EventListener } from "../events.js";
import type { RuleSimulation } from "../policy/policy.js";
import { meanStageCosts } from "../simulation/stage-costs.js";
import { isSameRule } from "../stopping/rules.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

export type SimulationRule = Extract<StoppingRule, { type: "simulation" }>;

interface Remembered {
  readonly rule: SimulationRule;
  readonly costs: Float64Array;
  /** Of this run only; 0 for a simulation of the policy that is resumed. */
  readonly iteration: number;
  readonly hasSettled: boolean;
}

/** The simulations that stopping rules make. Each rule compares with its own previous one. */
export class RuleSimulations<C extends Communicator> {
  private readonly workspace: Workspace<C>;
  private remembered: readonly Remembered[];

  /** @param before the simulations of the policy that is resumed */
  constructor(workspace: Workspace<C>, before: readonly RuleSimulation[]) {
    this.workspace = workspace;
    const { stoppingRules } = workspace.model.config.training;
    const rules = stoppingRules.filter((rule) => rule.type === "simulation");
    this.remembered = rules.flatMap((rule, i) => {
      const isOwn = (other: StoppingRule | undefined) =>
        other === undefined ? i === 0 : isSameRule(rule, other);
      const found = before.find((simulation) => isOwn(simulation.rule));
      return found ? [{ rule, costs: found.costs, iteration: 0, hasSettled: false }] : [];
    });
  }

  /** For a policy: the last simulation of each rule. */
  get last(): readonly RuleSimulation[] {
    return this.remembered.map(({ rule, costs }) => ({ rule, costs }));
  }

  /**
   * Collective: simulates and compares with the rule's previous simulation. The distance of the mean stage costs is ‖new - old‖ / max(1,
   * ‖new‖).
   */
  hasSettled(
    rule: SimulationRule,
    iteration: number,
    points: TrialPoints,
    tell: EventListener,
  ): boolean {
    const previous = this.remembered.find((one) => isSameRule(one.rule, rule));
    // The same rule a second time must not compare a simulation with itself.
    if (previous?.iteration === iteration) return previous.hasSettled;
    const began = performance.now();
    const costs = meanStageCosts(this.workspace, points, rule.replications);
    const distance = previous && distanceOf(costs, previous.costs);
    const hasSettled = distance !== undefined && distance < rule.distanceTolerance;
    const others = this.remembered.filter((one) => one !== previous);
    this.remembered = [...others, { rule, costs, iteration, hasSettled }];
    tell({
      type: "simulation_compared",
      iteration,
      ms: performance.now() - began,
      lpSolves: rule.replications * costs.length,
      distance,
    });
    return hasSettled;
  }
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
