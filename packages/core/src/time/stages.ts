import { CASE_FILES } from "../case-files.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";
import { buildGraph, type GraphInput } from "./build-graph.js";
import type { NodeGraph } from "./node-graph.js";
import { checkSeasons, type SeasonCycle, type SeasonDefinitions, seasonCycle } from "./seasons.js";

/** A part of a stage with a constant load. */
export interface Block {
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

/**
 * How the openings of the next stage are weighed: the name of a risk measure, and its settings. They are plain values, which JSON can hold.
 * What a measure does and which settings it has, the algorithm knows that is handed the study.
 */
export interface RiskMeasure {
  readonly kind: string;
  readonly [setting: string]: unknown;
}

/** A day, counted from 1970-01-01. */
export type Day = number;

/** A period whose decisions are made with its inflows known. */
export interface Stage {
  readonly id: number;
  readonly start: Day;
  /** The day after the last one. */
  readonly end: Day;
  readonly blocks: readonly Block[];
  /** Whether blocks follow each other, so that water of a later one cannot be used in an earlier one. Without it they lie beside each other. */
  readonly isChronological?: boolean | undefined;
  /** The number of openings. */
  readonly openings: number;
  readonly seasonId?: number | undefined;
  readonly riskMeasure: RiskMeasure;
  /** Whether a case for Cobre 0.18 asks for inflow lags in the cuts of the stage. They are always there. */
  readonly asksForLags?: boolean | undefined;
}

/** A period before the first stage, with known inflows. */
export interface PreStudyStage {
  readonly id: number;
  readonly start: Day;
  readonly end: Day;
  readonly seasonId?: number | undefined;
}

/** The discount rate of future costs: for the whole study, and for single transitions. */
export interface Discounting {
  readonly annualRate: number;
  readonly overrides?: readonly { readonly sourceStageId: number; readonly annualRate: number }[];
}

/** What a timeline is built from, in any order. */
export interface TimeInput {
  readonly stages: readonly Stage[];
  readonly preStudyStages?: readonly PreStudyStage[];
  readonly seasons?: SeasonDefinitions | undefined;
  readonly discounting: Discounting;
  /** Without it, each stage has one node and is followed by the next. */
  readonly graph?: GraphInput | undefined;
}

/** The stages in order, with their discount factors. */
export interface Timeline {
  readonly stages: readonly Stage[];
  /** The nodes through which paths go from stage to stage. */
  readonly graph: NodeGraph;
  readonly preStudyStages: readonly PreStudyStage[];
  /** As the case defines them. */
  readonly seasons: SeasonDefinitions | undefined;
  /** As the case defines it, or as the study goes through it. */
  readonly seasonCycle: SeasonCycle | undefined;
  /** For each stage: ζ of each block, in hm³ per m³/s. */
  readonly blockVolumes: readonly Float64Array[];
  /** Of the whole study. */
  readonly annualRate: number;
  /** d_t: the factor that stage t applies to the cost of later stages. */
  readonly discount: Float64Array;
  /** d_0 · … · d_(t-1): the factor that brings the cost of stage t to the start of the study. */
  readonly cumulativeDiscount: Float64Array;
}

const DAYS_A_YEAR = 365.25;
/** The volume of one m³/s in an hour, in hm³. */
export const VOLUME_PER_HOUR = 0.0036;

/** Builds the timeline and reports everything that is wrong with it. */
export function buildTimeline(input: TimeInput, issues: IssueCollector): Timeline {
  const stages = [...input.stages].sort((a, b) => a.id - b.id);
  const preStudyStages = [...(input.preStudyStages ?? [])].sort((a, b) => a.id - b.id);
  if (stages.length === 0) {
    issues.error(
      "physics",
      { file: CASE_FILES.stages, field: "stages" },
      "there is no stage",
      "give at least one",
    );
  }
  stages.forEach((stage, i) => {
    checkStage(stage, stages[i - 1], issues);
  });
  checkRates(input.discounting, stages, issues);
  const { seasons } = input;
  if (seasons !== undefined) checkSeasons(seasons, [...preStudyStages, ...stages], issues);
  const discount = Float64Array.from(stages, (stage) => discountOf(stage, input.discounting));
  const cumulativeDiscount = new Float64Array(stages.length);
  let worth = 1;
  discount.forEach((factor, i) => {
    cumulativeDiscount[i] = worth;
    worth *= factor;
  });
  const blockVolumes = stages.map(({ blocks }) =>
    Float64Array.from(blocks, ({ hours }) => VOLUME_PER_HOUR * hours),
  );
  return {
    stages,
    graph: buildGraph(
      input.graph,
      stages.map(({ id }) => id),
      worth,
      issues,
    ),
    preStudyStages,
    seasons,
    seasonCycle: seasonCycle(seasons, stages),
    blockVolumes,
    annualRate: input.discounting.annualRate,
    discount,
    cumulativeDiscount,
  };
}

/** (1 + r)^(-days / 365.25), computed with exp and log1p because results of `**` differ between JavaScript engines. */
function discountOf(
  { id, start, end }: Stage,
  { annualRate, overrides = [] }: Discounting,
): number {
  const override = overrides.find(({ sourceStageId }) => sourceStageId === id);
  const rate = override?.annualRate ?? annualRate;
  return Math.exp(-((end - start) / DAYS_A_YEAR) * Math.log1p(rate));
}

function checkStage(stage: Stage, previous: Stage | undefined, issues: IssueCollector): void {
  const place = (field: string): IssuePlace => ({
    file: CASE_FILES.stages,
    entity: `stage ${stage.id}`,
    field,
  });
  if (stage.id < 0) {
    issues.error(
      "references",
      place("id"),
      "is below 0",
      "put stages before the study into pre_study_stages",
    );
  }
  if (previous !== undefined && previous.id === stage.id) {
    issues.error("references", place("id"), "is the id of two stages", "ids must be unique");
  }
  if (!(stage.end > stage.start)) {
    issues.error(
      "physics",
      place("end_date"),
      "is not after start_date",
      "a stage must have at least one day",
    );
  }
  if (previous !== undefined && stage.start < previous.end) {
    issues.error(
      "physics",
      place("start_date"),
      `is before the end of stage ${previous.id}`,
      "stages must not overlap",
    );
  }
  if (stage.blocks.length === 0) {
    issues.error("physics", place("blocks"), "there is no block", "give at least one");
  }
  stage.blocks.forEach((block, i) => {
    if (block.id !== i) {
      issues.error(
        "references",
        place(`blocks[${i}].id`),
        `is ${block.id}`,
        `blocks are counted from 0: give ${i}`,
      );
    }
    if (!(block.hours > 0 && block.hours < Number.POSITIVE_INFINITY)) {
      issues.error("physics", place(`blocks[${i}].hours`), `is ${block.hours}`, "must be above 0");
    }
  });
  if (!(stage.openings >= 1)) {
    issues.error("physics", place("num_scenarios"), `is ${stage.openings}`, "must be at least 1");
  }
}

function checkRates(
  { annualRate, overrides = [] }: Discounting,
  stages: readonly Stage[],
  issues: IssueCollector,
): void {
  const ids = new Set(stages.map(({ id }) => id));
  const file = CASE_FILES.stages;
  if (!(annualRate >= 0)) {
    issues.error(
      "physics",
      { file, field: "policy_graph.annual_discount_rate" },
      `is ${annualRate}`,
      "must not be below 0",
    );
  }
  overrides.forEach(({ sourceStageId, annualRate: rate }) => {
    const place = { file, entity: `transition from stage ${sourceStageId}` };
    if (!ids.has(sourceStageId)) {
      issues.error(
        "references",
        { ...place, field: "source_id" },
        "this stage does not exist",
        "give the id of a stage",
      );
    }
    if (!(rate >= 0)) {
      issues.error(
        "physics",
        { ...place, field: "annual_discount_rate_override" },
        `is ${rate}`,
        "must not be below 0",
      );
    }
  });
}
