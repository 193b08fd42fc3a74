import { CASE_FILES, COMPUTED_TAGS, type IssueCollector, type ParameterInput } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import type { CaseDirectory } from "../memory/memory-case.js";

/** Reads `constraints/generic_parameters.json`, which only cases for Cobre 0.18 have, if it exists. */
export async function readGenericParameters(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly ParameterInput[]> {
  const root = await readJson(directory, CASE_FILES.genericParameters, issues, true);
  return root === undefined ? [] : genericParametersOf(root);
}

const KINDS = ["constant", "per_stage", "seasonal", "per_stage_block", "computed"] as const;

/** What `constraints/generic_parameters.json` says. */
export function genericParametersOf(root: ObjectReader): readonly ParameterInput[] {
  const parameters = root.list("scalar_parameters").map(readParameter);
  root.finish();
  return parameters;
}

function readParameter(entry: ObjectReader): ParameterInput {
  const head = { id: entry.integer("id"), name: entry.text("name") };
  const kind = entry.choice("kind", KINDS);
  const parameter = ((): ParameterInput => {
    switch (kind) {
      case "constant":
        return { ...head, kind, value: entry.number("value") };
      case "per_stage":
      case "seasonal":
        return { ...head, kind, values: tuples(entry, "values", 2) as never };
      case "per_stage_block":
        return { ...head, kind, values: tuples(entry, "block_values", 3) as never };
      case "computed":
        return { ...head, kind, ...readComputed(entry.object("computed_spec")) };
    }
  })();
  entry.finish();
  return parameter;
}

/** Rows of a fixed number of values; what else there is, is reported. */
function tuples(entry: ObjectReader, key: string, length: number): readonly (readonly number[])[] {
  const rows = entry.matrix(key);
  const isGiven = entry.raw(key) !== undefined;
  if (isGiven && rows.some((row) => row.length !== length)) {
    const what = length === 2 ? "[id, value]" : "[stage_id, block_id, value]";
    entry.report(key, "has rows of another length", `each must be ${what}`);
    return [];
  }
  return rows;
}

function readComputed(spec: ObjectReader) {
  const tag = spec.choice("tag", COMPUTED_TAGS);
  const hydroId = spec.integer("hydro_id");
  spec.finish();
  return { tag, hydroId };
}
