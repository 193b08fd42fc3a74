import {
  CASE_FILES,
  type Day,
  type Discounting,
  type IssueCollector,
  type PreStudyStage,
  type RiskMeasure,
  type Stage,
  type TimeInput,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { unsupported } from "../unsupported.js";

const MILLISECONDS_A_DAY = 86_400_000;
const SAMPLING_METHODS = ["saa", "lhs", "qmc_sobol", "qmc_halton", "historical_residuals"] as const;

/** Reads `stages.json`. */
export async function readStages(
  directory: string,
  issues: IssueCollector,
): Promise<TimeInput | undefined> {
  const root = await readJson(directory, CASE_FILES.stages, issues);
  if (root === undefined) return undefined;
  const graph = root.object("policy_graph");
  const stages = root.list("stages").map((entry) => readStage(entry, issues));
  const discounting = readGraph(graph, stages, issues);
  const preStudyStages = (root.optionalList("pre_study_stages") ?? []).map(readPreStudyStage);
  if (root.has("scenario_source")) {
    root.report(
      "scenario_source",
      "is not a field of this file any more",
      `it belongs into ${CASE_FILES.config}, training`,
    );
  }
  root.ignore("season_definitions");
  root.finish();
  return { stages, preStudyStages, discounting };
}

function readGraph(
  graph: ObjectReader,
  stages: readonly Stage[],
  issues: IssueCollector,
): Discounting {
  const ids = stages.map(({ id }) => id).sort((a, b) => a - b);
  const type = graph.choice("type", ["finite_horizon", "cyclic"]);
  if (type === "cyclic")
    unsupported(issues, CASE_FILES.stages, "policy_graph.type", "a cyclic horizon");
  const annualRate = graph.number("annual_discount_rate");
  const overrides = (graph.optionalList("transitions") ?? []).flatMap((transition) => {
    const sourceStageId = transition.integer("source_id");
    const targetId = transition.integer("target_id");
    if (ids.includes(sourceStageId) && ids[ids.indexOf(sourceStageId) + 1] !== targetId) {
      unsupported(
        issues,
        CASE_FILES.stages,
        "policy_graph.transitions",
        `a transition from stage ${sourceStageId} to ${targetId}, which is not the next`,
      );
    }
    const probability = transition.number("probability", { min: 0, max: 1 });
    if (probability !== 1) {
      unsupported(
        issues,
        CASE_FILES.stages,
        "policy_graph.transitions",
        `a transition with probability ${probability}`,
      );
    }
    const rate = transition.optionalNumber("annual_discount_rate_override");
    transition.finish();
    return rate === undefined ? [] : [{ sourceStageId, annualRate: rate }];
  });
  graph.finish();
  return { annualRate, overrides };
}

function readStage(entry: ObjectReader, issues: IssueCollector): Stage {
  const stage = entry.has("id") ? entry.of(`stage ${entry.raw("id")}`) : entry;
  const id = stage.integer("id");
  const method = stage.choice("sampling_method", SAMPLING_METHODS, "saa");
  if (method !== "saa")
    unsupported(issues, CASE_FILES.stages, "sampling_method", method, `stage ${id}`);
  if (stage.choice("block_mode", ["parallel", "chronological"], "parallel") === "chronological") {
    unsupported(issues, CASE_FILES.stages, "block_mode", "a chronological stage", `stage ${id}`);
  }
  const result: Stage = {
    id,
    start: readDay(stage, "start_date"),
    end: readDay(stage, "end_date"),
    blocks: stage.list("blocks").map((block) => {
      const fields = {
        id: block.integer("id"),
        name: block.text("name"),
        hours: block.number("hours"),
      };
      block.finish();
      return fields;
    }),
    openings: stage.integer("num_scenarios"),
    seasonId: stage.optionalInteger("season_id", { min: 0 }),
    riskMeasure: readRiskMeasure(stage),
  };
  // All hydro plants and their lags are states, whatever these flags say.
  stage.ignore("state_variables");
  stage.finish();
  return result;
}

function readPreStudyStage(entry: ObjectReader): PreStudyStage {
  const result = {
    id: entry.integer("id", { max: -1 }),
    start: readDay(entry, "start_date"),
    end: readDay(entry, "end_date"),
    seasonId: entry.optionalInteger("season_id", { min: 0 }),
  };
  entry.finish();
  return result;
}

function readRiskMeasure(stage: ObjectReader): RiskMeasure {
  const value = stage.raw("risk_measure");
  if (value === undefined || value === "expectation") return { kind: "expectation" };
  if (typeof value === "object" && !Array.isArray(value)) {
    const measure = stage.object("risk_measure");
    const cvar = measure.object("cvar");
    const [alpha, lambda] = [cvar.number("alpha"), cvar.number("lambda")];
    cvar.finish();
    measure.finish();
    return { kind: "cvar", alpha, lambda };
  }
  stage.report(
    "risk_measure",
    `is ${JSON.stringify(value)}`,
    'must be "expectation" or {"cvar": {"alpha": …, "lambda": …}}',
  );
  return { kind: "expectation" };
}

function readDay(reader: ObjectReader, key: string): Day {
  if (!reader.has(key)) {
    reader.text(key);
    return 0;
  }
  const text = reader.text(key);
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match !== null) {
    const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
    const date = new Date(Date.UTC(year, month - 1, day));
    // 2024-02-31 would be read as a day of March.
    if (date.getUTCMonth() === month - 1 && date.getUTCDate() === day)
      return date.getTime() / MILLISECONDS_A_DAY;
  }
  if (text !== "") reader.report(key, `is "${text}"`, "must be a day, as in 2024-01-31");
  return 0;
}
