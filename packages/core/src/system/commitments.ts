import { CASE_FILES } from "../case-files.js";
import type { OverrideRow } from "../overrides.js";
import type { StageTables } from "../stage-table.js";
import type { Day, Timeline } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import { checkPair } from "./check-entities.js";
import { checkWindows, type DatedValue, meanOfWindows } from "./dated-values.js";
import type { Thermal } from "./entities.js";

/** Stages behind the study, for which plants are committed within it. */
export interface PostStudyInput {
  readonly stages: readonly { readonly start: Day; readonly hours: number }[];
  readonly bounds: readonly {
    readonly thermalId: number;
    /** Counted from 0. */
    readonly stage: number;
    readonly costPerMwh: number;
    readonly minMw: number;
    readonly maxMw: number;
  }[];
}

/** What a plant commits itself to. */
export interface Decision {
  /** How many stages later it is delivered. */
  readonly ahead: number;
  readonly minMw: number;
  readonly maxMw: number;
  /** The cost of one MW during the delivery in $, discounted to the stage of the decision. */
  readonly cost: number;
}

/** What thermal plants are committed to ahead of time. */
export interface Commitments {
  /** For each plant, how many stages ahead it can be committed; 0 for a plant that is not. */
  readonly depth: readonly number[];
  /** The components of the state, by plant: what it is committed to so many stages ahead, 1 being the next one. */
  readonly states: readonly { readonly plant: number; readonly ahead: number }[];
  /** For each stage and plant, whether its generation was decided before. */
  readonly isDelivery: readonly (readonly boolean[])[];
  /** For each stage and plant, what it decides for later stages. */
  readonly decisions: readonly (readonly (readonly Decision[])[])[];
  /** For each stage and plant, how many stages ahead of its end commitments lie that were decided before it. */
  readonly carried: readonly (readonly (readonly number[])[])[];
  /** For each plant what it is committed to when the study starts, in MW, by the stage of the delivery. */
  readonly initialMw: readonly (readonly number[])[];
  /** For each component of the state the values between which the study can end. */
  readonly terminalMw: readonly (readonly [from: number, to: number])[];
}

/** A stage of the study, or behind it. */
interface Delivery {
  readonly start: Day;
  readonly end: Day;
  readonly hours: number;
  /** What brings a cost of this stage to the start of the study. */
  readonly discount: number;
  readonly minMw: number;
  readonly maxMw: number;
  readonly costPerMwh: number;
}

const HOURS_A_DAY = 24;
/** Of an hour: less comes from rounding. */
const NEGLIGIBLE = 1e-6;
/** As many stages as lags of inflows may have: each is a component of the state. */
const MOST_STAGES = 366;

