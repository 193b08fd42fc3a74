import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { moveTables, studyTables, tablesLength } from "@cobre/core";
import { build, stage, toy } from "./toy.js";

describe("a study", () => {
  it("has its entities by id, whatever the order of the input", () => {
    const { study, errors, warnings } = build(toy());
    assert.deepEqual([errors, warnings], [[], []]);
    const { buses, thermals, hydros } = study.system;
    assert.deepEqual(
      [buses, thermals, hydros].map((list) => list.map(({ id }) => id)),
      [
        [0, 7],
        [2, 4],
        [3, 5],
      ],
    );
    const input = toy();
    const { system, time } = input;
    const reversed = build({
      ...input,
      system: {
        buses: [...system.buses].reverse(),
        lines: system.lines,
        thermals: [...system.thermals].reverse(),
        hydros: [...system.hydros].reverse(),
      },
      time: { ...time, stages: [...time.stages].reverse() },
    });
    assert.deepEqual(reversed.study, study);
  });

  it("knows who is connected to whom", () => {
    const { system } = build(toy()).study;
    assert.deepEqual([...system.busOfThermal], [0, 1]);
    assert.deepEqual([...system.busOfHydro], [0, 0]);
    assert.deepEqual([[...system.sourceOfLine], [...system.targetOfLine]], [[0], [1]]);
    const { downstream, upstream, order } = system.cascade;
    assert.deepEqual(
      [[...downstream], upstream, [...order]],
      [
        [1, -1],
        [[], [0]],
        [0, 1],
      ],
    );
  });

  it("takes a penalty from the stage, else the entity, else the system", () => {
    const { study } = build({
      ...toy(),
      hydroPenalties: [{ id: 3, stageId: 1, values: { spillageCost: 0.7 } }],
      busPenalties: [{ id: 7, stageId: 0, values: { excessCost: 77 } }],
      linePenalties: [{ id: 1, stageId: 2, values: { exchangeCost: 3 } }],
    });
    const { spillageCost } = study.hydroPenalties;
    assert.deepEqual(
      [0, 1, 2].map((t) => spillageCost.at(t, 0)),
      [0.5, 0.7, 0.5],
    );
    assert.equal(spillageCost.at(1, 1), 0.01);
    assert.deepEqual([...study.busPenalties.excessCost.values], [100, 77, 100, 100, 100, 100]);
    assert.deepEqual([...study.linePenalties.exchangeCost.values], [2, 2, 3]);
    const depths = study.system.buses.map(({ deficitSegments }) => deficitSegments.length);
    assert.deepEqual(depths, [1, 2]);
  });

  it("takes bounds and costs of a stage from its row", () => {
    const { study, errors } = build({
      ...toy(),
      thermalBounds: [{ id: 2, stageId: 2, values: { costPerMwh: 120, maxGenerationMw: 6 } }],
      hydroBounds: [{ id: 5, stageId: 0, values: { minStorageHm3: 20, maxOutflowM3s: 90 } }],
      lineBounds: [{ id: 1, stageId: 1, values: { reverseMw: 0 } }],
    });
    assert.deepEqual(errors, []);
    assert.deepEqual([...study.thermals.costPerMwh.values], [10, 30, 10, 30, 120, 30]);
    assert.equal(study.thermals.maxGenerationMw.at(2, 0), 6);
    assert.equal(study.thermals.minGenerationMw.at(2, 0), 5);
    assert.equal(study.hydros.minStorageHm3.at(0, 1), 20);
    assert.equal(study.hydros.maxOutflowM3s.at(0, 1), 90);
    assert.equal(study.hydros.maxOutflowM3s.at(1, 1), Number.POSITIVE_INFINITY);
    assert.deepEqual([...study.lines.reverseMw.values], [80, 0, 80]);
  });

  it("has the load factors of each block, and 1 where nothing is said", () => {
    const factors = [{ blockId: 1, factor: 0.8 }];
    const { study } = build({ ...toy(), loadFactors: [{ busId: 7, stageId: 1, factors }] });
    assert.deepEqual(
      study.loadFactors.map((all) => [...all]),
      [
        [1, 1],
        [1, 1, 1, 0.8],
        [1, 1],
      ],
    );
  });

  it("discounts by the days of a stage, and by the rate of its transition", () => {
    const input = toy();
    const overrides = [{ sourceStageId: 1, annualRate: 0 }];
    const { time } = build({
      ...input,
      time: { ...input.time, discounting: { annualRate: 0.12, overrides } },
    }).study;
    const factor = Math.exp((-30 / 365.25) * Math.log1p(0.12));
    assert.deepEqual([...time.discount], [factor, 1, factor]);
    assert.deepEqual([...time.cumulativeDiscount], [1, factor, factor]);
    assert.ok(Math.abs(factor - 0.990735) < 1e-6);
    assert.deepEqual(
      time.blockVolumes.map((all) => [...all]),
      [[0.0036 * 720], [0.0036 * 500, 0.0036 * 220], [0.0036 * 720]],
    );
  });

  it("has the initial conditions by plant", () => {
    const { initialConditions } = build(toy()).study;
    assert.deepEqual([...initialConditions.storageHm3], [30, 50]);
    assert.deepEqual(initialConditions.pastInflowsM3s, [[], [12, 11]]);
  });

  it("can lie in one array, filled by one and looked at by others", () => {
    const [leader, other] = [build(toy()).study, build(toy()).study];
    const length = tablesLength(studyTables(leader));
    const fields =
      3 * (2 * 3) + 3 * (2 * 15) + 3 * 2 + 3 * 2 + 3 + 3 * (2 * 16) + 3 * 2 + 3 * (2 * 7);
    assert.equal(length, fields);
    const arena = new Float64Array(length);
    const costs = [...leader.thermals.costPerMwh.values];
    moveTables(studyTables(leader), arena, true);
    assert.deepEqual([...leader.thermals.costPerMwh.values], costs);
    moveTables(studyTables(other), arena, false);
    assert.deepEqual(other, leader);
    assert.equal(other.thermals.costPerMwh.values.buffer, arena.buffer);
    assert.equal(other.thermals.costPerMwh.at(1, 1), 30);
  });

  it("keeps stages of any length apart", () => {
    const input = toy();
    const time = { ...input.time, stages: [stage(0), stage(4, { start: 30, end: 31 })] };
    const { study, errors } = build({ ...input, time });
    assert.deepEqual(errors, []);
    assert.equal(study.time.discount[1], Math.exp((-1 / 365.25) * Math.log1p(0.12)));
  });
});
