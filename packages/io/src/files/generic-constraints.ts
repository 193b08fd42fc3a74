import {
  CASE_FILES,
  type GenericBoundInput,
  type GenericConstraintInput,
  type IssueCollector,
  type NamedExpressionInput,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { type CaseDirectory, dialectOf } from "../memory/memory-case.js";
import { readTable } from "../parquet/read-table.js";
import { LATER_TABLE_FORMATS } from "./later-table-formats.js";
import { BLOCK, TABLE_FORMATS } from "./table-formats.js";

/** Reads `constraints/generic_constraints.json`, if it exists. */
export async function readGenericConstraints(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<GenericConstraintsFile> {
  const root = await readJson(directory, CASE_FILES.genericConstraints, issues, true);
  return root === undefined ? { constraints: [] } : genericConstraintsOf(root);
}

/** Constraints, and for Cobre 0.18 the expressions that they name. */
export interface GenericConstraintsFile {
  readonly constraints: readonly GenericConstraintInput[];
  readonly expressions?: readonly NamedExpressionInput[];
}

/** What `constraints/generic_constraints.json` says. */
export function genericConstraintsOf(root: ObjectReader): GenericConstraintsFile {
  const constraints = (root.optionalList("constraints") ?? []).map((entry) => {
    const constraint = entry.has("id") ? entry.of(`constraint ${entry.raw("id")}`) : entry;
    const slack = constraint.optionalObject("slack");
    const isSoft = slack?.boolean("enabled", false) ?? false;
    const penalty = slack?.optionalNumber("penalty");
    const result: GenericConstraintInput = {
      id: constraint.integer("id"),
      name: constraint.text("name"),
      expression: constraint.text("expression"),
      ...(!constraint.isLater && { sense: constraint.choice("sense", [">=", "<=", "=="]) }),
      slackPenalty: isSoft ? (penalty ?? Number.NaN) : undefined,
    };
    constraint.refuseEarlier({
      sense: `give bound_lower or bound_upper in ${CASE_FILES.genericBounds}, or write the relation into the expression`,
    });
    constraint.ignore("description");
    slack?.finish();
    constraint.finish();
    return result;
  });
  const expressions = root.isLater
    ? (root.optionalList("expressions") ?? []).map(readExpression)
    : undefined;
  root.finish();
  return { constraints, ...(expressions && { expressions }) };
}

function readExpression(entry: ObjectReader): NamedExpressionInput {
  const fields = { name: entry.text("name"), expression: entry.text("expression") };
  entry.ignore("description");
  entry.finish();
  return fields;
}

/** Reads `constraints/generic_constraint_bounds.parquet`, if it exists. */
export async function readGenericBounds(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly GenericBoundInput[]> {
  if (dialectOf(directory) === "0.18") return readLaterBounds(directory, issues);
  const { file, columns, key, foreign } = TABLE_FORMATS.genericBounds;
  const table = await readTable(directory, file, columns, key, issues, true, foreign);
  if (table === undefined) return [];
  const { constraint_id, stage_id, bound } = table.columns;
  return Array.from({ length: table.rows }, (_, row) => {
    const block = table.columns[BLOCK][row] as number;
    return {
      constraintId: constraint_id[row] as number,
      stageId: stage_id[row] as number,
      blockId: Number.isNaN(block) ? undefined : block,
      bound: bound[row] as number,
    };
  });
}

async function readLaterBounds(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly GenericBoundInput[]> {
  const { file, columns, key, foreign } = LATER_TABLE_FORMATS.genericBounds;
  const table = await readTable(directory, file, columns, key, issues, true, foreign);
  if (table === undefined) return [];
  const { constraint_id, stage_id, bound_lower, bound_upper } = table.columns;
  const given = (value: number | undefined) => (Number.isNaN(value) ? undefined : value);
  return Array.from({ length: table.rows }, (_, row) => ({
    constraintId: constraint_id[row] as number,
    stageId: stage_id[row] as number,
    blockId: given(table.columns[BLOCK][row]),
    lower: given(bound_lower[row]),
    upper: given(bound_upper[row]),
  }));
}
