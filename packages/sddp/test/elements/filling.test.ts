/** Reservoirs that are filled before their plants operate. Stages have 1000 hours, so that 1 m³/s is 3.6 hm³. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Filling, Stage } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near, plant } from "./near.js";
import { smallModel, solveWith } from "./small-model.js";

const stage = (id: number): Stage => ({
  id,
  start: 30 * id,
  end: 30 * (id + 1),
  blocks: [{ id: 0, name: "all", hours: 1000 }],
  openings: 1,
  riskMeasure: { kind: "expectation" },
});

interface Setting {
  readonly entryStageId: number;
  readonly filling: Filling;
  readonly missingCost: number;
  readonly inflow: number;
  readonly storage?: number;
  readonly hydroBounds?: Parameters<typeof smallModel>[0]["hydroBounds"];
}

/** A reservoir with a dead volume of 60 hm³ above a plant that turbines what it gets; power costs 100 $/MWh otherwise. */
const model = ({ missingCost, storage = 0, hydroBounds, ...setting }: Setting) =>
  smallModel({
    hydros: [
      {
        id: 1,
        downstreamId: 2,
        minStorageHm3: 60,
        maxStorageHm3: 200,
        minOutflowM3s: 50,
        entryStageId: setting.entryStageId,
        filling: setting.filling,
        penalties: { fillingTargetViolationCost: missingCost, storageViolationBelowCost: 7 },
      },
      { id: 2, maxStorageHm3: 0 },
    ],
    inflow: [
      [setting.inflow, 0],
      [0, 0],
    ],
    thermals: [plant(1, 100, 1000)],
    load: [20],
    penalties: { spillageCost: 0.01 },
    hydroBounds,
    more: {
      time: { stages: [0, 1, 2, 3].map(stage), discounting: { annualRate: 0 } },
      initialConditions: {
        storage: [{ hydroId: 2, valueHm3: 0 }],
        fillingStorage: [{ hydroId: 1, valueHm3: storage }],
      },
    },
  });

/** Filled in the stages 0 and 1. 10 m³/s are 36 hm³ a stage, so 60 - 36 = 24 hm³ are due at the end of stage 0. */
const FILLED = { entryStageId: 2, filling: { startStageId: 0, minRateM3s: 10 }, inflow: 5 };

describe("a reservoir that is being filled", () => {
  it("keeps water for its target where missing it is dear", async () => {
    // 1 hm³ turbined below saves 100 / 0.0036 = 27 778 $. 18 hm³ arrive, so 6 are missing.
    const { value, cost } = await solveWith(model({ ...FILLED, missingCost: 50_000 }), ELEMENTS);
    near(value("storage", 0), 18);
    near(value("filling_target", 0), 6);
    near(value("turbined", 0), 0);
    near(cost, 6 * 50_000 + 20 * 100 * 1000);
  });

  it("lets water pass where missing the target is cheap", async () => {
    const { value, cost } = await solveWith(model({ ...FILLED, missingCost: 20_000 }), ELEMENTS);
    near(value("storage", 0), 0);
    near(value("spillage", 0), 5);
    near(value("turbined", 1), 5);
    near(cost, 24 * 20_000 + 5 * 0.01 * 1000 + 15 * 100 * 1000);
  });

  it("passes on what it has beyond its target, and its outflow has no limits", async () => {
    const input = { ...FILLED, missingCost: 50_000, inflow: 12 };
    const { value, cost } = await solveWith(model(input), ELEMENTS);
    near(value("storage", 0), 24);
    near(value("turbined", 1), 12 - 24 / 3.6);
    near(cost, (24 / 3.6 - 12) * -10 + (20 - 12 + 24 / 3.6) * 100 * 1000);
  });

  it("owes the whole dead volume in its last stage, and with no rate in all", async () => {
    for (const [entryStageId, minRateM3s] of [
      [1, 10],
      [3, 0],
    ] as const) {
      const filling = { startStageId: 0, minRateM3s };
      const { value } = await solveWith(
        model({ ...FILLED, entryStageId, filling, missingCost: 50_000 }),
        ELEMENTS,
      );
      near(value("filling_target", 0), 60 - 18);
    }
  });

  it("owes by the rates of the later stages, and never more than the stage's dead volume", async () => {
    const own = (stageId: number, values: object) => ({ id: 1, stageId, values });
    const missing = async (hydroBounds: Setting["hydroBounds"]) =>
      (await solveWith(model({ ...FILLED, missingCost: 50_000, hydroBounds }), ELEMENTS)).value(
        "filling_target",
        0,
      );
    near(await missing([own(1, { fillingMinRateM3s: 5 })]), 60 - 18 - 18);
    near(await missing([own(0, { fillingMinRateM3s: 5 })]), 6);
    near(await missing([own(0, { minStorageHm3: 20 })]), 2);
    near(await missing([own(1, { minStorageHm3: 70 })]), 70 - 36 - 18);
  });

  it("may keep no more than its filling inflow, and then owes in the last stage alone", async () => {
    const filling = { startStageId: 0, minRateM3s: 0, inflowM3s: 4 };
    for (const [entryStageId, missing] of [
      [1, 60 - 4 * 3.6 - 1],
      [2, 0],
    ] as const) {
      const input = { entryStageId, filling, inflow: 5, storage: 1, missingCost: 50_000 };
      const { value } = await solveWith(model(input), ELEMENTS);
      near(value("filling_target", 0), missing);
      if (missing > 0) near(value("storage", 0), 1 + 4 * 3.6);
      assert.ok(value("storage", 0) <= 1 + 4 * 3.6 + 1e-9);
    }
  });

  it("is a river before that, and operates with a least storage that may be violated after it", async () => {
    const later = { entryStageId: 3, filling: { startStageId: 1, minRateM3s: 10 }, inflow: 5 };
    const before = await solveWith(model({ ...later, storage: 3, missingCost: 1 }), ELEMENTS);
    near(before.value("storage", 0), 3);
    near(before.value("turbined", 1), 5);
    const full = { ...FILLED, entryStageId: 1, storage: 100 };
    assert.deepEqual(model({ ...full, missingCost: 1 }).study.hasSoftMinimum, [true, false]);
  });
});
