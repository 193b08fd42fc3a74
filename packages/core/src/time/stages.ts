import { CASE_FILES } from "../case-files.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";

/** A part of a stage with one level of load. */
export interface Block {
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

/** How the openings of the next stage are weighed: (1 - λ) · mean + λ · CVaR with confidence α. */
export type RiskMeasure =
  | { readonly kind: "expectation" }
  | { readonly kind: "cvar"; readonly alpha: number; readonly lambda: number };

/** A day, counted from 1970-01-01. */
export type Day = number;

/** A period in which decisions are made knowing its inflows. */
export interface Stage {
  readonly id: number;
  readonly start: Day;
  /** The day after the last one. */
  readonly end: Day;
  readonly blocks: readonly Block[];
  /** How many openings it has. */
  readonly openings: number;
  readonly seasonId?: number | undefined;
  readonly riskMeasure: RiskMeasure;
}

/** A period before the first stage, whose inflows are known. */
export interface PreStudyStage {
  readonly id: number;
  readonly start: Day;
  readonly end: Day;
  readonly seasonId?: number | undefined;
}

/** How the value of the future is discounted: for the whole study, and for single transitions. */
export interface Discounting {
  readonly annualRate: number;
  readonly overrides?: readonly { readonly sourceStageId: number; readonly annualRate: number }[];
}

/** What the time of a study is built from, in any order. */
export interface TimeInput {
  readonly stages: readonly Stage[];
  readonly preStudyStages?: readonly PreStudyStage[];
  readonly discounting: Discounting;
}

/** The stages in order, and what a dollar of each is worth. */
export interface Timeline {
  readonly stages: readonly Stage[];
  readonly preStudyStages: readonly PreStudyStage[];
  /** Of each stage: ζ of each block, in hm³ per m³/s. */
  readonly blockVolumes: readonly Float64Array[];
  /** d_t: what the cost of the stages after t is multiplied with in stage t. */
  readonly discount: Float64Array;
  /** d_0 · … · d_(t-1): what the cost of stage t is worth at the start. */
  readonly cumulativeDiscount: Float64Array;
}

const DAYS_A_YEAR = 365.25;
/** hm³ that one m³/s makes in an hour. */
const VOLUME_PER_HOUR = 0.0036;

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
  return { stages, preStudyStages, blockVolumes, discount, cumulativeDiscount };
}

/** (1 + r)^(-days / 365.25), by exp and log1p because powers differ between engines. */
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
      "stages before the study belong into pre_study_stages",
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
      "a stage has at least one day",
    );
  }
  if (previous !== undefined && stage.start < previous.end) {
    issues.error(
      "physics",
      place("start_date"),
      `is before the end of stage ${previous.id}`,
      "stages follow each other",
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
  if (stage.riskMeasure.kind === "cvar") {
    const { alpha, lambda } = stage.riskMeasure;
    if (!(alpha > 0 && alpha <= 1)) {
      issues.error(
        "physics",
        place("risk_measure.cvar.alpha"),
        `is ${alpha}`,
        "must be above 0 and at most 1",
      );
    }
    if (!(lambda >= 0 && lambda <= 1)) {
      issues.error(
        "physics",
        place("risk_measure.cvar.lambda"),
        `is ${lambda}`,
        "must be between 0 and 1",
      );
    }
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
