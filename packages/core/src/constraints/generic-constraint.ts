import { CASE_FILES } from "../case-files.js";
import type { EnergyEquivalents } from "../system/energy-equivalents.js";
import type { System } from "../system/system.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import { buildParameters, type ParameterInput, type ParameterValues } from "./parameters.js";
import { RelationLimits } from "./relation-limits.js";
import { GenericNames, type NamedExpressionInput } from "./resolve-relation.js";
import { resolveTerms } from "./resolve-terms.js";
import { type GenericVariable, VARIABLES_BY_PERIOD } from "./variables.js";

/** How the sum of a constraint stands to its bound. */
export type GenericSense = ">=" | "<=" | "==";

/** A constraint as the file gives it. */
export interface GenericConstraintInput {
  readonly id: number;
  readonly name: string;
  readonly expression: string;
  /** Without it the text is that of Cobre 0.18: it may have a relation, and its bounds are given as such. */
  readonly sense?: GenericSense | undefined;
  /** What a unit of violation costs in an hour; NaN if slack is asked for without it. `undefined`: the constraint must hold. */
  readonly slackPenalty: number | undefined;
}

/** Where a constraint is active. Without a block it is active in every block of the stage. */
export interface GenericBoundInput {
  readonly constraintId: number;
  readonly stageId: number;
  readonly blockId: number | undefined;
  /** On the side that the sense of the constraint says. */
  readonly bound?: number | undefined;
  /** Of Cobre 0.18, one or both; a relation in the text adds to them, or is the bound alone. */
  readonly lower?: number | undefined;
  readonly upper?: number | undefined;
}

/** A variable of a constraint, times a number. */
export interface GenericTerm {
  readonly coefficient: number;
  readonly variable: GenericVariable;
  /** The index of the entity. */
  readonly entity: number;
  /** The index of the block; `undefined`: that of the row. */
  readonly block: number | undefined;
  /** The index of a bus: of a plant that feeds several, what its units do for this one. */
  readonly bus?: number | undefined;
  /** A parameter by which the coefficient is multiplied, and its values. */
  readonly parameter?: string | undefined;
  readonly scale?: ParameterValues | undefined;
}

/** A constraint: a sum of variables. */
export interface GenericConstraint {
  readonly id: number;
  readonly name: string;
  readonly terms: readonly GenericTerm[];
  readonly slackPenalty: number | undefined;
}

/** A constraint in a block of a stage: its sum lies between two bounds, of which one may be infinite. */
export interface GenericRow {
  /** The index of the constraint. */
  readonly constraint: number;
  /** The index of the block. */
  readonly block: number;
  readonly lower: number;
  readonly upper: number;
  /** Whether the bound was given for the whole stage. A bound of the block itself may stand beside it. */
  readonly isOfStage: boolean;
}

/** Generic constraints, sorted by id, and for each stage the rows they are in. */
export interface GenericConstraints {
  readonly constraints: readonly GenericConstraint[];
  readonly rows: readonly (readonly GenericRow[])[];
}

/** Builds the constraints and reports everything that is wrong with them. */
export function buildGenericConstraints(
  inputs: readonly GenericConstraintInput[],
  bounds: readonly GenericBoundInput[],
  names: {
    readonly parameters: readonly ParameterInput[];
    readonly expressions: readonly NamedExpressionInput[];
    readonly energy: EnergyEquivalents;
  },
  system: System,
  stages: readonly Stage[],
  issues: IssueCollector,
): GenericConstraints {
  const sorted = [...inputs].sort((a, b) => a.id - b.id);
  sorted.forEach((input, i) => {
    checkConstraint(input, sorted[i - 1], issues);
  });
  const parameters = buildParameters(names.parameters, system, stages, names.energy, issues);
  const known = new GenericNames(parameters, names.expressions, system, issues);
  const relations = sorted.map((input) =>
    input.sense === undefined ? known.resolve(input) : undefined,
  );
  const constraints = sorted.map((input, i): GenericConstraint => {
    const { id, name, slackPenalty } = input;
    const terms = relations[i]?.terms ?? resolveTerms(input, system, issues);
    return { id, name, slackPenalty, terms };
  });
  const rows = stages.map((): GenericRow[] => []);
  const limits = new RelationLimits(relations, parameters, stages, issues);
  for (const bound of bounds) addRows(bound, sorted, limits, stages, rows, issues);
  for (const ofStage of rows) {
    ofStage.sort(
      (a, b) =>
        a.constraint - b.constraint ||
        Number(b.isOfStage) - Number(a.isOfStage) ||
        a.block - b.block,
    );
  }
  constraints.forEach((constraint, i) => {
    checkUse(constraint, i, rows, stages, issues);
  });
  return { constraints, rows };
}

