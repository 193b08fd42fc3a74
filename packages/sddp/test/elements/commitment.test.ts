/** Thermal plants that are committed ahead. Stages have 1000 hours unless said. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Lead, Stage, StudyInput } from "@cobre/core";
import { bus, commitment, futureCost, inflow, load, reservoir, thermal } from "#internal";
import { near, plant } from "./near.js";
import { smallModel, solveWith } from "./small-model.js";

const ELEMENTS = [reservoir, load, inflow, futureCost, thermal, commitment, bus];

const stage = (id: number, hours: readonly number[] = [1000]): Stage => ({
  id,
  start: 30 * id,
  end: 30 * (id + 1),
  blocks: hours.map((value, k) => ({ id: k, name: `${k}`, hours: value })),
  openings: 1,
  riskMeasure: { kind: "expectation" },
});

interface Setting {
  readonly lead: Lead;
  readonly stages?: readonly Stage[];
  /** Before the study, from its first day on. */
  readonly past?: readonly (readonly [days: number, mw: number])[];
  readonly more?: Partial<StudyInput>;
  readonly plant?: object;
  readonly annualRate?: number;
}

/** Plant 1 costs 10 $/MWh and is committed ahead, plant 2 costs 100; the load is 20 MW. */
const model = ({
  lead,
  stages = [0, 1, 2].map((id) => stage(id)),
  past = [],
  ...setting
}: Setting) => {
  let day = 0;
  const pastCommitments = past.map(([days, value]) => {
    const window = { id: 1, start: day, end: day + days, value };
    day += days;
    return window;
  });
  return smallModel({
    hours: stages[0].blocks.map(({ hours }) => hours),
    thermals: [{ ...plant(1, 10, 15), lead, ...setting.plant }, plant(2, 100, 1000)],
    load: [20],
    more: {
      time: { stages, discounting: { annualRate: setting.annualRate ?? 0 } },
      initialConditions: { storage: [], pastCommitments },
      ...setting.more,
    },
  });
};

