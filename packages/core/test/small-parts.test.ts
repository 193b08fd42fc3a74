/** Lists of stages in messages, tables with values of single blocks, lifetimes of all kinds of equipment, bounds that are missing. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StageTable, type StudyInput } from "@cobre/core";
import { build, hydro, stage, toy } from "./toy.js";

describe("a table of stages", () => {
  it("has values of single blocks beside those of stages", () => {
    const table = new StageTable(2, 2);
    table.setBlock(1, 0, 1, 9);
    table.setBlock(1, 0, 0, 8);
    table.setBlock(1, 1, 0, 7);
    table.setBlock(0, 0, 0, 6);
    const of = (at: number, entity: number) =>
      table.blockValues(at, entity).map(({ block, value }) => [block, value]);
    assert.deepEqual(of(1, 0), [
      [0, 8],
      [1, 9],
    ]);
    assert.deepEqual([of(1, 1), of(0, 0), of(0, 1)], [[[0, 7]], [[0, 6]], []]);
    // A value of the whole stage takes the place of those of its blocks, and of no others.
    table.setAll(1, 0, 5);
    assert.deepEqual([of(1, 0), of(1, 1), of(0, 0)], [[], [[0, 7]], [[0, 6]]]);
    assert.deepEqual([table.hasBlock(1, 0, 0), table.hasBlock(1, 1, 0)], [false, true]);
    assert.deepEqual([table.at(1, 0, 1), table.at(1, 1, 0), table.at(1, 1, 1)], [5, 7, 0]);
  });
});

describe("a list of stages in a message", () => {
  const told = (count: number) => {
    const input: StudyInput = toy();
    const stages = Array.from({ length: count + 1 }, (_, id) => stage(id));
    const ranges = [
      { startStageId: 0, endStageId: 0, model: "constant_productivity", productivity: 1 },
    ] as const;
    const { errors } = build({
      ...input,
      system: {
        ...input.system,
        hydros: [hydro(5, { productivityMwPerM3s: undefined }), hydro(3)],
      },
      time: { ...input.time, stages },
      production: { models: [{ hydroId: 5, ranges }], planes: [] },
    });
    return errors.map((error) => /says nothing about ([^,]*(?:, \d+)*[^,]*),/.exec(error)?.[1]);
  };
  it("names five, and counts the others", () => {
    assert.deepEqual(told(1), ["stage 1"]);
    assert.deepEqual(told(5), ["stages 1, 2, 3, 4, 5"]);
    assert.deepEqual(told(6), ["stages 1, 2, 3, 4, 5 and 1 more"]);
    assert.deepEqual(told(9), ["stages 1, 2, 3, 4, 5 and 4 more"]);
  });
});

describe("equipment that leaves before it has come", () => {
  const life = { entryStageId: 1, exitStageId: 1 };
  const input: StudyInput = toy();
  const { system } = input;
  const KINDS: Readonly<Record<string, Partial<StudyInput["system"]>>> = {
    hydro: { hydros: [hydro(5, life), hydro(3)] },
    thermal: { thermals: system.thermals.map((one) => ({ ...one, ...(one.id === 2 && life) })) },
    line: { lines: system.lines.map((line) => ({ ...line, ...life })) },
    "pumping station": {
      pumpingStations: [
        {
          id: 1,
          name: "p",
          busId: 0,
          sourceHydroId: 5,
          destinationHydroId: 3,
          consumptionMwPerM3s: 1,
          minFlowM3s: 0,
          maxFlowM3s: 1,
          ...life,
        },
      ],
    },
    contract: {
      energyContracts: [
        { id: 1, name: "c", busId: 0, type: "import", pricePerMwh: 1, minMw: 0, maxMw: 1, ...life },
      ],
    },
    source: {
      nonControllables: [
        { id: 1, name: "s", busId: 0, maxGenerationMw: 1, allowsCurtailment: true, ...life },
      ],
    },
  };
  for (const [kind, more] of Object.entries(KINDS)) {
    it(`is refused: ${kind}`, () => {
      const { errors } = build({ ...input, system: { ...system, ...more } });
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(
        errors[0] ?? "",
        /exit_stage_id: is 1, and entry_stage_id is 1; the exit must be/,
      );
    });
  }
});

describe("a constraint of Cobre 0.5 without a bound", () => {
  it("has a row whose bound is no number", () => {
    const { study } = build({
      ...toy(),
      genericConstraints: [
        {
          id: 1,
          name: "c",
          sense: "<=",
          expression: "thermal_generation(2)",
          slackPenalty: undefined,
        },
      ],
      genericBounds: [{ constraintId: 1, stageId: 0, blockId: undefined }],
    });
    const [row] = study.generic.rows[0] ?? [];
    assert.deepEqual([row?.lower, row?.upper], [-Infinity, Number.NaN]);
  });
});
