/** Evaporation, withdrawal and limits of water, on programs whose optimum is derived by hand beside them. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ELEMENTS } from "#internal";
import { near } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

/** A plant, a thermal of 100 $/MWh, and a stage of 1000 h: 1 m³/s is 3.6 hm³. */
function solve(input: Partial<SmallInput>) {
  const model = smallModel({
    hours: [1000],
    hydros: [{ id: 1 }],
    thermals: [
      {
        id: 1,
        name: "thermal",
        busId: 1,
        minGenerationMw: 0,
        maxGenerationMw: 1e6,
        costPerMwh: 100,
      },
    ],
    ...input,
  });
  return solveWith(model, ELEMENTS);
}

describe("evaporation", () => {
  const coefficientsMm = [0, 0, 0, 36, -36, 0, 0, 0, 0, 0, 0, 0];
  const areas = [
    { hydroId: 1, volumeHm3: 100, heightM: 1, areaKm2: 10 },
    { hydroId: 1, volumeHm3: 0, heightM: 0, areaKm2: 0 },
  ];
  const input = {
    hydroGeometry: areas,
    storage: [100],
    load: [30],
    penalties: { evaporationViolationCost: 5000 },
  };

  it("takes water by the mean storage", async () => {
    const hydros = [{ id: 1, evaporation: { coefficientsMm } }];
    const { value, cost, reducedCosts, lp } = await solve({ ...input, hydros, season: 3 });
    // 36 mm on 0.1 km² per hm³, over 1000 h: 0.001 m³/s per hm³. All water is used, so the mean is 50 hm³.
    near(value("evaporated", 0), 0.05);
    near(value("turbined", 0), 100 / 3.6 - 0.05);
    near(cost, 227_222.222_222_222_2);
    // One hm³ more at the start: half a thousandth m³/s of it evaporates.
    near(reducedCosts[lp.known[0]], -(1 / 3.6 - 0.0005) * 100);
  });

  it("may be less than due, or more, at its penalties", async () => {
    const hydros = [{ id: 1, evaporation: { coefficientsMm } }];
    const penalties = { evaporationViolationNegCost: 20, evaporationViolationPosCost: 3000 };
    const less = await solve({ ...input, hydros, season: 3, penalties });
    near(less.value("evaporation_neg", 0), 0.05);
    near(less.cost, (30 - 100 / 3.6) * 100_000 + 0.05 * 20 * 1000);
    near(less.value("evaporation_pos", 0), 0);
  });

  it("brings water where it is negative; Cobre 0.5 pays a penalty instead", async () => {
    const hydros = [{ id: 1, evaporation: { coefficientsMm } }];
    const gained = await solve({ ...input, hydros, season: 4 });
    near(gained.value("evaporated", 0), -0.05);
    near(gained.value("turbined", 0), 100 / 3.6 + 0.05);
    const compat = await solve({ ...input, hydros, season: 4, compat: "cobre-0.5" });
    near(compat.value("evaporation_pos", 0), 0.05);
    near(compat.cost, (30 - 100 / 3.6) * 100_000 + 0.05 * 5000 * 1000);
  });

  it("is linear around the reference volume", async () => {
    const curved = [...areas, { hydroId: 1, volumeHm3: 50, heightM: 1, areaKm2: 1 }];
    const referenceVolumesHm3 = coefficientsMm.map(() => 20);
    const hydros = [{ id: 1, evaporation: { coefficientsMm, referenceVolumesHm3 } }];
    const solved = await solve({ ...input, hydroGeometry: curved, hydros, season: 3 });
    // A fiftieth km² per hm³ around 20 hm³, so 1 km² at the mean of 50.
    near(solved.value("evaporated", 0), 0.01);
    const middle = [{ id: 1, evaporation: { coefficientsMm } }];
    const steep = await solve({ ...input, hydroGeometry: curved, hydros: middle, season: 3 });
    // At 50 hm³, the slope is that of the interval behind: 9/50 km² per hm³, and 1 km² at 50.
    near(steep.value("evaporated", 0), 0.01);
    near(steep.reducedCosts[steep.lp.known[0]], -(1 / 3.6 - 0.0009) * 100);
  });
});

describe("withdrawal", () => {
  const taking = (waterWithdrawalM3s: number, more: Partial<SmallInput>) =>
    solve({
      load: [10],
      penalties: { waterWithdrawalViolationNegCost: 1000 },
      hydroBounds: [{ id: 1, stageId: 0, values: { waterWithdrawalM3s } }],
      ...more,
    });

  it("takes water from the turbines", async () => {
    const { value, cost } = await taking(5, { storage: [36] });
    near(value("turbined", 0), 5);
    near(cost, 500_000);
  });

  it("falls short at its penalty where there is no water", async () => {
    const { value, cost } = await taking(5, { storage: [9] });
    near(value("withdrawal_neg", 0), 2.5);
    near(cost, 3_500_000);
  });

  it("returns water where it is negative", async () => {
    const { value, cost } = await taking(-2, { storage: [36], load: [12] });
    near(value("turbined", 0), 12);
    near(cost, 0);
  });

  it("takes more, where that costs less than to spill", async () => {
    const { value, cost } = await taking(5, {
      hydros: [{ id: 1, maxStorageHm3: 0, maxTurbinedM3s: 0 }],
      inflow: [[15, 0]],
      load: [0],
      penalties: { spillageCost: 8, waterWithdrawalViolationPosCost: 3 },
    });
    near(value("withdrawal_pos", 0), 10);
    near(cost, 30_000);
  });

  it("makes no water, however cheap it is; Cobre 0.5 does", async () => {
    const penalties = { waterWithdrawalViolationNegCost: 1 };
    const { value, cost } = await taking(5, { penalties });
    near(value("withdrawal_neg", 0), 5);
    near(cost, 1_000_000 + 5000);
    const compat = await taking(5, { penalties, compat: "cobre-0.5" });
    near(compat.value("turbined", 0), 10);
    near(compat.cost, 15 * 1000);
  });

  it("is not there where no water is taken", async () => {
    const { lp } = await solve({});
    assert.throws(() => lp.family("withdrawal_neg"), /no family withdrawal_neg/);
    assert.throws(() => lp.family("evaporated"), /no family evaporated/);
    assert.throws(() => lp.family("storage_violation"), /no family storage_violation/);
  });
});

