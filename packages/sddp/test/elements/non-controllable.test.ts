/** Non-controllable sources, beside optima derived by hand. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NonControllableInput } from "@cobre/core";
import { bus, load, lowestCost, nonControllable, thermal } from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const source = (id: number, more: Partial<NonControllableInput> = {}): NonControllableInput => ({
  id,
  name: `source ${id}`,
  busId: 1,
  maxGenerationMw: 100,
  curtailmentCost: 0.001,
  allowsCurtailment: true,
  ...more,
});
const ELEMENTS = [load, thermal, bus, nonControllable];

/** A load of 80 MW beside a thermal plant of 10 $/MWh, for an hour. */
const solved = (input: SmallInput, opening = 0) =>
  solveWith(smallModel({ load: [80], thermals: [plant(1, 10, 100)], ...input }), ELEMENTS, opening);

describe("non-controllable sources", () => {
  it("serve the load with what is available, and earn the cost of curtailment", async () => {
    const { cost, value } = await solved({ nonControllables: [source(1)], shares: [[1, 0.5, 0]] });
    near(value("non_controllable_generation", 0), 50);
    // As in the reference case d15, which has 1460 hours.
    near(1460 * cost, 437_927);
  });

  it("have what the opening brings, between nothing and all", async () => {
    const input = {
      nonControllables: [source(4), source(2, { maxGenerationMw: 40 })],
      shares: [[4, 0.5, 0.2] as const],
      noise: [[0], [1], [-9], [9]],
    };
    for (const [opening, expected] of [
      [0, 50],
      [1, 70],
      [2, 0],
      [3, 80 - 40],
    ] as const) {
      const { value } = await solved(input, opening);
      // Source 2 stands first. Curtailment of source 4 costs as little as that of source 2.
      const total =
        value("non_controllable_generation", 0) + value("non_controllable_generation", 1);
      near(total, Math.min(80, expected + 40));
    }
  });

  it("have by block what the factors leave of the power of the stage", async () => {
    const { value, cost } = await solved({
      hours: [2, 3],
      nonControllables: [source(1)],
      more: {
        nonControllableBounds: [{ id: 1, stageId: 0, values: { availableMw: 20 } }],
        nonControllableFactors: [{ id: 1, stageId: 0, blocks: [{ blockId: 1, factor: 1.5 }] }],
      },
    });
    near(value("non_controllable_generation", 0, 0), 20);
    near(value("non_controllable_generation", 0, 1), 30);
    near(cost, 2 * (60 * 10 - 20 * 0.001) + 3 * (50 * 10 - 30 * 0.001));
  });

  it("pay what the stage says for curtailment, and what the source says in Cobre 0.5", async () => {
    const input = {
      load: [10],
      nonControllables: [source(1, { maxGenerationMw: 30, curtailmentCost: 2 })],
      more: { nonControllablePenalties: [{ id: 1, stageId: 0, values: { curtailmentCost: 7 } }] },
    };
    // Power in excess costs 0.01, less than curtailment: all 30 MW are used.
    near((await solved(input)).cost, -30 * 7 + 20 * 0.01);
    near((await solved({ ...input, compat: "cobre-0.5" })).cost, -30 * 2 + 20 * 0.01);
  });

  it("are curtailed where excess costs more, unless they must not be", async () => {
    const input = (allowsCurtailment: boolean): SmallInput => ({
      load: [10],
      nonControllables: [source(1, { maxGenerationMw: 30, allowsCurtailment })],
      shares: [[1, 0.6, 0.1]],
      noise: [[1]],
    });
    // 21 MW are available.
    const free = await solved(input(true));
    near(free.value("non_controllable_generation", 0), 10);
    near(free.cost, -10 * 0.001);
    const pinned = await solved(input(false));
    near(pinned.value("non_controllable_generation", 0), 21);
    near(pinned.cost, -21 * 0.001 + 11 * 0.01);
  });

  it("are not there before they come and after they went", async () => {
    for (const life of [{ entryStageId: 1 }, { entryStageId: -3, exitStageId: 0 }]) {
      const { cost, lp } = await solved({ nonControllables: [source(1, life)] });
      near(cost, 800);
      assert.equal(lp.family("non_controllable_generation").column(0, 0), -1);
    }
    near((await solved({ nonControllables: [source(1, { exitStageId: 1 })] })).cost, -80 * 0.001);
  });

  it("lower the floor of the future by the most that they can earn", async () => {
    const { lp } = await solved({
      hours: [2],
      load: [0],
      thermals: [],
      nonControllables: [source(1, { curtailmentCost: 3 }), source(2, { curtailmentCost: 5 })],
      shares: [[1, 0.5, 0.1]],
      noise: [[0]],
    });
    // Source 1 may have all its power in another opening; source 2 has all in every one.
    near(lowestCost(lp.data) * 1000, -2 * (100 * 3 + 100 * 5));
    // What is uncertain is not pinned from the start, and a share without deviation is the most.
    const pinned = [source(1, { allowsCurtailment: false }), source(2)];
    const { lp: other } = await solved({
      load: [0],
      nonControllables: pinned,
      shares: [
        [1, 0.5, 0.1],
        [2, 0.5, 0],
      ],
      noise: [[0, 0]],
    });
    const bounds = [0, 1].map((i) => {
      const column = other.family("non_controllable_generation").column(i);
      return [other.data.columnLower[column], other.data.columnUpper[column]];
    });
    assert.deepEqual(bounds, [
      [0, 100],
      [0, 50],
    ]);
  });

  it("add nothing to a system without them", async () => {
    const { lp } = await solved({});
    assert.throws(() => lp.family("non_controllable_generation"), /no family/);
  });
});
