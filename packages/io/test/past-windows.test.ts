/** Past inflows from dated windows: which days past seasons have, and what is known of them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue, IssueCollector } from "@cobre/core";
import { pastInflowsOf, periodsBefore } from "#internal";

type Time = Parameters<typeof pastInflowsOf>[2];
type Window = Parameters<typeof pastInflowsOf>[0][number];

const day = (date: string) => Date.parse(date) / 86_400_000;
const period = (start: string, end: string) => ({ start: day(start), end: day(end) });
/** A study of these stages; only their days count. */
const study = (stages: readonly { start: number; end: number }[], more: object = {}) =>
  ({ stages, ...more }) as unknown as Time;

const JANUARY = period("2025-01-01", "2025-02-01");
const FEBRUARY = period("2025-02-01", "2025-03-01");
const DECEMBER = period("2024-12-01", "2025-01-01");
const NOVEMBER = period("2024-11-01", "2024-12-01");
const monthly = study([FEBRUARY, JANUARY]);
const WEEK = period("2025-01-06", "2025-01-13");

const SEASONS = {
  cycle: "custom",
  seasons: [
    { id: 0, monthStart: 1, dayStart: 1, monthEnd: 6, dayEnd: 30 },
    { id: 1, monthStart: 7, dayStart: 1, monthEnd: 12, dayEnd: 31 },
  ],
};

describe("the seasons before a study", () => {
  it("are months if its stages are, the latest first", () => {
    assert.deepEqual(periodsBefore(monthly, 2), [DECEMBER, NOVEMBER]);
    assert.deepEqual(periodsBefore(monthly, 0), []);
    assert.equal(periodsBefore(monthly, 14)?.length, 14);
    assert.deepEqual(periodsBefore(monthly, 14)?.at(-1), period("2023-11-01", "2023-12-01"));
  });

  it("are not known if a stage is longer, or begins or ends within a month", () => {
    for (const other of [
      period("2025-02-01", "2025-04-01"),
      period("2025-02-02", "2025-03-01"),
      period("2025-02-01", "2025-02-28"),
      WEEK,
    ])
      assert.equal(periodsBefore(study([JANUARY, other]), 1), undefined);
  });

  it("are those that are defined, and may be as long as a year", () => {
    assert.deepEqual(periodsBefore(study([WEEK], { seasons: SEASONS }), 2), [
      period("2025-01-01", "2025-01-06"),
      period("2024-07-01", "2025-01-01"),
    ]);
    const year = (dates: object) => {
      const seasons = { cycle: "custom", seasons: [{ id: 0, ...dates }] };
      return periodsBefore(study([JANUARY], { seasons }), 2);
    };
    assert.deepEqual(year({ monthStart: 1, monthEnd: 12 }), [
      period("2024-01-01", "2025-01-01"),
      period("2023-01-01", "2024-01-01"),
    ]);
    assert.deepEqual(year({ monthStart: 10, dayStart: 2, monthEnd: 10, dayEnd: 1 }), [
      period("2024-10-02", "2025-01-01"),
      period("2023-10-02", "2024-10-02"),
    ]);
    // No year has the day on which this one begins.
    assert.deepEqual(year({ monthStart: 2, dayStart: 30, monthEnd: 2, dayEnd: 29 })?.[0], {
      start: JANUARY.start - 366,
      end: JANUARY.start,
    });
    const weekly = { cycle: "weekly", seasons: [{ id: 0, monthStart: 12 }] };
    assert.deepEqual(periodsBefore(study([JANUARY], { seasons: weekly }), 2), [
      period("2024-12-30", "2025-01-01"),
      period("2024-12-23", "2024-12-30"),
    ]);
  });

  it("are the stages before the study where there are some, and no more of them", () => {
    const before = [period("2024-11-20", "2024-12-10"), period("2024-12-10", "2025-01-01")];
    const time = study([JANUARY], { preStudyStages: before, seasons: SEASONS });
    const [early, late] = before;
    assert.deepEqual(periodsBefore(time, 1), [late]);
    assert.deepEqual(periodsBefore(time, 2), [late, early]);
    assert.deepEqual(periodsBefore(time, 3), [late, early]);
    assert.deepEqual(periodsBefore(study([], { preStudyStages: before }), 1), []);
  });
});