/** Decides which stage commits plants for which. Limits and costs are those of the delivery. */
export function buildCommitments(
  thermals: readonly Thermal[],
  time: Timeline,
  tables: StageTables<"minGenerationMw" | "maxGenerationMw" | "costPerMwh">,
  postStudy: PostStudyInput,
  past: readonly DatedValue[],
  issues: IssueCollector,
): Commitments {
  checkPostStudy(thermals, time, postStudy, issues);
  for (const { id, lead } of thermals) {
    if (lead === undefined || !time.graph.isCyclic) continue;
    const place = {
      file: CASE_FILES.thermals,
      entity: `thermal ${id}`,
      field: "anticipated_config",
    };
    const remedy = "this version cannot do that yet; give a finite horizon";
    issues.error("physics", place, "asks for commitments in a cyclic horizon", remedy);
  }
  const { stages } = time;
  const plants = thermals.map((thermal, plant) => {
    if (thermal.lead === undefined) return undefined;
    const deliveries = deliveriesOf(thermal, plant, time, tables, postStudy);
    const deciding = decidingStages(thermal, deliveries, issues);
    return deciding && { deliveries, deciding };
  });
  const depth = plants.map((one) =>
    Math.max(
      0,
      ...(one?.deciding ?? []).map((at, m) => {
        // Decided in the stage itself, or not within the study.
        if (at === m || at >= stages.length) return 0;
        return m - Math.max(0, at + 1) + 1;
      }),
    ),
  );
  const states = depth.flatMap((most, plant) =>
    Array.from({ length: most }, (_, i) => ({ plant, ahead: i + 1 })),
  );
  const isDelivery = stages.map((_, t) =>
    plants.map((one) => one !== undefined && (one.deciding[t] as number) < t),
  );
  const decisions = stages.map((_, t) =>
    plants.map((one): readonly Decision[] =>
      (one?.deliveries ?? []).flatMap((delivery, m) => {
        if (one?.deciding[m] !== t || m === t) return [];
        const { minMw, maxMw, costPerMwh, hours, discount } = delivery;
        const worth = discount / (time.cumulativeDiscount[t] as number);
        return [{ ahead: m - t, minMw, maxMw, cost: costPerMwh * hours * worth }];
      }),
    ),
  );
  const carried = stages.map((_, t) =>
    plants.map((one) =>
      (one?.deciding ?? []).flatMap((at, m) => (m > t && at < t && at !== m ? [m - t] : [])),
    ),
  );
  const initialMw = thermals.map(({ id }, plant) => {
    const place = {
      file: CASE_FILES.initialConditions,
      entity: `thermal ${id}`,
      field: "past_anticipated_commitments",
    };
    const own = past.filter((window) => window.id === id);
    const one = plants[plant];
    if (one === undefined) {
      if (own.length > 0) {
        issues.warning("references", place, "has no effect", "the plant is not committed ahead");
      }
      return [];
    }
    const decided = one.deciding.flatMap((at, m) => (at < 0 ? [m] : []));
    const spans = decided.map((m): readonly [Day, Day] => {
      const { start, end } = one.deliveries[m] as Delivery;
      return [start, end];
    });
    checkWindows(own, spans, place, issues);
    return Array.from({ length: depth[plant] as number }, (_, m) => {
      const delivery = one.deliveries[m];
      if (delivery === undefined || !decided.includes(m)) return 0;
      const { start, end, minMw, maxMw } = delivery;
      const value = meanOfWindows(own, start, end);
      if (value < minMw - NEGLIGIBLE || value > maxMw + NEGLIGIBLE) {
        const problem = `commits ${value} MW to a stage in which the plant has ${minMw} to ${maxMw} MW`;
        issues.error("physics", place, problem, "give a value between these limits");
      }
      // Rounding must not leave the limits, or the stage would have no solution.
      return Math.min(Math.max(value, minMw), maxMw);
    });
  });
  const terminalMw = states.map(({ plant, ahead }): readonly [number, number] => {
    const m = stages.length - 1 + ahead;
    const { minMw = 0, maxMw = 0 } = plants[plant]?.deliveries[m] ?? {};
    return [Math.min(0, minMw), maxMw];
  });
  return { depth, states, isDelivery, decisions, carried, initialMw, terminalMw };
}

/** All stages in which a plant may deliver what was decided before. */
function deliveriesOf(
  { id }: Thermal,
  plant: number,
  { stages, cumulativeDiscount, discount, annualRate }: Timeline,
  tables: StageTables<"minGenerationMw" | "maxGenerationMw" | "costPerMwh">,
  postStudy: PostStudyInput,
): readonly Delivery[] {
  const within = stages.map(({ start, end, blocks }, t) => ({
    start,
    end,
    hours: blocks.reduce((sum, { hours }) => sum + hours, 0),
    discount: cumulativeDiscount[t] as number,
    minMw: tables.minGenerationMw.at(t, plant),
    maxMw: tables.maxGenerationMw.at(t, plant),
    costPerMwh: tables.costPerMwh.at(t, plant),
  }));
  const last = stages.length - 1;
  let worth = (cumulativeDiscount[last] ?? 1) * (discount[last] ?? 1);
  const behind = postStudy.stages.map(({ start, hours }, i) => {
    const bounds = postStudy.bounds.find(({ thermalId, stage }) => thermalId === id && stage === i);
    const days = hours / HOURS_A_DAY;
    const delivery = {
      start,
      end: start + days,
      hours,
      discount: worth,
      minMw: bounds?.minMw ?? 0,
      maxMw: bounds?.maxMw ?? 0,
      costPerMwh: bounds?.costPerMwh ?? 0,
    };
    worth *= Math.exp(-(days / DAYS_A_YEAR) * Math.log1p(annualRate));
    return delivery;
  });
  return [...within, ...behind];
}

