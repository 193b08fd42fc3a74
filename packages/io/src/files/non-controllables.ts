import {
  type BlockFactorInput,
  CASE_FILES,
  type IssueCollector,
  type NonControllableInput,
} from "@cobre/core";
import type { AvailabilityStatistics } from "@cobre/stochastic";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { readTable } from "../parquet/read-table.js";
import { readStart } from "./entities.js";
import { TABLE_FORMATS } from "./table-formats.js";

/** Reads `system/non_controllable_sources.json`, if it exists. */
export async function readNonControllables(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly NonControllableInput[]> {
  const root = await readJson(directory, CASE_FILES.nonControllables, issues, true);
  return root === undefined ? [] : nonControllablesOf(root);
}

/** What `system/non_controllable_sources.json` says. */
export function nonControllablesOf(root: ObjectReader): readonly NonControllableInput[] {
  const sources = (root.optionalList("non_controllable_sources") ?? []).map((entry) => {
    const source = entry.has("id") ? entry.of(`non-controllable source ${entry.raw("id")}`) : entry;
    const result: NonControllableInput = {
      id: source.integer("id"),
      name: source.text("name"),
      busId: source.integer("bus_id"),
      maxGenerationMw: source.number("max_generation_mw"),
      curtailmentCost: source.optionalNumber("curtailment_cost"),
      allowsCurtailment: source.boolean("allow_curtailment", true),
      entryStageId: source.optionalInteger("entry_stage_id"),
      exitStageId: source.optionalInteger("exit_stage_id"),
      ...readStart(source),
    };
    source.refuseLater(LATER_FIELDS.nonControllable);
    source.finish();
    return result;
  });
  root.finish();
  return sources;
}

/** Reads `scenarios/non_controllable_factors.json`, if it exists. */
export async function readNonControllableFactors(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly BlockFactorInput<"factor">[]> {
  const root = await readJson(directory, CASE_FILES.nonControllableFactors, issues, true);
  return root === undefined ? [] : nonControllableFactorsOf(root);
}

/** What `scenarios/non_controllable_factors.json` says. */
export function nonControllableFactorsOf(
  root: ObjectReader,
): readonly BlockFactorInput<"factor">[] {
  const factors = (root.optionalList("non_controllable_factors") ?? []).map((entry) => {
    const fields = {
      id: entry.integer("ncs_id"),
      stageId: entry.integer("stage_id"),
      blocks: entry.list("block_factors").map((block) => {
        const factor = { blockId: block.integer("block_id"), factor: block.number("factor") };
        block.finish();
        return factor;
      }),
    };
    entry.finish();
    return fields;
  });
  root.finish();
  return factors;
}

/** Reads `scenarios/non_controllable_stats.parquet`, if it exists. */
export async function readAvailabilityStatistics(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly AvailabilityStatistics[]> {
  const { file, columns, key } = TABLE_FORMATS.nonControllableStatistics;
  const table = await readTable(directory, file, columns, key, issues);
  if (table === undefined) return [];
  const { ncs_id, stage_id, mean, std } = table.columns;
  return Array.from({ length: table.rows }, (_, row) => ({
    sourceId: ncs_id[row] as number,
    stageId: stage_id[row] as number,
    mean: mean[row] as number,
    std: std[row] as number,
  }));
}