describe("a plant that is committed ahead", () => {
  it("generates what was decided before, at no further cost", async () => {
    const { value, cost } = await solveWith(
      model({ lead: { stages: 1 }, past: [[30, 8]] }),
      ELEMENTS,
    );
    near(value("thermal_generation", 0), 8);
    near(cost, 12 * 100 * 1000);
  });

  it("pays for the least of a later stage where it decides it, at the cost of that stage", async () => {
    const own = (stageId: number, values: object) => ({ id: 1, stageId, values });
    const setting = {
      lead: { stages: 1 },
      past: [[30, 8]] as const,
      annualRate: 0.1,
      more: { thermalBounds: [own(1, { minGenerationMw: 3, costPerMwh: 40 })] },
    };
    const { value, cost, lp } = await solveWith(model(setting), ELEMENTS);
    near(value("commitment", 0), 3);
    const worth = 1.1 ** (-30 / 365.25);
    near(cost, 12 * 100 * 1000 + 3 * 40 * 1000 * worth);
    assert.equal(lp.outgoing[0], lp.family("commitment").column(0));
  });

  it("may shift its energy between the blocks of a stage", async () => {
    // 6.6 MW over 1000 hours are 6600 MWh: 15 MW is its limit for 400 hours, and 1 MW is the load of the other 600.
    const { value } = await solveWith(
      smallModel({
        hours: [400, 600],
        thermals: [{ ...plant(1, 10, 15), lead: { stages: 1 } }, plant(2, 100, 1000)],
        load: [20],
        loadFactors: [{ busId: 1, stageId: 0, factors: [{ blockId: 1, factor: 0.05 }] }],
        more: {
          time: {
            stages: [stage(0, [400, 600]), stage(1)],
            discounting: { annualRate: 0 },
          },
          initialConditions: {
            storage: [],
            pastCommitments: [{ id: 1, start: 0, end: 30, value: 6.6 }],
          },
        },
      }),
      ELEMENTS,
    );
    near(value("thermal_generation", 0, 0), 15);
    near(value("thermal_generation", 0, 1), 1);
  });

  it("carries what is decided for stages further away", async () => {
    const setting = {
      lead: { stages: 2 },
      past: [
        [30, 8],
        [30, 5],
      ] as const,
    };
    const { lp, primal } = await solveWith(model(setting), ELEMENTS);
    assert.equal(lp.dimension, 2);
    near(primal[lp.outgoing[0]], 5);
    near(primal[lp.outgoing[1]], 0);
    assert.equal(lp.isKnown[lp.outgoing[0]], 1);
    assert.equal(lp.isKnown[lp.outgoing[1]], 0);
  });

  it("carries from stage to stage what was decided before, and not what the stage decides itself", () => {
    const past = [
      [30, 8],
      [30, 5],
    ] as const;
    const { carried, decisions } = model({ lead: { stages: 2 }, past }).study.commitments;
    assert.deepEqual(
      carried.map(([ofPlant]) => ofPlant),
      [[1], [1], []],
    );
    const ahead = decisions.map(([ofPlant]) => ofPlant.map((decision) => decision.ahead));
    assert.deepEqual(ahead, [[2], [], []]);
  });

  it("is like any other where its lead is shorter than the stage", async () => {
    const { cost, lp } = await solveWith(model({ lead: { hours: 500 } }), ELEMENTS);
    near(cost, (15 * 10 + 5 * 100) * 1000);
    assert.equal(lp.dimension, 0);
  });

  it("is decided in the stage that contains the hour, so that one stage may decide for two", async () => {
    const lengths = [1000, 250, 250, 250, 250, 1000];
    const stages = lengths.map((hours, id) => stage(id, [hours]));
    const { study } = model({ lead: { hours: 600 }, stages });
    const { decisions, isDelivery, depth } = study.commitments;
    const ahead = decisions.map(([ofPlant]) => ofPlant.map((decision) => decision.ahead));
    assert.deepEqual(ahead, [[1, 2], [2], [2], [], [], []]);
    assert.deepEqual(
      isDelivery.map(([ofPlant]) => ofPlant),
      [false, true, true, true, true, false],
    );
    assert.deepEqual(depth, [2, 0]);
  });

  it("is decided in the earlier stage if the hour lies between two", () => {
    const { study } = model({ lead: { hours: 1000 }, past: [[30, 0]] });
    const ahead = study.commitments.decisions.map(([ofPlant]) => ofPlant.map((d) => d.ahead));
    assert.deepEqual(ahead, [[1], [1], []]);
  });

  it("commits itself to nothing in a stage in which it does not exist", async () => {
    const setting = { lead: { stages: 1 }, past: [[30, 8]] as const, plant: { exitStageId: 1 } };
    const { commitments } = model(setting).study;
    assert.deepEqual(commitments.decisions[0][0], [{ ahead: 1, minMw: 0, maxMw: 0, cost: 10_000 }]);
  });

  it("is committed to stages behind the study, at their cost and discount", () => {
    const postStudy = {
      stages: [
        { start: 90, hours: 240 },
        { start: 100, hours: 480 },
      ],
      bounds: [{ thermalId: 1, stage: 1, costPerMwh: 7, minMw: 1, maxMw: 2 }],
    };
    const { commitments } = model({
      lead: { stages: 2 },
      past: [[60, 0]],
      annualRate: 0.1,
      more: { postStudy },
    }).study;
    const [first] = commitments.decisions[1][0];
    assert.deepEqual(first, { ahead: 2, minMw: 0, maxMw: 0, cost: 0 });
    const [second] = commitments.decisions[2][0];
    assert.deepEqual([second.ahead, second.minMw, second.maxMw], [2, 1, 2]);
    near(second.cost, 7 * 480 * 1.1 ** (-40 / 365.25));
    assert.deepEqual(commitments.terminalMw, [
      [0, 0],
      [0, 2],
    ]);
  });
});