const placeOf = (id: number, field?: string) => ({
  file: CASE_FILES.genericConstraints,
  entity: `constraint ${id}`,
  field,
});

function checkConstraint(
  { id, name, slackPenalty }: GenericConstraintInput,
  previous: GenericConstraintInput | undefined,
  issues: IssueCollector,
): void {
  if (previous?.id === id) {
    const problem = `"${previous.name}" and "${name}" have the same id`;
    issues.error("references", placeOf(id, "id"), problem, "ids must be unique");
  }
  if (slackPenalty !== undefined && !(slackPenalty > 0)) {
    const problem = Number.isNaN(slackPenalty) ? "is missing" : `is ${slackPenalty}`;
    const remedy = "must be above 0 where slack is enabled";
    issues.error("physics", placeOf(id, "slack.penalty"), problem, remedy);
  }
}

function addRows(
  input: GenericBoundInput,
  constraints: readonly GenericConstraintInput[],
  limits: RelationLimits,
  stages: readonly Stage[],
  rows: readonly GenericRow[][],
  issues: IssueCollector,
): void {
  const { constraintId, stageId, blockId } = input;
  const file = CASE_FILES.genericBounds;
  const place = { file, entity: `constraint ${constraintId}, stage ${stageId}` };
  const constraint = constraints.findIndex(({ id }) => id === constraintId);
  const stage = stages.findIndex(({ id }) => id === stageId);
  const sense = constraints[constraint]?.sense;
  const isKnown = constraint >= 0;
  const blocks = stages[stage]?.blocks.length ?? 0;
  if (!isKnown) {
    const remedy = `remove the row, or give the constraint in ${CASE_FILES.genericConstraints}`;
    const at = { ...place, field: "constraint_id" };
    issues.error("references", at, `constraint ${constraintId} does not exist`, remedy);
  }
  if (stage < 0) {
    const remedy = "remove the row or correct stage_id";
    const at = { ...place, field: "stage_id" };
    issues.error("references", at, `stage ${stageId} does not exist`, remedy);
  } else if (blockId !== undefined && (blockId < 0 || blockId >= blocks)) {
    const remedy = `stage ${stageId} has blocks 0 to ${blocks - 1}`;
    const at = { ...place, field: "block_id" };
    issues.error("references", at, `block ${blockId} does not exist`, remedy);
  }
  if (!isKnown || stage < 0) return;
  for (let block = 0; block < blocks; block++) {
    if (blockId !== undefined && block !== blockId) continue;
    const between = limits.of(constraint)
      ? limits.between(input, constraint, stage, block, place)
      : limitsOf(sense, input.bound ?? Number.NaN);
    rows[stage]?.push({ constraint, block, ...between, isOfStage: blockId === undefined });
  }
}

function limitsOf(
  sense: GenericSense | undefined,
  bound: number,
): Pick<GenericRow, "lower" | "upper"> {
  return {
    lower: sense === "<=" ? Number.NEGATIVE_INFINITY : bound,
    upper: sense === ">=" ? Number.POSITIVE_INFINITY : bound,
  };
}

/** A constraint without a bound has no effect, and a block that a term names must exist wherever the constraint is active. */
function checkUse(
  { id, terms }: GenericConstraint,
  index: number,
  rows: readonly (readonly GenericRow[])[],
  stages: readonly Stage[],
  issues: IssueCollector,
): void {
  const active = stages.filter((_, t) => rows[t]?.some(({ constraint }) => constraint === index));
  if (active.length === 0) {
    const remedy = `give its bound in ${CASE_FILES.genericBounds} for each stage in which it holds`;
    issues.warning("references", placeOf(id), "has no effect: no row gives it a bound", remedy);
  }
  for (const { block, variable } of terms) {
    if (block === undefined) continue;
    const parallel = active.find(({ isChronological }) => isChronological !== true);
    if (VARIABLES_BY_PERIOD.has(variable) && block > 0 && parallel !== undefined) {
      issues.error(
        "references",
        placeOf(id, "expression"),
        `${variable} is named for block ${block}, and the blocks of stage ${parallel.id} do not follow each other`,
        "leave the block out, or give the stage the block_mode chronological",
      );
      continue;
    }
    const without = active.find(({ blocks }) => block >= blocks.length);
    if (without === undefined) continue;
    issues.error(
      "references",
      placeOf(id, "expression"),
      `block ${block} does not exist in stage ${without.id}, where the constraint is active`,
      `stage ${without.id} has blocks 0 to ${without.blocks.length - 1}`,
    );
  }
}
