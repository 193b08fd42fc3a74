import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type SeasonDefinitions, type Stage, seasonCycle, stagesWithinSeasons } from "@cobre/core";

const day = (text: string) => Date.parse(text) / 86_400_000;

function stage(id: number, start: string, end: string, seasonId?: number): Stage {
  return {
    id,
    start: day(start),
    end: day(end),
    seasonId,
    blocks: [{ id: 0, name: "B", hours: 1 }],
    openings: 1,
    riskMeasure: { kind: "expectation" },
  };
}

/** Months from a month on (0 is January 2024), each with its season. */
function months(first: number, count: number): Stage[] {
  const start = (month: number) => new Date(Date.UTC(2024, month)).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, i) =>
    stage(i, start(first + i), start(first + i + 1), (first + i) % 12),
  );
}

const YEAR = Array.from({ length: 12 }, (_, month) => month);
const monthly = (ids: readonly number[] = YEAR): SeasonDefinitions => ({
  cycle: "monthly",
  seasons: ids.map((id) => ({ id, monthStart: id + 1 })),
});

describe("the cycle of the seasons", () => {
  it("is what the case defines, in the order of the calendar", () => {
    assert.deepEqual(seasonCycle(monthly(), months(0, 6)), YEAR);
    const half = seasonCycle(monthly([0, 1, 2]), months(0, 3));
    assert.equal(half?.length, 12);
    assert.deepEqual(half?.slice(0, 4), [0, 1, 2, undefined]);
    const seasons = [
      { id: 4, monthStart: 10 },
      { id: 7, monthStart: 4, dayStart: 15 },
      { id: 1, monthStart: 4 },
    ];
    assert.deepEqual(seasonCycle({ cycle: "custom", seasons }, []), [1, 7, 4]);
    assert.equal(seasonCycle({ cycle: "weekly", seasons: [] }, [])?.length, 52);
  });

  it("is known from a study that goes through it, and from no shorter one", () => {
    assert.equal(seasonCycle(undefined, months(0, 6)), undefined);
    assert.equal(seasonCycle(undefined, months(6, 6)), undefined);
    assert.deepEqual(seasonCycle(undefined, months(0, 12)), YEAR);
    assert.deepEqual(seasonCycle(undefined, months(10, 4)), YEAR, "it turns after season 11");
    assert.deepEqual(seasonCycle(undefined, months(3, 30)), YEAR);
    const weeks = [
      stage(0, "2024-12-24", "2024-12-31", 11),
      stage(1, "2025-01-01", "2025-01-08", 0),
    ];
    const more = [...weeks, stage(2, "2025-01-08", "2025-01-15", 0)];
    assert.equal(seasonCycle(undefined, more), undefined, "several stages in a season");
    const years = [
      stage(0, "2024-01-01", "2025-01-01", 0),
      stage(1, "2025-01-01", "2026-01-01", 0),
    ];
    assert.deepEqual(seasonCycle(undefined, years), [0]);
  });
});

describe("stages within their seasons", () => {
  const problems = (stages: readonly Stage[], definitions = monthly()) =>
    stagesWithinSeasons(definitions, stages).map(({ id, problem }) => `${id} ${problem}`);

  it("are none if each is a month, or the rest of one", () => {
    assert.deepEqual(problems(months(3, 30)), []);
    const rest = [stage(0, "2024-01-15", "2024-02-01", 0), stage(1, "2024-02-01", "2024-03-01", 1)];
    assert.deepEqual(problems(rest), []);
  });

  it("are those that another stage continues, and those that go on into the next", () => {
    const halves = [
      stage(0, "2024-01-01", "2024-01-16", 0),
      stage(1, "2024-01-16", "2024-02-01", 0),
      stage(2, "2024-02-01", "2024-03-01", 1),
    ];
    const expected = ["0 is a part of season 0, which stage 1 continues"];
    assert.deepEqual(problems(halves), expected);
    const unnamed = halves.map((half) => ({ ...half, seasonId: undefined }));
    assert.deepEqual(problems(unnamed), expected);
    const shifted = [
      stage(0, "2024-01-15", "2024-02-15", 0),
      stage(1, "2024-02-15", "2024-03-01", 1),
    ];
    assert.deepEqual(problems(shifted), ["0 goes on beyond season 0"]);
    const custom: SeasonDefinitions = { cycle: "custom", seasons: [{ id: 0, monthStart: 1 }] };
    assert.deepEqual(problems(halves.slice(0, 2), custom), expected);
    const years = [
      stage(0, "2024-01-01", "2025-01-01", 0),
      stage(1, "2025-01-01", "2026-01-01", 0),
    ];
    assert.deepEqual(problems(years, custom), []);
  });
});
