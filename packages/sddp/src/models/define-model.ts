import { IssueCollector, type RiskMeasure, ValidationError } from "@cobre/core";
import { mergePatch, parseConfig, withEveryPath } from "@cobre/io";
import { formatsWith } from "../case-format.js";
import { SddpError } from "../errors.js";
import { riskMeasureOf } from "../plugins.js";
import { enumerationFaults } from "../sampling/enumeration.js";
import { DefinedModel } from "./defined-model.js";
import { lowestOwnCost, type ModelParts, type State } from "./formulated-model.js";
import type { ModelDefinition, StateDefinition } from "./model-definition.js";
import { modelGraph } from "./model-graph.js";
import { StageFormulation } from "./stage-formulation.js";

const EXPECTATION: RiskMeasure = { kind: "expectation" };

const ITERATIONS = [{ type: "iteration_limit", limit: 100 }];

/** What a definition need not say. */
const DEFAULTS = {
  training: { forward_passes: 1, stopping_rules: ITERATIONS },
  simulation: { num_scenarios: 1000 },
};

/**
 * Defines a multistage stochastic linear program of one's own. {@link train} and {@link simulate} take it in place of a case, on any
 * communicator and with the same bits on any number of ranks.
 *
 * @throws `ValidationError` with all mistakes of the definition
 * @example
 * ```ts
 * const shop = defineModel({
 *   stages: 3,
 *   sense: "max",
 *   state: { stock: 0 },
 *   openings: (stage) => (stage === 0 ? [0] : [2, 10]), // the demand
 *   futureBound: 100,
 *   build({ state: { stock }, ...stage }) { … },
 * });
 * ```
 */
export function defineModel<const Name extends string, Opening = undefined>(
  definition: ModelDefinition<Name, Opening>,
): DefinedModel {
  const issues = new IssueCollector();
  const parts = partsOf(definition, issues);
  if (parts === undefined || issues.errors.length > 0) {
    throw new ValidationError(issues.issues, "the model");
  }
  return new DefinedModel(parts);
}

function partsOf<Name extends string, Opening>(
  definition: ModelDefinition<Name, Opening>,
  issues: IssueCollector,
): ModelParts | undefined {
  const { stages, sense = "min", futureBound } = definition;
  const fault = (field: string, problem: string, remedy: string) =>
    issues.error("schema", { file: "model", field }, problem, remedy);
  if (!Number.isSafeInteger(stages) || stages < 1) {
    fault("stages", `is ${stages}`, "must be a whole number, 1 or more");
    return undefined;
  }
  if (sense !== "min" && sense !== "max") fault("sense", `is ${sense}`, "must be min or max");
  if (futureBound !== undefined && !Number.isFinite(futureBound)) {
    fault("futureBound", `is ${futureBound}`, "must be a finite number; it may be loose");
  }
  const sign = sense === "max" ? -1 : 1;
  const states = statesOf(definition.state, fault);
  const ofStates = Object.fromEntries(states) as Record<Name, State>;
  const indices = Array.from({ length: stages }, (_, stage) => stage);
  const graph = modelGraph(definition as ModelDefinition<string, unknown>, fault);
  const formulations = graph.nodes.map(({ stage: index, children }, i) => {
    const node = i - graph.nodesOf(index)[0];
    const openings = definition.openings?.(index, node) ?? [undefined as Opening];
    if (openings.length === 0) {
      const of = graph.isChain ? `${index}` : `${index}, ${node}`;
      fault(`openings(${of})`, "is empty", "give at least one");
    }
    const isLast = children.length === 0;
    const stage = new StageFormulation(index, isLast, ofStates, openings, issues, node);
    if (openings.length > 0) definition.build(stage);
    return stage as StageFormulation;
  });
  const discount = Float64Array.from(indices, (stage) => {
    const factor = at(definition.discount ?? 1, stage);
    if (factor > 0 && factor <= 1) return factor;
    fault(`discount of stage ${stage}`, `is ${factor}`, "must be above 0 and at most 1");
    return 1;
  });
  if (graph.isCyclic && discount.every((factor) => factor === 1)) {
    const remedy =
      "must be below 1 in some stage of a cyclic model, whose objective has no end otherwise";
    fault("discount", "is 1", remedy);
  }
  const risk = indices.map((stage) => at(definition.risk ?? EXPECTATION, stage));
  risk.forEach((measure, stage) => {
    checkRisk(measure, `risk of stage ${stage}`, fault);
  });
  const parsed = parseConfig(
    mergePatch(defaultsFor(definition.config ?? {}), definition.config ?? {}),
    "config",
    issues,
    formatsWith({}),
  );
  const config = withEveryPath(parsed, graph);
  const openings = (node: number) => formulations[node].openings.length;
  for (const { field, problem, remedy } of enumerationFaults(config, graph, openings)) {
    fault(`config.${field}`, problem, remedy);
  }
  if (futureBound === undefined && issues.errors.length === 0) {
    const later = formulations.filter(({ index }) => index > 0 || graph.isCyclic);
    const endless = later.find((one) => !isBounded(one, states, sign));
    if (endless !== undefined) {
      const remedy = `give a number that the objective of all later stages together never ${sense === "max" ? "exceeds" : "falls below"}; it may be loose`;
      fault(
        "futureBound",
        `is missing, and stage ${endless.index} has no bound of its own`,
        remedy,
      );
    }
  }
  return { sign, states, formulations, graph, futureBound, discount, risk, config };
}

/** The defaults, without counts of paths where a selection says which paths there are. */
function defaultsFor(config: NonNullable<ModelDefinition<string, unknown>["config"]>): object {
  const { training, simulation } = DEFAULTS;
  return {
    training: "selection" in (config.training ?? {}) ? { stopping_rules: ITERATIONS } : training,
    simulation: "selection" in (config.simulation ?? {}) ? {} : simulation,
  };
}

function statesOf(
  definitions: Readonly<Record<string, number | StateDefinition>>,
  fault: (field: string, problem: string, remedy: string) => void,
): ModelParts["states"] {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => {
      const given = typeof definition === "number" ? { initial: definition } : definition;
      if (!Number.isFinite(given.initial)) {
        fault(`state.${name}`, `begins with ${given.initial}`, "must be a finite number");
      }
      const { initial, lower = 0, upper = Number.POSITIVE_INFINITY } = given;
      return [name, { initial, lower, upper }];
    }),
  );
}

function isBounded(stage: StageFormulation, states: ModelParts["states"], sign: 1 | -1): boolean {
  return Number.isFinite(lowestOwnCost(stage, states, sign));
}

function at<T>(value: T | ((stage: number) => T), stage: number): T {
  return typeof value === "function" ? (value as (stage: number) => T)(stage) : value;
}

/** Tells what is wrong with the settings of a risk measure, if something is. */
function checkRisk(
  measure: RiskMeasure,
  field: string,
  fault: (field: string, problem: string, remedy: string) => void,
): void {
  try {
    riskMeasureOf(measure, {}).create(measure, "correct");
  } catch (error) {
    if (!(error instanceof SddpError)) throw error;
    fault(field, error.message, "correct it");
  }
}
