import { CASE_FILES } from "../case-files.js";
import type { System } from "../system/system.js";
import type { IssueCollector } from "../validation/issue.js";
import type { GenericConstraintInput, GenericSense, GenericTerm } from "./generic-constraint.js";
import type { ParameterValues } from "./parameters.js";
import { parseRelation, type Relation, type RelationItem, type RelationTerm } from "./relation.js";
import { resolveTerm } from "./resolve-terms.js";
import { ExpressionError } from "./tokens.js";
import { VARIABLES_BY_BUS } from "./variables.js";

/** A sum of variables with a name, as `constraints/generic_constraints.json` of Cobre 0.18 gives it. */
export interface NamedExpressionInput {
  readonly name: string;
  readonly expression: string;
}

/** A number, times a parameter. */
export interface Constant {
  readonly coefficient: number;
  readonly parameter: string | undefined;
}

/** The text of a constraint: its variables on the left, and what is left on the right if there is a relation. */
export interface ResolvedRelation {
  readonly terms: readonly GenericTerm[];
  readonly sense: GenericSense | undefined;
  readonly right: readonly Constant[];
  /** Part of both bounds: what the sum of the variables has too much. */
  readonly shift: readonly Constant[];
}

/** What names in the texts of constraints stand for. */
export class GenericNames {
  private readonly parameters: ReadonlyMap<string, ParameterValues>;
  private readonly expressions = new Map<string, Relation>();
  private readonly system: System;
  private readonly issues: IssueCollector;

  constructor(
    parameters: ReadonlyMap<string, ParameterValues>,
    expressions: readonly NamedExpressionInput[],
    system: System,
    issues: IssueCollector,
  ) {
    this.parameters = parameters;
    this.system = system;
    this.issues = issues;
    for (const { name, expression } of expressions) {
      const report = this.reporter(`expression "${name}"`, expression);
      if (parameters.has(name) || this.expressions.has(name)) {
        report(undefined, `"${name}" is also the name of another one`, "names must be unique");
      }
      const parsed = parsedOr(expression, report);
      if (parsed?.sense !== undefined) report(undefined, "is a relation", "give a sum alone");
      if (parsed !== undefined) this.expressions.set(name, parsed);
    }
  }

  /** The text of a constraint, with everything that its names stand for. Reports what cannot be read or does not exist. */
  resolve({ id, expression }: GenericConstraintInput): ResolvedRelation {
    const report = this.reporter(`constraint ${id}`, expression);
    const parsed = parsedOr(expression, report);
    if (parsed === undefined) return { terms: [], sense: undefined, right: [], shift: [] };
    const { left, sense, right } = parsed;
    const items = [
      ...this.flat(left, 1, [], report, sense !== undefined),
      ...this.flat(right, -1, [], report, true),
    ];
    const terms: GenericTerm[] = [];
    const constants: Constant[] = [];
    const shift: Constant[] = [];
    for (const item of items) {
      if (item.kind === "variable") {
        const term = this.term(item, report);
        if (term === undefined) continue;
        terms.push(term);
        if (!item.variable.startsWith("hydro_useful_volume")) continue;
        const dead = this.system.hydros[term.entity]?.minStorageHm3 ?? 0;
        shift.push({ coefficient: item.coefficient * dead, parameter: item.parameter });
      } else {
        // On the right of the relation, with the other sign.
        const parameter = item.kind === "name" ? item.name : undefined;
        constants.push({ coefficient: -item.coefficient, parameter });
      }
    }
    return { terms: summed(terms), sense, right: constants, shift };
  }

  private term(item: RelationTerm, report: Report): GenericTerm | undefined {
    const { parameter, position } = item;
    const scale = parameter === undefined ? undefined : this.parameters.get(parameter);
    if (parameter !== undefined && scale === undefined) {
      const remedy = `give it in ${CASE_FILES.genericParameters}`;
      report(position, `there is no parameter "${parameter}"`, remedy);
      return undefined;
    }
    const line = item.between && this.lineBetween(item, item.between, report);
    if (item.between !== undefined && line === undefined) return undefined;
    const addressed = line === undefined ? item : { ...item, ...line };
    if (item.bus !== undefined && !this.feeds(item, report)) return undefined;
    const term = resolveTerm(addressed, this.system, report, true);
    if (term === undefined) return undefined;
    const bus = this.system.buses.findIndex(({ id }) => id === item.bus);
    return { ...term, ...(bus >= 0 && { bus }), ...(scale && { parameter, scale }) };
  }

