import { ContainerError, type StoppingRule } from "@cobre/io";
import { COST_SCALE } from "../model.js";
import { RECORD_FIELDS } from "../training/records.js";
import {
  BOUND_CAVEATS,
  type BoundCaveat,
  type PolicyNode,
  type PolicyOrigin,
  type PolicyStates,
} from "./policy.js";
import { FAMILIES_AHEAD, type StateComponent, stateComponents } from "./state-components.js";

/** The header of a policy file: everything except the long arrays. */
export interface PolicyHeader {
  readonly kind: "sddp-policy";
  readonly origin: PolicyOrigin;
  readonly iteration: number;
  readonly dimension: number;
  readonly cost_scale: number;
  readonly record_fields: readonly string[];
  readonly bound_caveats: readonly BoundCaveat[];
  readonly rules_holding: readonly StoppingRule[];
  /** The stopping rules that have numbers in the array `rule_states`, and how many; `undefined` in files of earlier versions. */
  readonly rule_states: readonly RuleStateHeader[] | undefined;
  /** In files of earlier versions: the rule of each simulation in `last_simulation`. Without it there is at most one. */
  readonly simulation_rules?: readonly StoppingRule[] | undefined;
}

/** The state of a stopping rule: the rule, unless it comes from a file that did not name it, and the length of its numbers. */
export interface RuleStateHeader {
  readonly rule?: StoppingRule | undefined;
  readonly length: number;
}

/** Checks the header of a policy file. Throws a {@link ContainerError} that names the first field that is wrong. */
export function readHeader(value: unknown): PolicyHeader {
  const header = objectOf(value, "the header");
  if (header.kind !== "sddp-policy") throw new ContainerError("it does not hold a policy");
  const origin = readOrigin(objectOf(header.origin, "origin"));
  const dimension = countOf(header.dimension, "dimension");
  if (origin.stateNames !== undefined && dimension !== origin.stateNames.length) {
    throw wrong("dimension", "is not the number of state names");
  }
  const { components } = origin;
  if (components !== undefined && dimension !== components.length) {
    throw wrong("dimension", "is not the number of components");
  }
  const isOfCase = origin.stateNames === undefined && components === undefined;
  if (isOfCase && dimension !== origin.hydroIds.length * (1 + origin.lags)) {
    throw wrong("dimension", "is not the number of hydros times one more than the lags");
  }
  const scale = costScaleOf(origin);
  if (header.cost_scale !== scale) {
    const told = JSON.stringify(header.cost_scale);
    throw wrong("cost_scale", `is ${told}, but this program reads cuts in ${scale} $ only`);
  }
  const fields = listOf(header.record_fields, "record_fields", textOf);
  const missing = RECORD_FIELDS.filter((field) => !fields.includes(field));
  if (missing.length > 0) throw wrong("record_fields", `has no ${missing.join(", ")}`);
  return {
    kind: "sddp-policy",
    origin,
    iteration: countOf(header.iteration, "iteration"),
    dimension,
    cost_scale: scale,
    record_fields: fields,
    bound_caveats: listOf(header.bound_caveats ?? [], "bound_caveats", caveatOf),
    rules_holding: listOf(header.rules_holding ?? [], "rules_holding", ruleOf),
    rule_states:
      header.rule_states === undefined
        ? undefined
        : listOf(header.rule_states, "rule_states", ruleStateOf),
    simulation_rules:
      header.simulation_rules === undefined
        ? undefined
        : listOf(header.simulation_rules, "simulation_rules", ruleOf),
  };
}

/** The unit of cuts: thousands of $ for a case, the unit of its own objective for a model that a program defined. */
export function costScaleOf({ stateNames }: PolicyStates): number {
  return stateNames === undefined ? COST_SCALE : 1;
}

function readOrigin(origin: Readonly<Record<string, unknown>>): PolicyOrigin {
  const stageIds = listOf(origin.stageIds, "origin.stageIds", integerOf);
  const forwardPasses = countOf(origin.forwardPasses, "origin.forwardPasses");
  if (stageIds.length === 0) throw wrong("origin.stageIds", "is empty");
  if (forwardPasses === 0) throw wrong("origin.forwardPasses", "is 0");
  const futures = origin.futureFingerprints;
  const futureFingerprints =
    futures === undefined ? undefined : listOf(futures, "origin.futureFingerprints", textOf);
  if (futureFingerprints !== undefined && futureFingerprints.length !== stageIds.length) {
    throw wrong("origin.futureFingerprints", "does not have one for each stage");
  }
  const nodes =
    origin.nodes === undefined
      ? undefined
      : listOf(origin.nodes, "origin.nodes", (value, name) => nodeOf(value, name, stageIds.length));
  const isCyclic = flagOf(origin.isCyclic, "origin.isCyclic");
  const isEnumerated = flagOf(origin.isEnumerated, "origin.isEnumerated");
  const floors =
    origin.floors === undefined ? undefined : listOf(origin.floors, "origin.floors", floorOf);
  if (floors !== undefined && floors.length !== (nodes ?? stageIds).length) {
    throw wrong("origin.floors", `does not have one for each ${nodes ? "node" : "stage"}`);
  }
  const earlierSolvers =
    origin.earlierSolvers === undefined
      ? undefined
      : listOf(origin.earlierSolvers, "origin.earlierSolvers", textOf);
  const hydroIds = listOf(origin.hydroIds, "origin.hydroIds", integerOf);
  const lags = countOf(origin.lags, "origin.lags");
  const components = componentsOf(origin.components, hydroIds, lags);
  const pricedAt =
    origin.pricedAt === undefined ? undefined : listOf(origin.pricedAt, "origin.pricedAt", dateOf);
  if (pricedAt !== undefined && pricedAt.length !== stageIds.length) {
    throw wrong("origin.pricedAt", "does not have one for each stage");
  }
  const stateNames =
    origin.stateNames === undefined
      ? undefined
      : listOf(origin.stateNames, "origin.stateNames", textOf);
  const isRiskNeutral = flagOf(origin.isRiskNeutral, "origin.isRiskNeutral");
  return {
    caseFingerprint: textOf(origin.caseFingerprint, "origin.caseFingerprint"),
    ...(futureFingerprints && { futureFingerprints }),
    ...(isRiskNeutral !== undefined && { isRiskNeutral }),
    ...(floors && { floors }),
    solverFingerprint: textOf(origin.solverFingerprint, "origin.solverFingerprint"),
    ...(earlierSolvers && { earlierSolvers }),
    hydroIds,
    lags,
    ...(stateNames && { stateNames }),
    stageIds,
    ...(components && { components }),
    ...(pricedAt && { pricedAt }),
    ...(nodes && { nodes }),
    ...(isCyclic && { isCyclic }),
    forwardPasses,
    ...(isEnumerated && { isEnumerated }),
    seed: integerOf(origin.seed, "origin.seed"),
  };
}

