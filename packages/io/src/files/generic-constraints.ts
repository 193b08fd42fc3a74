import {
  CASE_FILES,
  type GenericBoundInput,
  type GenericConstraintInput,
  type IssueCollector,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { readTable } from "../parquet/read-table.js";
import { BLOCK, TABLE_FORMATS } from "./table-formats.js";

/** Reads `constraints/generic_constraints.json`, if it exists. */
export async function readGenericConstraints(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly GenericConstraintInput[]> {
  const root = await readJson(directory, CASE_FILES.genericConstraints, issues, true);
  return root === undefined ? [] : genericConstraintsOf(root);
}

/** What `constraints/generic_constraints.json` says. */
export function genericConstraintsOf(root: ObjectReader): readonly GenericConstraintInput[] {
  const constraints = (root.optionalList("constraints") ?? []).map((entry) => {
    const constraint = entry.has("id") ? entry.of(`constraint ${entry.raw("id")}`) : entry;
    const slack = constraint.optionalObject("slack");
    const isSoft = slack?.boolean("enabled", false) ?? false;
    const penalty = slack?.optionalNumber("penalty");
    const result: GenericConstraintInput = {
      id: constraint.integer("id"),
      name: constraint.text("name"),
      expression: constraint.text("expression"),
      sense: constraint.choice("sense", [">=", "<=", "=="]),
      slackPenalty: isSoft ? (penalty ?? Number.NaN) : undefined,
    };
    constraint.ignore("description");
    slack?.finish();
    constraint.finish();
    return result;
  });
  root.finish();
  return constraints;
}

/** Reads `constraints/generic_constraint_bounds.parquet`, if it exists. */
export async function readGenericBounds(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly GenericBoundInput[]> {
  const { file, columns, key } = TABLE_FORMATS.genericBounds;
  const table = await readTable(directory, file, columns, key, issues);
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