describe("past inflows", () => {
  const window = (hydroId: number, start: string, end: string, valueM3s: number): Window => ({
    hydroId,
    ...period(start, end),
    valueM3s,
  });
  const past = (
    history: readonly Window[],
    observations: readonly Window[] = [],
    lags = 2,
    time = monthly,
  ) => {
    const issues = new IssueCollector();
    const found = pastInflowsOf(history, observations, time, lags, issues);
    return [found, ...issues.issues.map((issue) => `${issue.layer} ${formatIssue(issue)}`)];
  };

  it("are means of seasons, plant by plant, as far as they are known", () => {
    const history = [
      window(10, "2024-11-01", "2024-12-01", 8),
      window(10, "2024-12-01", "2025-01-01", 0.1),
      window(9, "2024-12-01", "2025-01-01", 4),
      window(9, "2024-10-01", "2024-11-01", 99),
      window(11, "2024-10-01", "2024-11-01", 5),
      window(10, "2025-01-01", "2025-02-01", 7),
    ];
    assert.deepEqual(past(history), [
      [
        { hydroId: 9, valuesM3s: [4] },
        { hydroId: 10, valuesM3s: [0.1, 8] },
        { hydroId: 11, valuesM3s: [] },
      ],
    ]);
    assert.deepEqual(past(history, [], 1)[0], [
      { hydroId: 9, valuesM3s: [4] },
      { hydroId: 10, valuesM3s: [0.1] },
      { hydroId: 11, valuesM3s: [] },
    ]);
    assert.deepEqual(past(history, [], 0), [[]]);
    assert.deepEqual(past([], []), [[]]);
  });

  it("take an observation before the history, day by day", () => {
    const history = [window(1, "2024-12-01", "2025-01-01", 10)];
    const observed = [window(1, "2024-12-22", "2025-01-01", 41)];
    const [found, ...told] = past(history, observed, 1);
    assert.deepEqual(told, []);
    assert.deepEqual(found, [{ hydroId: 1, valuesM3s: [10 * (21 / 31) + 41 * (10 / 31)] }]);
  });

  it("are told if days of a season are missing, or are known from two windows", () => {
    const FILE = "scenarios/inflow_history.parquet";
    const rest = `give the inflow of all of them here or in recent_observations of initial_conditions.json`;
    assert.deepEqual(past([window(1, "2024-12-02", "2025-01-01", 5)]), [
      [{ hydroId: 1, valuesM3s: [5] }],
      `stochastic ${FILE}: hydro 1: tells 30 of the 31 days from 2024-12-01 to 2024-12-31; ${rest}`,
    ]);
    const twice = [
      window(1, "2024-12-15", "2025-01-01", 5),
      window(1, "2024-12-01", "2024-12-16", 5),
    ];
    const OVERLAP = "the windows of 2024-12-01 and 2024-12-15 overlap; give each day once";
    assert.deepEqual(past(twice).slice(1), [`physics ${FILE}: hydro 1: ${OVERLAP}`]);
    assert.deepEqual(past([], twice).slice(1), [
      `physics initial_conditions.json: hydro 1: recent_observations: ${OVERLAP}`,
    ]);
    // Other plants, and days that follow, do not overlap.
    const apart = [
      window(1, "2024-12-15", "2025-01-01", 5),
      window(1, "2024-12-01", "2024-12-15", 5),
      window(2, "2024-12-01", "2025-01-01", 5),
    ];
    assert.deepEqual(past(apart).slice(1), []);
    const empty = [window(1, "2024-12-15", "2024-12-15", 5)];
    assert.deepEqual(past(empty, [], 0).slice(1), [
      `physics ${FILE}: hydro 1: the window of 2024-12-15 ends on 2024-12-15; it must have at least one day`,
    ]);
  });

  it("need to know which days the seasons have", () => {
    const history = [window(1, "2024-12-01", "2025-01-01", 5)];
    assert.deepEqual(past(history, [], 1, study([WEEK])), [
      [],
      "stochastic stages.json: season_definitions: is missing, so nothing says which days the seasons before the study have; give season_definitions, or pre_study_stages",
    ]);
    assert.deepEqual(past(history, [], 0, study([WEEK])), [[]]);
  });
});