function nodeOf(value: unknown, name: string, stages: number): PolicyNode {
  const node = objectOf(value, name);
  const stage = countOf(node.stage, `${name}.stage`);
  if (stage >= stages) throw wrong(`${name}.stage`, "is not a stage");
  const label = node.label === undefined ? undefined : textOf(node.label, `${name}.label`);
  return { id: integerOf(node.id, `${name}.id`), ...(label !== undefined && { label }), stage };
}

/** The first components say the same as hydros and lags, for readers that do not know their order. Others may follow. */
function componentsOf(
  value: unknown,
  hydroIds: readonly number[],
  lags: number,
): readonly StateComponent[] | undefined {
  if (value === undefined) return undefined;
  const found = listOf(value, "origin.components", objectOf);
  // Compared first, so that a wrong number of lags allocates nothing.
  if (found.length < Math.max(lags, hydroIds.length * (1 + lags))) {
    throw wrong("origin.components", "are not one for each storage and each lag of inflow");
  }
  const expected = stateComponents(hydroIds, lags);
  expected.forEach((component, i) => {
    for (const key of ["family", "entityType", "entityId", "lag", "unit"] as const) {
      const value = component[key];
      if (found[i]?.[key] === value) continue;
      const problem = value === undefined ? "has no meaning here" : `is not ${value}`;
      throw wrong(`origin.components[${i}].${key}`, problem);
    }
  });
  const others = found.slice(expected.length).map((component, i) => {
    return componentAhead(component, `origin.components[${expected.length + i}]`);
  });
  return [...expected, ...others];
}

function componentAhead(found: Readonly<Record<string, unknown>>, name: string): StateComponent {
  const families = Object.keys(FAMILIES_AHEAD) as (keyof typeof FAMILIES_AHEAD)[];
  const family = families.find((known) => known === found.family);
  if (family === undefined) throw wrong(`${name}.family`, `is none of ${families.join(", ")}`);
  const { entityType, unit } = FAMILIES_AHEAD[family];
  if (found.entityType !== entityType) throw wrong(`${name}.entityType`, `is not ${entityType}`);
  if (found.unit !== unit) throw wrong(`${name}.unit`, `is not ${unit}`);
  const entityId = integerOf(found.entityId, `${name}.entityId`);
  const ahead = countOf(found.ahead, `${name}.ahead`);
  return { family, entityType, entityId, ahead, unit };
}

function dateOf(value: unknown, name: string): string {
  const date = textOf(value, name);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw wrong(name, "is not a date, as in 2025-02-01");
  return date;
}

function flagOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw wrong(name, "is neither true nor false");
}

/** JSON has no -Infinity: a stage without a floor has `null`. */
function floorOf(value: unknown, name: string): number {
  if (value === null) return Number.NEGATIVE_INFINITY;
  if (typeof value !== "number") throw wrong(name, "is neither a number nor null");
  return value;
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(name, "is not an object");
  }
  return value as Record<string, unknown>;
}

function listOf<T>(
  value: unknown,
  name: string,
  read: (element: unknown, name: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) throw wrong(name, "is not a list");
  return value.map((element, i) => read(element, `${name}[${i}]`));
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrong(name, "is not a text");
  return value;
}

function integerOf(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw wrong(name, "is not a whole number");
  return value as number;
}

function countOf(value: unknown, name: string): number {
  const count = integerOf(value, name);
  if (count < 0) throw wrong(name, "is negative");
  return count;
}

function caveatOf(value: unknown, name: string): BoundCaveat {
  const known = BOUND_CAVEATS.find((caveat) => caveat === value);
  if (known === undefined) throw wrong(name, `is none of ${BOUND_CAVEATS.join(", ")}`);
  return known;
}

/** A rule is only compared with others, so its settings need no check. */
function ruleOf(value: unknown, name: string): StoppingRule {
  const rule = objectOf(value, name);
  textOf(rule.type, `${name}.type`);
  return rule as unknown as StoppingRule;
}

function ruleStateOf(value: unknown, name: string): RuleStateHeader {
  const state = objectOf(value, name);
  return {
    rule: state.rule === undefined ? undefined : ruleOf(state.rule, `${name}.rule`),
    length: countOf(state.length, `${name}.length`),
  };
}

/** The error for something in a policy file that cannot be. */
export function wrong(name: string, problem: string): ContainerError {
  return new ContainerError(`${name} ${problem}; use another copy, or train again`);
}