  /** Whether the plant of a term feeds the bus that it names. */
  private feeds({ variable, id, bus, position }: RelationTerm, report: Report): boolean {
    if (!VARIABLES_BY_BUS.has(variable)) {
      const remedy = `leave it out; only ${[...VARIABLES_BY_BUS].join(" and ")} have it`;
      report(position, `${variable} is not divided by buses`, remedy);
      return false;
    }
    const plant = this.system.hydros.find((hydro) => hydro.id === id);
    if (plant === undefined) return true; // it is reported as such
    const fed = plant.unitGroups?.map(({ busId }) => busId) ?? [plant.busId];
    if (fed.some((busId) => busId === bus)) return true;
    const which = [...new Set(fed)].join(" and ");
    report(position, `hydro ${id} does not feed bus ${bus}`, `it feeds bus ${which}`);
    return false;
  }

  private lineBetween(
    { variable, position, coefficient }: RelationTerm,
    [source, target]: readonly [number, number],
    report: Report,
  ): { readonly id: number; readonly coefficient: number } | undefined {
    if (variable !== "line_exchange") {
      const remedy = "give the id of an entity; only line_exchange has it";
      report(position, `${variable} cannot be named by two buses`, remedy);
      return undefined;
    }
    const found = this.system.lines.filter(
      ({ sourceBusId: a, targetBusId: b }) =>
        (a === source && b === target) || (a === target && b === source),
    );
    const [line] = found;
    if (line === undefined || found.length > 1) {
      const problem = `${found.length === 0 ? "no line connects" : "several lines connect"} buses ${source} and ${target}`;
      report(position, problem, `give the id of a line in ${CASE_FILES.lines}`);
      return undefined;
    }
    const isReverse = line.sourceBusId !== source;
    return { id: line.id, coefficient: isReverse ? -coefficient : coefficient };
  }

  /** The items with those of named expressions in place of their names. */
  private flat(
    items: readonly RelationItem[],
    factor: number,
    within: readonly string[],
    report: Report,
    mayHaveConstants: boolean,
  ): readonly RelationItem[] {
    return items.flatMap((item): readonly RelationItem[] => {
      const scaled = { ...item, coefficient: item.coefficient * factor };
      if (item.kind !== "name") return [scaled];
      const named = this.expressions.get(item.name);
      if (named === undefined) {
        if (this.parameters.has(item.name) && mayHaveConstants) return [scaled];
        const isParameter = this.parameters.has(item.name);
        report(
          item.position,
          isParameter
            ? `the parameter "${item.name}" stands alone`
            : `there is no parameter or expression "${item.name}"`,
          isParameter
            ? "give a relation, or a variable after it"
            : `give it in ${CASE_FILES.genericParameters}, or in expressions of this file`,
        );
        return [];
      }
      if (within.includes(item.name)) {
        const remedy = "an expression must not contain itself";
        report(item.position, `"${item.name}" contains itself`, remedy);
        return [];
      }
      return this.flat(named.left, scaled.coefficient, [...within, item.name], report, false);
    });
  }

  private reporter(entity: string, text: string): Report {
    return (position, problem, remedy) => {
      const where = position === undefined ? "" : `at position ${position} of "${text}": `;
      this.issues.error(
        "references",
        { file: CASE_FILES.genericConstraints, entity, field: "expression" },
        `${where}${problem}`,
        remedy,
      );
    };
  }
}

type Report = (position: number | undefined, problem: string, remedy: string) => void;

function parsedOr(text: string, report: Report): Relation | undefined {
  try {
    return parseRelation(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(error.position, error.message, error.remedy);
    return undefined;
  }
}

/** Terms of the same variable as one. Those that cancel each other stay, with the coefficient 0. */
function summed(terms: readonly GenericTerm[]): readonly GenericTerm[] {
  const sums = new Map<string, GenericTerm>();
  for (const term of terms) {
    const { variable, entity, block, bus, parameter } = term;
    const key = JSON.stringify([variable, entity, block ?? null, bus ?? null, parameter ?? null]);
    const before = sums.get(key)?.coefficient ?? 0;
    sums.set(key, { ...term, coefficient: before + term.coefficient });
  }
  return [...sums.values()];
}
