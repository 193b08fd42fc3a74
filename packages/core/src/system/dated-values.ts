import type { Day } from "../time/stages.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";

/** A value of an entity from one day to the day before another one. */
export interface DatedValue {
  readonly id: number;
  readonly start: Day;
  readonly end: Day;
  readonly value: number;
}

const HOURS_A_DAY = 24;
const MILLISECONDS_A_DAY = 86_400_000;
/** Of a day: less comes from rounding. */
const NEGLIGIBLE = 1e-6;

/** The hours of a window, counted from a day. */
export function hoursOfWindow(
  { start, end }: DatedValue,
  from: Day,
): readonly [from: number, to: number] {
  return [(start - from) * HOURS_A_DAY, (end - from) * HOURS_A_DAY];
}

/** Reports windows that end before they begin or overlap, and days of the needed spans that none of them covers. */
export function checkWindows(
  windows: readonly DatedValue[],
  needed: readonly (readonly [from: Day, to: Day])[],
  place: IssuePlace,
  issues: IssueCollector,
): void {
  const sorted = [...windows].sort((a, b) => a.start - b.start);
  sorted.forEach(({ start, end }, i) => {
    const next = sorted[i + 1];
    if (!(end > start)) {
      const at = { ...place, field: `${place.field}.end_date` };
      issues.error("physics", at, `${dateOf(end)} is not after start_date`, "must be a later day");
    } else if (next !== undefined && next.start < end) {
      issues.error(
        "physics",
        place,
        `two windows have the day ${dateOf(next.start)}`,
        "windows of the same entity must not overlap",
      );
    }
  });
  for (const [from, to] of needed) {
    const covered = sorted.reduce((sum, window) => sum + daysIn(window, from, to), 0);
    if (covered >= to - from - NEGLIGIBLE) continue;
    issues.error(
      "physics",
      place,
      `does not cover all days from ${dateOf(Math.floor(from))} to ${dateOf(Math.ceil(to) - 1)}`,
      "give start_date, end_date (the day after the last one) and a value for all of them",
    );
  }
}

/** The mean of the values over a span of days that windows cover. */
export function meanOfWindows(windows: readonly DatedValue[], from: Day, to: Day): number {
  const sum = windows.reduce((total, window) => total + daysIn(window, from, to) * window.value, 0);
  return sum / (to - from);
}

function daysIn({ start, end }: DatedValue, from: Day, to: Day): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from));
}

function dateOf(day: Day): string {
  return new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}
