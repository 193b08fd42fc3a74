import {
  CASE_FILES,
  type Day,
  type InitialConditionsInput,
  type IssueCollector,
  type SeasonDefinitions,
  seasonOf,
  type TimeInput,
} from "@cobre/core";

/** The mean inflow of a plant on the days from `start` to the one before `end`. */
export interface InflowWindow {
  readonly hydroId: number;
  readonly start: Day;
  readonly end: Day;
  readonly valueM3s: number;
}

/** The days of a season before the study. */
interface Period {
  readonly start: Day;
  readonly end: Day;
}

const MILLISECONDS_A_DAY = 86_400_000;
/** No season is longer. */
const DAYS_A_YEAR = 366;

/**
 * The inflows of past seasons, as Cobre 0.18 gives them: dated windows. On a day that an observation covers, it goes before the history. A
 * season of which no day is known ends what is known of a plant.
 *
 * @param lags how many seasons the inflow model looks back
 */
export function pastInflowsOf(
  history: readonly InflowWindow[],
  observations: readonly InflowWindow[],
  time: TimeInput,
  lags: number,
  issues: IssueCollector,
): NonNullable<InitialConditionsInput["pastInflows"]> {
  checkWindows(CASE_FILES.inflowHistory, undefined, history, issues);
  checkWindows(CASE_FILES.initialConditions, "recent_observations", observations, issues);
  const windows = [...observations, ...history];
  if (lags === 0 || windows.length === 0) return [];
  const periods = periodsBefore(time, lags);
  if (periods === undefined) {
    issues.error(
      "stochastic",
      { file: CASE_FILES.stages, field: "season_definitions" },
      "is missing, so nothing says which days the seasons before the study have",
      "give season_definitions, or pre_study_stages",
    );
    return [];
  }
  const ids = [...new Set(windows.map(({ hydroId }) => hydroId))].sort((a, b) => a - b);
  return ids.map((hydroId) => {
    const oldest = periods.at(-1)?.start ?? 0;
    const own = windows.filter((window) => window.hydroId === hydroId && window.end > oldest);
    const valuesM3s: number[] = [];
    for (const period of periods) {
      const { mean, known } = meanOver(period, own);
      if (known === 0) break;
      const days = period.end - period.start;
      if (known < days) {
        issues.error(
          "stochastic",
          { file: CASE_FILES.inflowHistory, entity: `hydro ${hydroId}` },
          `tells ${known} of the ${days} days from ${text(period.start)} to ${text(period.end - 1)}`,
          `give the inflow of all of them here or in recent_observations of ${CASE_FILES.initialConditions}`,
        );
      }
      valuesM3s.push(mean);
    }
    return { hydroId, valuesM3s };
  });
}

/** The mean over the days of which a window tells, the first one that does; and how many these are. */
function meanOver({ start, end }: Period, windows: readonly InflowWindow[]) {
  const days = new Map<InflowWindow, number>();
  for (let day = start; day < end; day++) {
    const window = windows.find((one) => one.start <= day && day < one.end);
    if (window !== undefined) days.set(window, (days.get(window) ?? 0) + 1);
  }
  const known = [...days.values()].reduce((sum, count) => sum + count, 0);
  let mean = 0;
  // A share of 1 leaves the value as it is, to the last bit.
  for (const [{ valueM3s }, count] of days) mean += valueM3s * (count / known);
  return { mean, known };
}

/** The seasons before the study, the latest first. */
export function periodsBefore(
  time: Pick<TimeInput, "stages" | "preStudyStages" | "seasons">,
  count: number,
): readonly Period[] | undefined {
  const first = [...time.stages].sort((a, b) => a.start - b.start)[0];
  if (first === undefined) return [];
  const given = [...(time.preStudyStages ?? [])].sort((a, b) => b.start - a.start);
  if (given.length > 0) return given.slice(0, count);
  const seasons = time.seasons ?? monthsOf(time);
  if (seasons === undefined) return undefined;
  const periods: Period[] = [];
  for (let end = first.start; periods.length < count; ) {
    const start = startOfSeason(seasons, end - 1);
    periods.push({ start, end });
    end = start;
  }
  return periods;
}

/** The first day of the season in which a day lies. A season of a whole year follows itself, so its first day is looked for, too. */
function startOfSeason(seasons: SeasonDefinitions, day: Day): Day {
  const season = seasonOf(seasons, day);
  let start = day;
  while (
    day - start + 1 < DAYS_A_YEAR &&
    !isFirstDay(seasons, start) &&
    seasonOf(seasons, start - 1) === season
  )
    start--;
  return start;
}

/** Whether a season that is defined by its days begins on this one. */
function isFirstDay({ cycle, seasons }: SeasonDefinitions, day: Day): boolean {
  const date = new Date(day * MILLISECONDS_A_DAY);
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  const begins = ({ monthStart, dayStart = 1 }: (typeof seasons)[number]) =>
    monthStart === month && dayStart === dayOfMonth;
  return cycle === "custom" && seasons.some(begins);
}

/** Months, if the stages are months. */
function monthsOf({ stages }: Pick<TimeInput, "stages">): SeasonDefinitions | undefined {
  const isFirst = (day: Day) => new Date(day * MILLISECONDS_A_DAY).getUTCDate() === 1;
  const areMonths = stages.every(
    ({ start, end }) => isFirst(start) && isFirst(end) && end - start <= 31,
  );
  if (!areMonths) return undefined;
  const seasons = Array.from({ length: 12 }, (_, id) => ({ id, monthStart: id + 1 }));
  return { cycle: "monthly", seasons };
}

function checkWindows(
  file: string,
  field: string | undefined,
  windows: readonly InflowWindow[],
  issues: IssueCollector,
): void {
  const sorted = [...windows].sort((a, b) => a.hydroId - b.hydroId || a.start - b.start);
  sorted.forEach(({ hydroId, start, end }, i) => {
    const place = { file, entity: `hydro ${hydroId}`, field };
    if (!(end > start)) {
      const remedy = "it must have at least one day";
      issues.error("physics", place, `the window of ${text(start)} ends on ${text(end)}`, remedy);
    }
    const previous = sorted[i - 1];
    if (previous === undefined || previous.hydroId !== hydroId || previous.end <= start) return;
    const problem = `the windows of ${text(previous.start)} and ${text(start)} overlap`;
    issues.error("physics", place, problem, "give each day once");
  });
}

function text(day: Day): string {
  return new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}
