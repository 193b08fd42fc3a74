import {
  CASE_FILES,
  type DatedValue,
  type IssueCollector,
  type Lead,
  type PostStudyInput,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import type { CaseDirectory } from "../memory/memory-case.js";

/** How long before a stage a thermal plant is committed: `anticipated_config` of Cobre 0.18, `gnl_config` of Cobre 0.5. */
export function leadOf(thermal: ObjectReader): Lead | undefined {
  const isLater = thermal.has("anticipated_config");
  if (thermal.isLater) thermal.refuseEarlier({ gnl_config: "give anticipated_config" });
  else if (thermal.has("gnl_config")) {
    if (isLater)
      thermal.report("gnl_config", "stands beside anticipated_config", "give one of them");
    const config = thermal.object("gnl_config");
    const stages = config.integer("lag_stages", { min: 1 });
    config.finish();
    return { stages };
  }
  if (!isLater) return undefined;
  const config = thermal.object("anticipated_config");
  const isOfHours = config.has("lead_time_hours");
  if (isOfHours && config.has("lead_stages")) {
    config.report("lead_stages", "stands beside lead_time_hours", "give one of them");
  }
  const lead = isOfHours
    ? { hours: config.number("lead_time_hours", { above: 0 }) }
    : { stages: config.integer("lead_stages", { min: 1 }) };
  config.finish();
  return lead;
}

/** What `past_anticipated_commitments` of the initial conditions says, in MW: a field of Cobre 0.18. */
export function pastCommitmentsOf(root: ObjectReader): readonly DatedValue[] {
  return (root.optionalList("past_anticipated_commitments") ?? []).map((entry) => {
    const window = {
      id: entry.integer("thermal_id"),
      start: entry.day("start_date"),
      end: entry.day("end_date"),
      value: entry.number("value_mw", { min: 0 }),
    };
    entry.finish();
    return window;
  });
}

/** Reads `post_study_stages.json`, if it exists. */
export async function readPostStudyStages(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<PostStudyInput | undefined> {
  const root = await readJson(directory, CASE_FILES.postStudyStages, issues, true);
  return root && postStudyStagesOf(root);
}

/** What `post_study_stages.json` says: stages behind the study for which plants are committed within it. */
export function postStudyStagesOf(root: ObjectReader): PostStudyInput {
  const stages = root.list("stages").map((entry) => {
    const stage = {
      start: entry.day("start_date"),
      hours: entry.number("duration_hours", { above: 0 }),
    };
    entry.finish();
    return stage;
  });
  const bounds = (root.optionalList("thermal_bounds") ?? []).map((entry) => {
    const row = {
      thermalId: entry.integer("thermal_id"),
      stage: entry.integer("post_study_stage_index", { min: 0 }),
      costPerMwh: entry.number("cost_per_mwh"),
      minMw: entry.number("min_mw", { min: 0 }),
      maxMw: entry.number("max_mw", { min: 0 }),
    };
    entry.finish();
    return row;
  });
  root.finish();
  return { stages, bounds };
}
