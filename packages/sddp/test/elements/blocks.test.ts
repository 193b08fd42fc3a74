/** Limits and capacities of single blocks, plants and lines that come and go, beside optima derived by hand. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bus,
  diversion,
  futureCost,
  hydro,
  hydroLimits,
  inflow,
  line,
  load,
  production,
  reservoir,
  thermal,
} from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const POWER = [load, thermal, line, bus];
const WATER = [
  reservoir,
  load,
  inflow,
  futureCost,
  hydro,
  production,
  diversion,
  hydroLimits,
  thermal,
  bus,
];

/** A line of 10 MW from a plant of 10 $/MWh to a load of 10 MW beside a plant of 100 $/MWh. */
const linked = (more: SmallInput["more"], life = {}): SmallInput => ({
  hours: [500, 500],
  buses: [
    { id: 1, name: "north" },
    { id: 2, name: "south" },
  ],
  lines: [
    {
      id: 7,
      name: "line",
      sourceBusId: 1,
      targetBusId: 2,
      directMw: 10,
      reverseMw: 10,
      exchangeCost: 0.01,
      ...life,
    },
  ],
  thermals: [plant(1, 10, 100, 1), plant(2, 100, 100, 2)],
  load: [0, 10],
  ...(more && { more }),
});
const COST_OF_HALF = 325_075;

describe("the capacity of a line", () => {
  it("has the factors of its blocks", async () => {
    const blocks = [
      { blockId: 0, directMw: 0.5, reverseMw: 1 },
      { blockId: 1, directMw: 1, reverseMw: 3 },
    ];
    const exchangeFactors = [{ id: 7, stageId: 0, blocks }];
    const { cost, lp } = await solveWith(smallModel(linked({ exchangeFactors })), POWER);
    near(cost, COST_OF_HALF);
    const upper = (k: number) => lp.data.columnUpper[lp.family("reverse_flow").column(0, k)];
    assert.deepEqual([upper(0), upper(1)], [10, 30]);
  });

  it("is multiplied after that of the stage", async () => {
    const exchangeFactors = [
      { id: 7, stageId: 0, blocks: [{ blockId: 0, directMw: 0.25, reverseMw: 1 }] },
    ];
    const lineBounds = [{ id: 7, stageId: 0, values: { directMw: 20 } }];
    const model = smallModel(linked({ exchangeFactors, lineBounds }));
    near((await solveWith(model, POWER)).cost, COST_OF_HALF);
  });

  it("may be given for a block", async () => {
    const lineBounds = [{ id: 7, stageId: 0, blockId: 0, values: { directMw: 5 } }];
    near((await solveWith(smallModel(linked({ lineBounds })), POWER)).cost, COST_OF_HALF);
  });

  it("is nothing before the line comes and after it went", async () => {
    const lineBounds = [{ id: 7, stageId: 0, blockId: 1, values: { directMw: 5 } }];
    for (const life of [{ entryStageId: 1 }, { exitStageId: 0 }]) {
      const { cost } = await solveWith(smallModel(linked({ lineBounds }, life)), POWER);
      near(cost, 1000 * 10 * 100);
    }
  });
});

describe("a thermal plant", () => {
  const input: SmallInput = { hours: [2, 3], load: [10], thermals: [plant(1, 10, 4)] };

  it("has limits of its blocks beside those of the stage", async () => {
    const thermalBounds = [
      { id: 1, stageId: 0, blockId: 1, values: { maxGenerationMw: 7, minGenerationMw: 6 } },
      { id: 1, stageId: 0, values: { maxGenerationMw: 5, costPerMwh: 20 } },
    ];
    const { value } = await solveWith(smallModel({ ...input, more: { thermalBounds } }), POWER);
    near(value("thermal_generation", 0, 0), 5);
    near(value("thermal_generation", 0, 1), 7);
    const none = smallModel({ ...input, load: [0], more: { thermalBounds } });
    near((await solveWith(none, POWER)).value("thermal_generation", 0, 1), 6);
  });

  it("generates nothing before it comes, not even its least", async () => {
    const thermals = [{ ...plant(1, 10, 4), minGenerationMw: 3, entryStageId: 1 }];
    const { cost } = await solveWith(smallModel({ ...input, thermals }), POWER);
    near(cost, 5 * 10 * 1000);
  });
});

describe("a hydro plant", () => {
  /** 10 m³/s in each of two blocks of 500 hours, and room for no more than that. */
  const solved = (values: object, hydroFields: object = {}) =>
    solveWith(
      smallModel({
        hours: [500, 500],
        hydros: [{ id: 3, maxStorageHm3: 0, ...hydroFields }],
        inflow: [[10, 0]],
        thermals: [plant(1, 20, 100)],
        load: [100],
        more: { hydroBounds: [{ id: 3, stageId: 0, blockId: 1, values }] },
      }),
      WATER,
    );

  it("turbines at most what the block allows", async () => {
    const { value } = await solved({ maxTurbinedM3s: 4 }, { maxTurbinedM3s: 12 });
    near(value("turbined", 0, 1), 4);
    near(value("turbined", 0, 0), 12);
  });

  it("generates at most what the block allows", async () => {
    const { value } = await solved({ maxGenerationMw: 3 }, { maxTurbinedM3s: 12 });
    near(value("turbined", 0, 1), 3);
  });

  it("spills between the limits of the block", async () => {
    const { value } = await solved({ minSpillageM3s: 3 });
    near(value("spillage", 0, 1), 3);
    near(value("spillage", 0, 0), 0);
    const { lp } = await solved({ maxSpillageM3s: 1 });
    const [first, second] = [0, 1].map((k) => lp.family("spillage").column(0, k));
    assert.deepEqual(
      [lp.data.columnUpper[first], lp.data.columnUpper[second]],
      [Number.POSITIVE_INFINITY, 1],
    );
  });

  it("pays for the limits of the block alone", async () => {
    for (const [values, name, amount] of [
      [{ minTurbinedM3s: 25 }, "turbined_violation", 5],
      [{ minOutflowM3s: 26 }, "outflow_violation_below", 6],
      [{ minGenerationMw: 28 }, "generation_violation", 8],
    ] as const) {
      // All 20 m³/s go where they are missed.
      const { value, lp } = await solved(values);
      near(value(name, 0, 1), amount);
      assert.equal(lp.family(name).column(0, 0), -1);
    }
    const { value } = await solved({ maxOutflowM3s: 1 }, { maxTurbinedM3s: 12 });
    near(value("outflow_violation_above", 0, 1), 7);
  });
});
