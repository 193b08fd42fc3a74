import { CASE_FILES } from "../case-files.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Day, PreStudyStage, Stage } from "./stages.js";

/** A part of the year. The days are only for custom cycles. */
export interface Season {
  readonly id: number;
  /** 1 to 12. */
  readonly monthStart: number;
  readonly dayStart?: number | undefined;
  readonly monthEnd?: number | undefined;
  readonly dayEnd?: number | undefined;
}

/** `season_definitions`: how a year is divided into seasons. */
export interface SeasonDefinitions {
  readonly cycle: "monthly" | "weekly" | "custom";
  readonly seasons: readonly Season[];
}

/** The seasons of a year in their order; `undefined` where one is not defined. */
export type SeasonCycle = readonly (number | undefined)[];

const MILLISECONDS_A_DAY = 86_400_000;
const MONTHS = 12;
const WEEKS = 52;
/** Two stages of one season that begin less than this apart lie in the same year of it. */
const DAYS_A_YEAR_AT_LEAST = 350;

/**
 * The cycle of seasons. If the case does not define it, it is known only from a study that goes through all of it: one that comes back to
 * season 0, or that lasts a year. Half a year of months must not be taken for a cycle of six.
 */
export function seasonCycle(
  definitions: SeasonDefinitions | undefined,
  stages: readonly Pick<Stage, "seasonId" | "start" | "end">[],
): SeasonCycle | undefined {
  if (definitions !== undefined) return cycleOf(definitions);
  const seasons = stages.map(({ seasonId }) => seasonId);
  const [first, last] = [stages[0], stages.at(-1)];
  if (first === undefined || last === undefined || seasons.includes(undefined)) return undefined;
  const ids = seasons as readonly number[];
  const ends = ids.filter((id, i) => i + 1 < ids.length && (ids[i + 1] as number) < id);
  const lastsAYear = last.end - first.start >= DAYS_A_YEAR_AT_LEAST;
  if (ends.length === 0 && !lastsAYear) return undefined;
  const count = 1 + Math.max(...ids);
  // One stage for each season, one after the other, or nothing is known of the stages before the study.
  const isRegular = ids.every((id, i) => i === 0 || id === ((ids[i - 1] as number) + 1) % count);
  const isWhole = ends.length > 0 || ids.length >= count;
  return isRegular && isWhole ? Array.from({ length: count }, (_, id) => id) : undefined;
}

function cycleOf({ cycle, seasons }: SeasonDefinitions): SeasonCycle {
  if (cycle === "weekly") return Array.from({ length: WEEKS }, (_, id) => id);
  if (cycle === "custom") {
    const inOrder = [...seasons].sort(
      (a, b) => a.monthStart - b.monthStart || (a.dayStart ?? 1) - (b.dayStart ?? 1),
    );
    return inOrder.map(({ id }) => id);
  }
  return Array.from(
    { length: MONTHS },
    (_, month) => seasons.find(({ monthStart }) => monthStart === month + 1)?.id,
  );
}

/** The season in which a day lies; `undefined` if none is defined for it. */
export function seasonOf({ cycle, seasons }: SeasonDefinitions, day: Day): number | undefined {
  const date = new Date(day * MILLISECONDS_A_DAY);
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  if (cycle === "monthly") return seasons.find(({ monthStart }) => monthStart === month)?.id;
  if (cycle === "weekly") return Math.min(isoWeek(day), WEEKS) - 1;
  const now = month * 100 + dayOfMonth;
  return seasons.find(({ monthStart, dayStart = 1, monthEnd = monthStart, dayEnd = 31 }) => {
    const [from, to] = [monthStart * 100 + dayStart, monthEnd * 100 + dayEnd];
    return from <= to ? from <= now && now <= to : from <= now || now <= to;
  })?.id;
}

/** The week of the year that holds the Thursday of the day's week, counted from 1. */
function isoWeek(day: Day): number {
  // 1970-01-01 was a Thursday.
  const thursday = day - ((((day + 3) % 7) + 7) % 7) + 3;
  const year = new Date(thursday * MILLISECONDS_A_DAY).getUTCFullYear();
  return Math.floor((thursday - Date.UTC(year, 0, 1) / MILLISECONDS_A_DAY) / 7) + 1;
}

/** Reports what is wrong with the definitions, and seasons of stages that are not defined. */
export function checkSeasons(
  { seasons }: SeasonDefinitions,
  stages: readonly (Stage | PreStudyStage)[],
  issues: IssueCollector,
): void {
  const file = CASE_FILES.stages;
  const ids = new Set<number>();
  seasons.forEach(({ id, monthStart }, i) => {
    const field = `season_definitions.seasons[${i}]`;
    if (ids.has(id)) {
      const place = { file, field: `${field}.id` };
      issues.error("references", place, `${id} is the id of two seasons`, "ids must be unique");
    }
    ids.add(id);
    if (monthStart >= 1 && monthStart <= MONTHS) return;
    const place = { file, field: `${field}.month_start` };
    issues.error("physics", place, `is ${monthStart}`, "must be a month, from 1 to 12");
  });
  for (const { id, seasonId } of stages) {
    if (seasonId === undefined || ids.has(seasonId)) continue;
    issues.error(
      "references",
      { file, entity: `stage ${id}`, field: "season_id" },
      `season ${seasonId} is not defined`,
      "give the id of a season in season_definitions",
    );
  }
}

/** Stages that do not end with their season, and why. The inflow of such a stage is not yet that of a season. */
export function stagesWithinSeasons(
  definitions: SeasonDefinitions,
  stages: readonly Stage[],
): readonly { readonly id: number; readonly problem: string }[] {
  return stages.flatMap(({ id, start, end, seasonId }, i) => {
    const month = monthOf(definitions, start, end, seasonId);
    const season = seasonId ?? month?.seasonId;
    const next = stages[i + 1];
    const nextSeason =
      next && (next.seasonId ?? monthOf(definitions, next.start, next.end, undefined)?.seasonId);
    if (
      next !== undefined &&
      season !== undefined &&
      nextSeason === season &&
      next.start - start < DAYS_A_YEAR_AT_LEAST
    ) {
      return [{ id, problem: `is a part of season ${season}, which stage ${next.id} continues` }];
    }
    if (month !== undefined && end > month.end) {
      return [{ id, problem: `goes on beyond season ${month.seasonId}` }];
    }
    return [];
  });
}

/** The month of a monthly season in which a stage has most of its days; `undefined` if it has none there, or the cycle is another one. */
function monthOf(
  { cycle, seasons }: SeasonDefinitions,
  start: Day,
  end: Day,
  seasonId: number | undefined,
): { readonly seasonId: number; readonly end: Day } | undefined {
  if (cycle !== "monthly") return undefined;
  const date = new Date(start * MILLISECONDS_A_DAY);
  const own = date.getUTCMonth() + 1;
  const season = seasons.find(({ id, monthStart }) =>
    seasonId === undefined ? monthStart === own : id === seasonId,
  );
  if (season === undefined) return undefined;
  const year = date.getUTCFullYear();
  let found: { readonly seasonId: number; readonly end: Day } | undefined;
  let most = 0;
  for (const candidate of [year, year + 1]) {
    const [from, to] = [0, 1].map(
      (months) => Date.UTC(candidate, season.monthStart - 1 + months) / MILLISECONDS_A_DAY,
    ) as [Day, Day];
    const days = Math.min(end, to) - Math.max(start, from);
    if (days <= most) continue;
    most = days;
    found = { seasonId: season.id, end: to };
  }
  return found;
}