const DAYS_A_YEAR = 365.25;

/**
 * For each delivery the stage that decides it: so many stages before, or the one that contains the hour so long before its end. An hour between two
 * stages belongs to the earlier one. -1: before the study.
 */
function decidingStages(
  { id, lead }: Thermal,
  deliveries: readonly Delivery[],
  issues: IssueCollector,
): readonly number[] | undefined {
  if (lead === undefined) return undefined;
  const tooFar = (field: string) => {
    const place = { file: CASE_FILES.thermals, entity: `thermal ${id}`, field };
    const problem = `is more than ${MOST_STAGES} stages`;
    issues.error("physics", place, problem, "give a shorter lead");
    return undefined;
  };
  if ("stages" in lead) {
    if (lead.stages > MOST_STAGES) return tooFar("anticipated_config.lead_stages");
    return deliveries.map((_, m) => Math.max(-1, m - lead.stages));
  }
  const shortest = Math.min(...deliveries.map(({ hours }) => hours));
  if (!(shortest > 0)) return undefined; // told elsewhere
  if (lead.hours > MOST_STAGES * shortest) return tooFar("anticipated_config.lead_time_hours");
  const ends: number[] = [];
  for (const { hours } of deliveries) ends.push((ends.at(-1) ?? 0) + hours);
  return ends.map((end) => {
    const decided = end - lead.hours;
    if (decided <= NEGLIGIBLE) return -1;
    return ends.findIndex((later) => later >= decided - NEGLIGIBLE);
  });
}

/** Stages behind the study must follow it without a gap, and limits must be about plants and stages that exist. */
function checkPostStudy(
  thermals: readonly Thermal[],
  { stages }: Timeline,
  postStudy: PostStudyInput,
  issues: IssueCollector,
): void {
  const file = CASE_FILES.postStudyStages;
  let end = stages.at(-1)?.end;
  postStudy.stages.forEach(({ start, hours }, i) => {
    const place = { file, entity: `stage ${i}` };
    if (end !== undefined && Math.abs(start - end) > 1) {
      const remedy = "each stage must begin when the one before ends, the first with the study";
      issues.error("physics", { ...place, field: "start_date" }, "leaves a gap", remedy);
    }
    end = start + hours / HOURS_A_DAY;
  });
  const seen = new Set<string>();
  for (const { thermalId, stage, minMw, maxMw } of postStudy.bounds) {
    const place = { file, entity: `thermal ${thermalId}, stage ${stage}` };
    const thermal = thermals.find(({ id }) => id === thermalId);
    if (thermal === undefined) {
      const remedy = `give the id of a plant in ${CASE_FILES.thermals}`;
      issues.error("references", place, `thermal ${thermalId} does not exist`, remedy);
    } else if (thermal.lead === undefined) {
      issues.warning("references", place, "has no effect", "the plant is not committed ahead");
    }
    if (postStudy.stages[stage] === undefined) {
      const remedy = "stages are counted from 0";
      issues.error("references", place, `there is no stage ${stage} in stages`, remedy);
    }
    if (seen.has(`${thermalId} ${stage}`)) {
      issues.error("references", place, "is given twice", "give it once");
    }
    seen.add(`${thermalId} ${stage}`);
    checkPair(minMw, maxMw, { ...place, field: "max_mw" }, issues);
  }
}

/** What was decided for a stage holds for all its blocks together: limits of single blocks are refused. */
export function checkCommittedRows(
  rows: readonly OverrideRow<string>[],
  thermals: readonly Thermal[],
  issues: IssueCollector,
): void {
  for (const { id, stageId, blockId } of rows) {
    if (blockId === undefined) continue;
    if (thermals.find((thermal) => thermal.id === id)?.lead === undefined) continue;
    issues.error(
      "physics",
      {
        file: CASE_FILES.thermalBounds,
        entity: `thermal ${id}, stage ${stageId}, block ${blockId}`,
        field: "block_id",
      },
      "the plant is committed ahead, for whole stages",
      "give its limits in rows without block_id",
    );
  }
}
