import type { Stage } from "../time/stages.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";
import type { GenericBoundInput, GenericRow } from "./generic-constraint.js";
import type { ParameterValues } from "./parameters.js";
import type { Constant, ResolvedRelation } from "./resolve-relation.js";

/** The bounds of constraints of Cobre 0.18: what a row of the table says, and what stands in the text, added to each other. */
export class RelationLimits {
  private readonly relations: readonly (ResolvedRelation | undefined)[];
  private readonly parameters: ReadonlyMap<string, ParameterValues>;
  private readonly stages: readonly Stage[];
  private readonly issues: IssueCollector;
  private readonly told = new Set<string>();

  constructor(
    relations: readonly (ResolvedRelation | undefined)[],
    parameters: ReadonlyMap<string, ParameterValues>,
    stages: readonly Stage[],
    issues: IssueCollector,
  ) {
    this.relations = relations;
    this.parameters = parameters;
    this.stages = stages;
    this.issues = issues;
  }

  /** Whether a constraint has the bounds of Cobre 0.18. */
  of(constraint: number): boolean {
    return this.relations[constraint] !== undefined;
  }

  /** The bounds of a constraint in a block. Reports a row without any, and parameters without a value there. */
  between(
    { lower, upper }: GenericBoundInput,
    constraint: number,
    stage: number,
    block: number,
    place: IssuePlace,
  ): Pick<GenericRow, "lower" | "upper"> {
    const { terms, sense, right, shift } = this.relations[constraint] as ResolvedRelation;
    const sum = (constants: readonly Constant[]) =>
      constants.reduce(
        (total, { coefficient, parameter }) =>
          total + coefficient * this.valueOf(parameter, stage, block, place),
        0,
      );
    for (const { parameter } of terms) this.valueOf(parameter, stage, block, place);
    const [inText, moved] = [sum(right), sum(shift)];
    const hasLower = lower !== undefined || sense === ">=" || sense === "==";
    const hasUpper = upper !== undefined || sense === "<=" || sense === "==";
    if (!hasLower && !hasUpper) {
      const remedy = "give bound_lower, bound_upper or both, or a relation in the expression";
      this.issues.error("physics", place, "gives no bound", remedy);
    }
    const ofText = (senses: readonly string[]) =>
      sense !== undefined && senses.includes(sense) ? inText : 0;
    const limits = {
      lower: hasLower ? (lower ?? 0) + ofText([">=", "=="]) + moved : Number.NEGATIVE_INFINITY,
      upper: hasUpper ? (upper ?? 0) + ofText(["<=", "=="]) + moved : Number.POSITIVE_INFINITY,
    };
    if (limits.lower > limits.upper) {
      const problem = `leaves a lower bound of ${limits.lower} above an upper one of ${limits.upper}`;
      this.issues.error("physics", place, problem, "the upper one must not be below the lower one");
    }
    return limits;
  }

  private valueOf(
    parameter: string | undefined,
    stage: number,
    block: number,
    place: IssuePlace,
  ): number {
    if (parameter === undefined) return 1;
    const value = this.parameters.get(parameter)?.[stage]?.[block] ?? Number.NaN;
    const key = `${parameter} ${stage} ${block}`;
    if (Number.isNaN(value) && !this.told.has(key)) {
      this.told.add(key);
      this.issues.error(
        "references",
        place,
        `the parameter "${parameter}" has no value in stage ${this.stages[stage]?.id}, block ${block}`,
        "give it one there, or remove the row",
      );
    }
    return value;
  }
}