describe("the least storage", () => {
  it("may be violated at a cost by a plant that starts below it", async () => {
    const hydros = [{ id: 1, minStorageHm3: 10 }];
    const penalties = { storageViolationBelowCost: 5000 };
    const { value, cost } = await solve({ hydros, penalties, load: [0] });
    near(value("storage_violation", 0), 10);
    near(cost, 50_000);
  });

  it("is a hard bound for others, and in Cobre 0.5", async () => {
    const hydros = [{ id: 1, minStorageHm3: 10 }];
    const other = await solve({ hydros, storage: [10], load: [10] });
    near(other.value("turbined", 0), 0);
    await assert.rejects(
      solve({ hydros, load: [0], compat: "cobre-0.5" }),
      /infeasible|no solution/,
    );
  });
});

describe("a chronological stage", () => {
  /** Two blocks of 500 h, 1.8 hm³ for 1 m³/s; the load is in the second one alone. */
  const input = {
    hours: [500, 500],
    hydros: [{ id: 1, maxStorageHm3: 18, maxTurbinedM3s: 30 }],
    inflow: [[10, 0]],
    storage: [18],
    load: [30],
    loadFactors: [
      {
        busId: 1,
        stageId: 0,
        factors: [
          { blockId: 0, factor: 0 },
          { blockId: 1, factor: 1 },
        ],
      },
    ],
    penalties: { spillageCost: 0.001 },
  } as const;

  it("cannot use water before it is there, nor keep more than the reservoir holds", async () => {
    const parallel = await solve(input);
    // 18 hm³ and 20 m³/s in half of the time go through the second block.
    near(parallel.cost, 0);
    for (const compat of [undefined, "cobre-0.5"] as const) {
      const { value, cost } = await solve({
        ...input,
        isChronological: true,
        ...(compat && { compat }),
      });
      if (compat !== undefined) {
        near(cost, 0);
        continue;
      }
      // The first block lets its 10 m³/s go; the second has 18 hm³ and 10 m³/s: 20 m³/s.
      near(value("spillage", 0, 0), 10);
      near(value("turbined", 0, 1), 20);
      near(value("storage_between", 0, 0), 18);
      near(cost, 500_000 + 10 * 0.001 * 500);
    }
  });

  it("of one block is like any other", async () => {
    const one = { hours: [1000], storage: [36], load: [20] };
    near((await solve({ ...one, isChronological: true })).cost, (await solve(one)).cost);
  });

  it("evaporates and generates by the mean storage of each block", async () => {
    const coefficientsMm = Array.from({ length: 12 }, () => 36);
    const { value } = await solve({
      ...input,
      isChronological: true,
      season: 0,
      hydros: [{ id: 1, maxStorageHm3: 18, maxTurbinedM3s: 30, evaporation: { coefficientsMm } }],
      hydroGeometry: [
        { hydroId: 1, volumeHm3: 0, heightM: 0, areaKm2: 0 },
        { hydroId: 1, volumeHm3: 100, heightM: 1, areaKm2: 10 },
      ],
      penalties: { ...input.penalties, evaporationViolationCost: 5000 },
    });
    // 0.001 m³/s per hm³: full in the first block, from full to empty in the second.
    near(value("evaporated", 0, 0), 0.018);
    near(value("evaporated", 0, 1), 0.009);
  });
});

describe("the bounds of a stage", () => {
  it("hold for spillage", async () => {
    const bounded = (values: object) =>
      solve({
        storage: [36],
        load: [10],
        hydroBounds: [{ id: 1, stageId: 0, values }],
      });
    const least = await bounded({ minSpillageM3s: 4 });
    near(least.value("spillage", 0), 4);
    near(least.value("turbined", 0), 6);
    const most = await solve({
      inflow: [[30, 0]],
      hydros: [{ id: 1, maxStorageHm3: 50, maxTurbinedM3s: 20 }],
      penalties: { spillageCost: 1e-3 },
      load: [0],
      hydroBounds: [{ id: 1, stageId: 0, values: { maxSpillageM3s: 4 } }],
    });
    // 4 m³/s are spilled, and what the reservoir cannot hold is turbined for nothing.
    near(most.value("spillage", 0), 4);
    near(most.value("turbined", 0), 26 - 50 / 3.6);
  });

  it("hold for diversion", async () => {
    const { value } = await solve({
      hydros: [{ id: 1, diversion: { downstreamId: 2, maxFlowM3s: 8 } }, { id: 2 }],
      storage: [36, 0],
      load: [0],
      hydroBounds: [{ id: 1, stageId: 0, values: { minDiversionM3s: 3 } }],
    });
    near(value("diverted", 0), 3);
  });
});
