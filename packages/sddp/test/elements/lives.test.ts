/** Plants and lines that come or go within the study, in a stage without them. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ELEMENTS } from "#internal";
import { near } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const plant = (id: number, costPerMwh: number, more: object = {}) => ({
  id,
  name: `thermal ${id}`,
  busId: 1,
  minGenerationMw: 5,
  maxGenerationMw: 100,
  costPerMwh,
  ...more,
});

const solve = (input: SmallInput) => solveWith(smallModel({ hours: [1000], ...input }), ELEMENTS);

/** The stage has the id 0. */
const GONE = [{ entryStageId: 1 }, { exitStageId: 0 }];

describe("what does not exist in a stage", () => {
  it("generates nothing, not even its minimum", async () => {
    for (const life of GONE) {
      const { cost } = await solve({ thermals: [plant(1, 10, life), plant(2, 100)], load: [20] });
      near(cost, 20 * 100 * 1000);
    }
    const there = { entryStageId: 0, exitStageId: 1 };
    const { cost } = await solve({ thermals: [plant(1, 10, there), plant(2, 100)], load: [20] });
    near(cost, (15 * 10 + 5 * 100) * 1000);
  });

  it("carries nothing", async () => {
    const lines = [
      { id: 1, name: "line", sourceBusId: 1, targetBusId: 2, directMw: 50, reverseMw: 50 },
    ];
    const buses = [1, 2].map((id) => ({ id, name: `bus ${id}` }));
    const input = { buses, thermals: [plant(1, 10, { minGenerationMw: 0 })], load: [0, 7] };
    near((await solve({ ...input, lines })).cost, 7 * (10 + 2) * 1000);
    const gone = lines.map((one) => ({ ...one, exitStageId: 0 }));
    near((await solve({ ...input, lines: gone })).cost, 7 * 1000 * 1000);
  });

  it("lets all water pass at no cost, keeps what it has stored, and has no limits", async () => {
    for (const life of GONE) {
      const { value, cost } = await solve({
        hydros: [
          { id: 1, downstreamId: 2, minOutflowM3s: 40, minStorageHm3: 50, ...life },
          { id: 2, maxStorageHm3: 0 },
        ],
        inflow: [
          [12, 0],
          [3, 0],
        ],
        storage: [36, 0],
        thermals: [plant(1, 100, { minGenerationMw: 0 })],
        load: [20],
      });
      near(value("turbined", 0), 0);
      near(value("storage", 0), 36);
      near(value("turbined", 1), 15);
      near(cost, 5 * 100 * 1000);
    }
  });

  it("passes a lack of water on", async () => {
    const { value } = await solve({
      hydros: [{ id: 1, downstreamId: 2, entryStageId: 1 }, { id: 2 }],
      inflow: [
        [-4, 0],
        [10, 0],
      ],
      load: [20],
    });
    near(value("spillage", 0), -4);
    near(value("turbined", 1), 6);
  });

  it("exists in Cobre 0.5", async () => {
    const input = { thermals: [plant(1, 10, { entryStageId: 1 })], load: [20] };
    const { cost } = await solve({ ...input, compat: "cobre-0.5" });
    near(cost, 20 * 10 * 1000);
    assert.notEqual((await solve(input)).cost, cost);
  });
});
