import {
  CASE_FILES,
  type IssueCollector,
  type PreStudyStage,
  type SeasonDefinitions,
  type Stage,
  seasonOf,
  type TimeInput,
} from "@cobre/core";
import { type AlgorithmFormats, readRiskMeasure } from "../algorithms.js";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { unsupported } from "../unsupported.js";
import { LIMITS } from "./limits.js";
import { readPolicyGraph } from "./policy-graph.js";

const SAMPLING_METHODS = [
  "saa",
  "lhs",
  "qmc_sobol",
  "qmc_halton",
  "historical_residuals",
  "selective",
] as const;

/** Reads `stages.json`. */
export async function readStages(
  directory: CaseDirectory,
  issues: IssueCollector,
  formats: AlgorithmFormats,
): Promise<TimeInput | undefined> {
  const root = await readJson(directory, CASE_FILES.stages, issues);
  return root && stagesOf(root, issues, formats);
}

/** What `stages.json` says. */
export function stagesOf(
  root: ObjectReader,
  issues: IssueCollector,
  formats: AlgorithmFormats,
): TimeInput {
  const rates: StageRate[] = [];
  const read = root.list("stages").map((entry) => readStage(entry, issues, formats, rates));
  const { discounting, graph } = readPolicyGraph(root.object("policy_graph"), read, issues);
  const preStudyStages = (root.optionalList("pre_study_stages") ?? []).map(readPreStudyStage);
  if (root.has("scenario_source")) {
    root.report(
      "scenario_source",
      "is no longer a field of this file",
      `move it to training in ${CASE_FILES.config}`,
    );
  }
  const seasons = readSeasons(root.optionalObject("season_definitions"));
  root.finish();
  const stages = root.isLater && seasons !== undefined ? inSeasons(read, seasons) : read;
  const overrides = [...rates, ...(discounting.overrides ?? [])];
  return { stages, preStudyStages, seasons, discounting: { ...discounting, overrides }, graph };
}

/** The rate that a stage of Cobre 0.18 has for the way to the next one. */
type StageRate = NonNullable<TimeInput["discounting"]["overrides"]>[number];

/** Stages that name no season have that of the day on which they start. */
function inSeasons(stages: readonly Stage[], seasons: SeasonDefinitions): readonly Stage[] {
  return stages.map((stage) => ({
    ...stage,
    seasonId: stage.seasonId ?? seasonOf(seasons, stage.start),
  }));
}

function readSeasons(definitions: ObjectReader | undefined): SeasonDefinitions | undefined {
  if (definitions === undefined) return undefined;
  const cycle = definitions.choice("cycle_type", ["monthly", "weekly", "custom"]);
  const seasons = definitions.list("seasons").map((season) => {
    const fields = {
      id: season.integer("id", { min: 0 }),
      monthStart: season.integer("month_start"),
      dayStart: season.optionalInteger("day_start"),
      monthEnd: season.optionalInteger("month_end"),
      dayEnd: season.optionalInteger("day_end"),
    };
    season.ignore("label");
    season.finish();
    return fields;
  });
  definitions.finish();
  return { cycle, seasons };
}

function readStage(
  entry: ObjectReader,
  issues: IssueCollector,
  { riskMeasures }: AlgorithmFormats,
  rates: StageRate[],
): Stage {
  const stage = entry.has("id") ? entry.of(`stage ${entry.raw("id")}`) : entry;
  const id = stage.integer("id");
  const method = stage.choice("sampling_method", SAMPLING_METHODS, "saa");
  if (method !== "saa")
    unsupported(issues, CASE_FILES.stages, "sampling_method", method, `stage ${id}`);
  const mode = stage.choice("block_mode", ["parallel", "chronological"], "parallel");
  const result: Stage = {
    id,
    start: stage.day("start_date"),
    end: stage.day("end_date"),
    blocks: stage.list("blocks").map((block) => {
      const fields = {
        id: block.integer("id"),
        name: block.text("name"),
        hours: block.number("hours"),
      };
      block.finish();
      return fields;
    }),
    isChronological: mode === "chronological",
    openings: stage.integer(stage.word("num_scenarios", "num_openings"), { max: LIMITS.openings }),
    seasonId: stage.optionalInteger("season_id", { min: 0 }),
    riskMeasure: readRiskMeasure(stage, riskMeasures),
    ...(stage.isLater && { asksForLags: readStateVariables(stage) }),
  };
  if (stage.isLater) {
    const rate = stage.optionalNumber("annual_discount_rate_override");
    if (rate !== undefined) rates.push({ sourceStageId: id, annualRate: rate });
    // Cobre 0.5 does not look at these flags.
  } else stage.ignore("state_variables");
  stage.refuseLater(LATER_FIELDS.stages);
  stage.finish();
  return result;
}

/** Whether the cuts of a stage are to have inflow lags. Here they always have, but who asks for none is told. */
function readStateVariables(stage: ObjectReader): boolean {
  const flags = stage.optionalObject("state_variables");
  if (flags?.boolean("storage", true) === false) flags.cannot("storage", "cuts without storages");
  const asksForLags = flags?.boolean("inflow_lags", false) ?? false;
  flags?.finish();
  return asksForLags;
}

function readPreStudyStage(entry: ObjectReader): PreStudyStage {
  const result = {
    id: entry.integer("id", { max: -1 }),
    start: entry.day("start_date"),
    end: entry.day("end_date"),
    seasonId: entry.optionalInteger("season_id", { min: 0 }),
  };
  entry.finish();
  return result;
}
