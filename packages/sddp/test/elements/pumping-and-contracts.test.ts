/** Pumping stations and energy contracts, beside optima derived by hand. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EnergyContract, PumpingStation } from "@cobre/core";
import {
  bus,
  energyContract,
  futureCost,
  genericConstraint,
  hydro,
  inflow,
  load,
  lowestCost,
  production,
  pumpingStation,
  reservoir,
  thermal,
} from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const station = (more: Partial<PumpingStation> = {}): PumpingStation => ({
  id: 6,
  name: "station",
  busId: 1,
  sourceHydroId: 1,
  destinationHydroId: 2,
  consumptionMwPerM3s: 0.5,
  minFlowM3s: 0,
  maxFlowM3s: 4,
  ...more,
});
const WATER = [reservoir, load, inflow, futureCost, hydro, production];

/** Plant 1 has 10 m³/s for 1000 hours and makes 1 MW of each; plant 2 would make 3, and has none. The rest costs 100 $/MWh. */
const solved = (pumps: readonly PumpingStation[], more: SmallInput = {}) =>
  solveWith(
    smallModel({
      hours: [1000],
      hydros: [{ id: 1 }, { id: 2, productivityMwPerM3s: 3 }],
      thermals: [plant(1, 100, 1000)],
      load: [30],
      storage: [36, 0],
      pumpingStations: pumps,
      ...more,
    }),
    [...WATER, thermal, bus, pumpingStation, genericConstraint],
  );

describe("a pumping station", () => {
  it("brings water to where it is worth more, and takes power for it", async () => {
    const { cost, value } = await solved([station()]);
    near(value("pumping_flow", 0), 4);
    near(value("turbined", 0), 6);
    near(value("turbined", 1), 4);
    // 6 + 12 MW of water, 2 MW for the pumps: 14 MW are missing.
    near(cost, 14 * 100 * 1000);
  });

  it("stands still where it takes more than it brings", async () => {
    const { cost } = await solved([station({ consumptionMwPerM3s: 2.5 })]);
    near(cost, 20 * 100 * 1000);
  });

  it("has the limits of its stage and block, and none where it does not exist", async () => {
    const pumpingBounds = [{ id: 6, stageId: 0, blockId: 0, values: { maxFlowM3s: 1 } }];
    const { cost } = await solved([station()], { more: { pumpingBounds } });
    near(cost, (30 - 9 - 3 + 0.5) * 100 * 1000);
    near((await solved([station({ entryStageId: 1 })])).cost, 20 * 100 * 1000);
    const least = station({ consumptionMwPerM3s: 2.5, minFlowM3s: 2 });
    near((await solved([least])).cost, (30 - 8 - 6 + 5) * 100 * 1000);
  });

  it("stands still where one of its reservoirs does not exist", async () => {
    for (const gone of [1, 2]) {
      const hydros = [{ id: 1 }, { id: 2, productivityMwPerM3s: 3 }].map((one) =>
        one.id === gone ? { ...one, entryStageId: 1 } : one,
      );
      const { value } = await solved([station({ minFlowM3s: 1 })], { hydros });
      near(value("pumping_flow", 0), 0);
    }
  });

  it("pumps in the blocks of a chronological stage", async () => {
    const more = { hours: [500, 500], isChronological: true, storage: [18, 0] };
    const { value } = await solved([station()], more);
    // 18 hm³ are 10 m³/s in one block: all of it can go up, 4 m³/s at a time.
    near(value("pumping_flow", 0, 0), 4);
    near(value("turbined", 1, 0) + value("turbined", 1, 1), 8);
  });

  it("is limited by constraints on its flow and on its power", async () => {
    const limited = (expression: string, bound: number) =>
      solved([station()], {
        more: {
          genericConstraints: [
            { id: 1, name: "c", expression, sense: "<=", slackPenalty: undefined },
          ],
          genericBounds: [{ constraintId: 1, stageId: 0, blockId: undefined, bound }],
        },
      });
    near((await limited("pumping_flow(6)", 3)).value("pumping_flow", 0), 3);
    near((await limited("pumping_power(6)", 1)).value("pumping_flow", 0), 2);
  });
});

describe("an energy contract", () => {
  const contract = (more: Partial<EnergyContract> = {}): EnergyContract => ({
    id: 8,
    name: "contract",
    busId: 1,
    type: "import",
    pricePerMwh: 60,
    minMw: 0,
    maxMw: 4,
    ...more,
  });
  const traded = (contracts: readonly EnergyContract[], more: SmallInput = {}) =>
    solveWith(
      smallModel({
        hours: [1000],
        thermals: [plant(1, 100, 1000)],
        load: [10],
        energyContracts: contracts,
        ...more,
      }),
      [load, thermal, bus, energyContract],
    );

  it("buys what is cheaper than the plants, up to its limit", async () => {
    near((await traded([contract()])).cost, 840_000);
  });

  it("sells where the revenue is above the cost", async () => {
    const sale = contract({ type: "export", pricePerMwh: -130 });
    const { cost } = await traded([sale]);
    near(cost, (14 * 100 - 4 * 130) * 1000);
    near((await traded([contract({ type: "export", pricePerMwh: -99 })])).cost, 1_000_000);
  });

  it("has to take its least", async () => {
    near((await traded([contract({ pricePerMwh: 500, minMw: 3 })])).cost, (7 * 100 + 1500) * 1000);
  });

  it("has the limits and prices of stages and blocks, and none where it does not exist", async () => {
    const contractBounds = [
      { id: 8, stageId: 0, values: { maxMw: 6 } },
      { id: 8, stageId: 0, blockId: 1, values: { pricePerMwh: 20 } },
    ];
    const { cost } = await traded([contract()], { hours: [600, 400], more: { contractBounds } });
    near(cost, 600 * (6 * 60 + 400) + 400 * (6 * 20 + 400));
    near((await traded([contract({ exitStageId: 0, minMw: 1 })])).cost, 1_000_000);
  });

  it("lowers the floor of the future by its revenue", async () => {
    const sale = contract({ type: "export", pricePerMwh: -130 });
    const { lp } = await traded([sale, contract({ id: 9 })], { thermals: [] });
    near(lowestCost(lp.data) * 1000, -130 * 4 * 1000);
    assert.equal(lp.family("contract").columns.length, 2);
  });
});
