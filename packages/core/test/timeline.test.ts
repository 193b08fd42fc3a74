import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type SeasonDefinitions, type StudyInput, ValidationError } from "@cobre/core";
import { build, stage, toy } from "./toy.js";

function withTime(fields: Partial<StudyInput["time"]>): StudyInput {
  const input = toy();
  return { ...input, time: { ...input.time, ...fields } };
}

function monthly(...seasons: readonly [id: number, monthStart: number][]): SeasonDefinitions {
  return { cycle: "monthly", seasons: seasons.map(([id, monthStart]) => ({ id, monthStart })) };
}

describe("the timeline", () => {
  it("has the stages before the study in order", () => {
    const before = [-1, -3, -2].map((id) => ({ id, start: 30 * id, end: 30 * (id + 1) }));
    const { study, errors } = build(withTime({ preStudyStages: before }));
    assert.deepEqual(errors, []);
    assert.deepEqual(
      study.time.preStudyStages.map(({ id }) => id),
      [-3, -2, -1],
    );
    assert.deepEqual(build(toy()).study.time.preStudyStages, []);
  });

  it("brings costs back to the start through all stages between", () => {
    const stages = [stage(0), stage(1), stage(2), stage(3)];
    const { time } = build(withTime({ stages })).study;
    const month = time.discount[0] as number;
    assert.ok(month < 1);
    time.cumulativeDiscount.forEach((worth, t) => {
      assert.ok(Math.abs(worth - month ** t) < 1e-15, `stage ${t}`);
    });
  });

  it("knows the seasons that the case defines", () => {
    const seasons = monthly([0, 1], [5, 12]);
    const stages = [stage(0, { seasonId: 0 }), stage(1, { seasonId: 5 }), stage(2)];
    const preStudyStages = [{ id: -1, start: -30, end: 0, seasonId: 5 }];
    const { study, errors } = build(withTime({ seasons, stages, preStudyStages }));
    assert.deepEqual(errors, []);
    assert.equal(study.time.seasons, seasons);
    assert.deepEqual([study.time.seasonCycle?.[0], study.time.seasonCycle?.[11]], [0, 5]);
  });

  it("is told of seasons that cannot be", () => {
    const seasons = monthly([0, 1], [1, 0], [2, 13], [0, 2]);
    const preStudyStages = [{ id: -1, start: -30, end: 0, seasonId: 8 }];
    const stages = [stage(0, { seasonId: 9 }), stage(1, { seasonId: 2 }), stage(2)];
    assert.deepEqual(build(withTime({ seasons, stages, preStudyStages })).errors, [
      "stages.json: season_definitions.seasons[1].month_start: is 0; must be a month, from 1 to 12",
      "stages.json: season_definitions.seasons[2].month_start: is 13; must be a month, from 1 to 12",
      "stages.json: season_definitions.seasons[3].id: 0 is the id of two seasons; ids must be unique",
      "stages.json: stage -1: season_id: season 8 is not defined; give the id of a season in season_definitions",
      "stages.json: stage 0: season_id: season 9 is not defined; give the id of a season in season_definitions",
    ]);
  });
});

describe("the error of a case", () => {
  it("has all issues, and lists the errors", () => {
    const storage = [{ hydroId: 3, valueHm3: 101 }];
    const { issues } = build({
      ...withTime({ stages: [stage(0, { openings: 0 })] }),
      initialConditions: { storage },
    });
    assert.throws(
      () => issues.throwIfErrors(),
      (error) => {
        assert.ok(error instanceof ValidationError);
        assert.match(error.message, /^the case has 1 error:\n- stages\.json: stage 0: [^\n]*$/);
        assert.deepEqual(
          error.issues.map(({ severity, layer }) => [severity, layer]),
          [
            ["error", "physics"],
            ["warning", "physics"],
            ["warning", "physics"],
          ],
        );
        return true;
      },
    );
  });
});
