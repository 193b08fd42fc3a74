import { CASE_FILES } from "../case-files.js";
import type { System } from "../system/system.js";
import type { IssueCollector } from "../validation/issue.js";
import { type ExpressionTerm, parseExpression } from "./expression.js";
import type { GenericConstraintInput, GenericTerm } from "./generic-constraint.js";
import { ExpressionError } from "./tokens.js";
import {
  GENERIC_VARIABLES,
  type GenericEntity,
  type GenericVariable,
  LATER_VARIABLES,
  VARIABLES_BY_PERIOD,
} from "./variables.js";

interface EntityList {
  readonly file: string;
  readonly entities: readonly { readonly id: number }[];
}

function entitiesOf(kind: GenericEntity, system: System): EntityList {
  const { hydros, thermals, lines, buses, nonControllables } = system;
  const { pumpingStations, energyContracts } = system;
  const lists: Record<GenericEntity, EntityList> = {
    hydro: { file: CASE_FILES.hydros, entities: hydros },
    thermal: { file: CASE_FILES.thermals, entities: thermals },
    line: { file: CASE_FILES.lines, entities: lines },
    bus: { file: CASE_FILES.buses, entities: buses },
    "non-controllable source": { file: CASE_FILES.nonControllables, entities: nonControllables },
    "pumping station": { file: CASE_FILES.pumpingStations, entities: pumpingStations },
    contract: { file: CASE_FILES.energyContracts, entities: energyContracts },
  };
  return lists[kind];
}

/** The terms of a constraint, with the indices of their entities. Reports what cannot be read or does not exist. */
export function resolveTerms(
  { id, expression }: GenericConstraintInput,
  system: System,
  issues: IssueCollector,
): readonly GenericTerm[] {
  const report = (position: number, problem: string, remedy: string) =>
    issues.error(
      "references",
      { file: CASE_FILES.genericConstraints, entity: `constraint ${id}`, field: "expression" },
      `at position ${position} of "${expression}": ${problem}`,
      remedy,
    );
  let parsed: readonly ExpressionTerm[];
  try {
    parsed = parseExpression(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(error.position, error.message, error.remedy);
    return [];
  }
  return parsed.flatMap((term) => {
    if (!LATER_VARIABLES.has(term.variable)) return resolveTerm(term, system, report) ?? [];
    const remedy = /^hydro_(storage|useful_volume)/.test(term.variable)
      ? "write hydro_storage for the storage at the end of the stage"
      : "translate the case with cobre migrate";
    report(term.position, `"${term.variable}" is a variable of Cobre 0.18`, remedy);
    return [];
  });
}

/**
 * A term with the index of its entity. What does not exist is reported.
 *
 * @param hasPeriods whether blocks may be named that follow each other
 */
export function resolveTerm(
  { coefficient, variable, id: entityId, block, position }: ExpressionTerm,
  system: System,
  report: (position: number, problem: string, remedy: string) => void,
  hasPeriods = false,
): GenericTerm | undefined {
  if (!isVariable(variable)) {
    const all = Object.keys(GENERIC_VARIABLES);
    // Those of the same kind of entity, if its name is right.
    const alike = all.filter((name) => name.split("_")[0] === variable.split("_")[0]);
    const names = (alike.length > 0 ? alike : all).join(", ");
    report(position, `"${variable}" is not a variable`, `must be one of: ${names}`);
    return undefined;
  }
  const { entity: kind, isOfBlock } = GENERIC_VARIABLES[variable];
  const list = entitiesOf(kind, system);
  const entity = list.entities.findIndex((candidate) => candidate.id === entityId);
  if (entity < 0) {
    report(position, `${kind} ${entityId} does not exist`, `give the id of one in ${list.file}`);
  }
  if (variable === "anticipated_decision" && system.thermals[entity]?.lead === undefined) {
    if (entity < 0) return undefined;
    const remedy = `write thermal_generation(${entityId}), or give anticipated_config in ${CASE_FILES.thermals}`;
    report(position, `thermal ${entityId} is not committed ahead`, remedy);
    return undefined;
  }
  const type = kind === "contract" ? system.energyContracts[entity]?.type : undefined;
  if (type !== undefined && variable !== `contract_${type}`) {
    report(position, `contract ${entityId} is an ${type}`, `write contract_${type}(${entityId})`);
  }
  const mayBeOfBlock = isOfBlock || (hasPeriods && VARIABLES_BY_PERIOD.has(variable));
  if (block !== undefined && !mayBeOfBlock) {
    report(position, `${variable} is the same in all blocks`, `write ${variable}(${entityId})`);
  }
  return entity < 0 ? undefined : { coefficient, variable, entity, block };
}

function isVariable(name: string): name is GenericVariable {
  return Object.hasOwn(GENERIC_VARIABLES, name);
}
