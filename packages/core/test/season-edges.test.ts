import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type SeasonDefinitions,
  type Stage,
  seasonCycle,
  seasonOf,
  stagesWithinSeasons,
} from "@cobre/core";
import { stage as anyStage } from "./toy.js";

const day = (text: string) => Date.parse(text) / 86_400_000;

function stage(id: number, start: string, end: string, seasonId?: number): Stage {
  return anyStage(id, { start: day(start), end: day(end), seasonId });
}

/** Stages of some days each, one after the other, with these seasons. */
function stagesOf(days: number, ...seasons: readonly (number | undefined)[]): Stage[] {
  return seasons.map((seasonId, i) =>
    anyStage(i, { start: 1000 + days * i, end: 1000 + days * (i + 1), seasonId }),
  );
}

const MONTHLY: SeasonDefinitions = {
  cycle: "monthly",
  seasons: Array.from({ length: 12 }, (_, id) => ({ id, monthStart: id + 1 })),
};
const CUSTOM: SeasonDefinitions = { cycle: "custom", seasons: [{ id: 0, monthStart: 1 }] };

describe("the cycle of the seasons", () => {
  it("has 52 weeks, from 0 on", () => {
    const weeks = seasonCycle({ cycle: "weekly", seasons: [] }, []);
    assert.deepEqual(
      weeks,
      Array.from({ length: 52 }, (_, week) => week),
    );
  });

  it("has the week in which the Thursday of a day's week lies; the 53rd belongs to the 52nd", () => {
    const weeks: SeasonDefinitions = { cycle: "weekly", seasons: [] };
    for (const [date, week] of [
      ["2024-12-29", 51],
      ["2024-12-30", 0],
      ["2025-01-05", 0],
      ["2025-01-06", 1],
      ["2025-06-05", 22],
      ["2020-12-31", 51],
      ["2021-01-03", 51],
      ["2021-01-04", 0],
      ["1970-01-01", 0],
      ["1969-12-28", 51],
      ["1969-12-29", 0],
      ["1965-07-15", 27],
    ] as const) {
      assert.equal(seasonOf(weeks, day(date)), week, date);
    }
  });

  it("has custom seasons by month, then by day; a season without one begins on the first", () => {
    const seasons = [
      { id: 3, monthStart: 4, dayStart: 20 },
      { id: 4, monthStart: 4, dayStart: 1 },
      { id: 5, monthStart: 4 },
      { id: 6, monthStart: 4, dayStart: 10 },
      { id: 2, monthStart: 2, dayStart: 28 },
    ];
    assert.deepEqual(seasonCycle({ cycle: "custom", seasons }, []), [2, 4, 5, 6, 3]);
    const reversed = [...seasons].reverse();
    assert.deepEqual(seasonCycle({ cycle: "custom", seasons: reversed }, []), [2, 5, 4, 6, 3]);
  });

  it("is seen in a study of 350 days, and in none that is shorter", () => {
    assert.deepEqual(seasonCycle(undefined, stagesOf(175, 0, 1)), [0, 1]);
    assert.equal(seasonCycle(undefined, stagesOf(174.5, 0, 1)), undefined);
  });

  it("is not seen where seasons are missing, repeated or out of order", () => {
    assert.equal(seasonCycle(undefined, []), undefined);
    assert.equal(seasonCycle(undefined, stagesOf(100, undefined, 0, 1, 2)), undefined);
    assert.equal(seasonCycle(undefined, stagesOf(10, 0, 0)), undefined, "a season of two stages");
    assert.equal(seasonCycle(undefined, stagesOf(100, 0, 2, 1, 3)), undefined);
    const upToTwelve = Array.from({ length: 12 }, (_, i) => i + 1);
    assert.equal(
      seasonCycle(undefined, stagesOf(30, ...upToTwelve)),
      undefined,
      "season 0 is missing",
    );
  });
});

describe("stages within their seasons", () => {
  const problems = (stages: readonly Stage[], definitions = MONTHLY) =>
    stagesWithinSeasons(definitions, stages).map(({ id, problem }) => `${id} ${problem}`);

  it("are parts of one season if they begin less than 350 days apart", () => {
    assert.deepEqual(problems(stagesOf(350, 0, 0), CUSTOM), []);
    assert.deepEqual(problems(stagesOf(349, 0, 0), CUSTOM), [
      "0 is a part of season 0, which stage 1 continues",
    ]);
  });

  it("are none if nothing is known of their seasons", () => {
    assert.deepEqual(problems(stagesOf(10, undefined, undefined), CUSTOM), []);
    const half = { ...MONTHLY, seasons: MONTHLY.seasons.slice(0, 6) };
    const autumn = [stage(0, "2024-09-01", "2024-09-15"), stage(1, "2024-09-15", "2024-10-20")];
    assert.deepEqual(problems(autumn, half), []);
  });

  it("are found by the month of their first day if they have no season", () => {
    assert.deepEqual(problems([stage(0, "2024-01-31", "2024-02-29")]), [
      "0 goes on beyond season 0",
    ]);
    assert.deepEqual(problems([stage(0, "2024-12-01", "2025-01-01")]), []);
    assert.deepEqual(problems([stage(0, "2024-12-01", "2025-01-02")]), [
      "0 goes on beyond season 11",
    ]);
  });

  it("may begin in the year before their season", () => {
    assert.deepEqual(problems([stage(0, "2024-12-20", "2025-02-01", 0)]), []);
    assert.deepEqual(problems([stage(0, "2024-12-20", "2025-02-02", 0)]), [
      "0 goes on beyond season 0",
    ]);
  });

  it("are of the first of two years with as many days", () => {
    assert.deepEqual(problems([stage(0, "2024-01-01", "2025-02-01", 0)]), [
      "0 goes on beyond season 0",
    ]);
  });

  it("are of no month in which they have no day", () => {
    assert.deepEqual(problems([stage(0, "2024-02-01", "2024-05-01", 0)]), []);
  });
});
