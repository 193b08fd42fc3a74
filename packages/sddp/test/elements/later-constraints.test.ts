/** Variables of generic constraints that only Cobre 0.18 has, beside optima derived by hand. Stages have 1000 hours unless said, so that 1 m³/s is 3.6 hm³. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Lead, ProductionModelInput, Stage, UnitGroup } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

/** The case with one constraint, which is active in the whole first stage and must hold unless it has a penalty. */
const constrained = (input: SmallInput, expression: string, slackPenalty?: number) =>
  smallModel({
    hours: [1000],
    dialect: "0.18",
    ...input,
    more: {
      ...input.more,
      genericConstraints: [{ id: 1, name: "C", expression, slackPenalty }],
      genericBounds: [{ constraintId: 1, stageId: 0, blockId: undefined }],
    },
  });

const solve = (input: SmallInput, expression: string, slackPenalty?: number) =>
  solveWith(constrained(input, expression, slackPenalty), ELEMENTS);

describe("a bus in a term", () => {
  const group = (id: number, busId: number, maxTurbinedM3s: number): UnitGroup => ({
    ...{ id, name: `units ${id}`, busId, maxTurbinedM3s },
    ...{ minTurbinedM3s: 0, minGenerationMw: 0, maxGenerationMw: 1000 },
  });
  /** 20 m³/s for units on two buses, where power costs 100 and 40: without a constraint 15 MW go to bus 1 and 5 to bus 2. */
  const twoBuses: SmallInput = {
    buses: [1, 2].map((id) => ({ id, name: `bus ${id}` })),
    hydros: [
      {
        ...{ id: 7, busId: 1, maxStorageHm3: 0, maxGenerationMw: 9000 },
        unitGroups: [group(0, 1, 30), group(1, 2, 10), group(2, 2, 10)],
      },
      { id: 8, busId: 2, maxStorageHm3: 0 },
    ],
    inflow: [
      [20, 0],
      [0, 0],
    ],
    thermals: [plant(1, 100, 1000, 1), plant(2, 40, 1000, 2)],
    load: [15, 15],
    penalties: { spillageCost: 0.01 },
  };

  const TEXTS: readonly [text: string, first: number, second: number][] = [
    ["hydro_generation(7, bus=2) >= 8", 12, 8],
    ["hydro_turbined(7, bus=1) <= 10", 10, 10],
    ["hydro_turbined(7, 0, bus=1) <= 10", 10, 10],
    ["hydro_generation(7, bus=1) - hydro_generation(7, bus=2) <= 4", 12, 8],
    // As a whole, or part by part: what is left is spilled.
    ["hydro_generation(7) <= 12", 12, 0],
    ["hydro_turbined(7, bus=1) + hydro_turbined(7, bus=2) <= 12", 12, 0],
    // A plant with one bus is all of it.
    ["hydro_turbined(8, bus=2) <= 1", 15, 5],
  ];
  for (const [text, first, second] of TEXTS)
    it(`means the units that feed it: ${text}`, async () => {
      const { value, cost } = await solve(twoBuses, text);
      near(value("cell_turbined", 0), first);
      near(value("cell_turbined", 1), second);
      const spilled = 20 - first - second;
      near(cost, ((15 - first) * 100 + (15 - second) * 40 + spilled * 0.01) * 1000);
    });

  it("means what its units generate below their share of planes", async () => {
    const planes = [
      { hydroId: 7, planeId: 0, gamma0: 6, gammaV: 0, gammaQ: 1, gammaS: 0, kappa: 1 },
    ];
    const model: ProductionModelInput = {
      hydroId: 7,
      ranges: [{ startStageId: 0, model: "fpha", fpha: { source: "precomputed" } }],
    };
    const input = { ...twoBuses, load: [50, 50], production: { models: [model], planes } };
    // The units of bus 1 have 3/5 of the plane: 3.6 MW and all 20 m³/s. Those of bus 2 could have 2.4 MW.
    const { value, cost } = await solve(input, "hydro_generation(7, bus=2) <= 1");
    near(value("cell_generated", 0), 23.6);
    near(value("cell_generated", 1), 1);
    near(cost, ((50 - 23.6) * 100 + 49 * 40) * 1000);
  });

  it("must be one that the plant feeds, of a variable that has buses", () => {
    const told = (text: string) => () => constrained(twoBuses, text);
    assert.throws(
      told("hydro_generation(8, bus=1) <= 1"),
      /at position 1 of ".*": hydro 8 does not feed bus 1; it feeds bus 2/,
    );
    assert.throws(
      told("hydro_generation(7, bus=3) <= 1"),
      /hydro 7 does not feed bus 3; it feeds bus 1 and 2/,
    );
    assert.throws(
      told("hydro_inflow(7, bus=1) <= 1"),
      /hydro_inflow is not divided by buses; leave it out; only hydro_turbined and hydro_generation have it/,
    );
  });
});

describe("hydro_inflow", () => {
  /** 10 m³/s flow into plant 1, above plant 2, which has 5 of its own; plant 3 gets 6 and may divert 4 of them to plant 2, where they generate twice as much. */
  const cascade: SmallInput = {
    hydros: [
      { id: 1, downstreamId: 2 },
      { id: 2, maxStorageHm3: 0 },
      {
        ...{ id: 3, maxStorageHm3: 0, productivityMwPerM3s: 0.5 },
        diversion: { downstreamId: 2, maxFlowM3s: 4 },
      },
    ],
    inflow: [
      [10, 0],
      [5, 0],
      [6, 0],
    ],
    thermals: [plant(1, 100, 1000)],
    load: [40],
  };

  it("is what flows in by nature, from upstream, and what is diverted to the plant", async () => {
    const free = await solve(cascade, "hydro_inflow(2) <= 100");
    near(free.cost, (40 - (10 + 19 + 1)) * 100 * 1000 + 4 * 1000);
    // Water of plant 1 is worth 2 MW, diverted water half a MW more than where it is: nothing is diverted, and plant 1 keeps 3 m³/s.
    const { value, cost } = await solve(cascade, "hydro_inflow(2) <= 12");
    near(value("turbined", 0), 7);
    near(value("diverted", 2), 0);
    near(value("storage", 0), 3 * 3.6);
    near(cost, (40 - (7 + 12 + 3)) * 100 * 1000);
  });

  it("counts what is known of it, and is that of a block", async () => {
    // 5 m³/s of the plant itself are 2 too many in the first block, so nothing else flows there. Two rows are about it, one for each block.
    const input = { ...cascade, hours: [400, 600] };
    const { value, cost } = await solve(input, "hydro_inflow(2, 0) <= 3", 100);
    near(value("generic_excess", 0), 2);
    near(value("generic_excess", 1), 2);
    near(value("turbined", 0, 0), 0);
    near(value("diverted", 2, 0), 0);
    const generated = 10_000 + (5000 + 10_000 + 4 * 600) + 0.5 * (6000 - 4 * 600);
    near(cost, (40_000 - generated) * 100 + 4 * 600 + 2 * 100 * 1000);
  });

  it("has water that takes time when it arrives", async () => {
    const delayed = (input: Partial<SmallInput>): SmallInput => ({
      hydros: [
        { id: 1, downstreamId: 2, maxStorageHm3: 0, travelTimeHours: 250 },
        { id: 2, maxStorageHm3: 0 },
      ],
      inflow: [
        [10, 0],
        [0, 0],
      ],
      thermals: [plant(1, 100, 1000)],
      load: [100],
      more: {
        initialConditions: {
          storage: [],
          pastDefluences: [{ id: 1, start: -200, end: 0, value: 4 }],
        },
      },
      ...input,
    });
    // Three quarters of 10 m³/s, and a quarter of 4.
    const parallel = await solve(delayed({}), "hydro_inflow(2) <= 8", 7);
    near(parallel.value("generic_excess", 0), 0.5);
    near(parallel.cost, (100 - 10 - 8.5) * 100 * 1000 + 0.5 * 7 * 1000);
    // In a chronological stage 250 hours of 4 m³/s and 150 of 10 arrive in the first 400 hours, and 10 m³/s in the others.
    const blocks = await solve(
      delayed({ hours: [400, 600], isChronological: true }),
      "hydro_inflow(2) <= 0",
      7,
    );
    near(blocks.value("generic_excess", 0), (250 * 4 + 150 * 10) / 400);
    near(blocks.value("generic_excess", 1), 10);
  });
});

describe("a storage or an evaporation of a block", () => {
  /** Two blocks of 500 h, 1.8 hm³ for 1 m³/s: a full reservoir of 18 hm³, 10 m³/s, and a load of 30 MW in the second block alone. */
  const input: SmallInput = {
    hours: [500, 500],
    isChronological: true,
    season: 0,
    hydros: [{ id: 1, maxStorageHm3: 18, maxTurbinedM3s: 30 }],
    inflow: [[10, 0]],
    storage: [18],
    thermals: [plant(1, 100, 1000)],
    load: [30],
    loadFactors: [{ busId: 1, stageId: 0, factors: [{ blockId: 0, factor: 0 }] }],
    penalties: { spillageCost: 0.001 },
  };

  const TEXTS: readonly [text: string, kept: number, final: number][] = [
    ["hydro_storage_final(1, 0) <= 9", 9, 0],
    ["hydro_storage_initial(1, 1) <= 9", 9, 0],
    ["hydro_useful_volume_final(1, 0) <= 9", 9, 0],
    ["hydro_storage_initial(1, 0) + hydro_storage_final(1, 0) <= 20", 2, 0],
    // Without a block it is the stage: nothing but its end changes.
    ["hydro_storage_initial(1) <= 18", 18, 0],
    ["hydro_storage_final(1) >= 5", 18, 5],
    ["hydro_storage_final(1, 1) >= 5", 18, 5],
  ];
  for (const [text, kept, final] of TEXTS)
    it(`is that of its start or end: ${text}`, async () => {
      const { value, cost } = await solve(input, text);
      near(value("storage_between", 0, 0), kept);
      near(value("storage", 0), final);
      const spilled = (18 + 18 - kept) / 1.8;
      const turbined = (kept + 18 - final) / 1.8;
      near(cost, (30 - turbined) * 100 * 500 + spilled * 0.001 * 500);
    });

  it("is what evaporates in it", async () => {
    const evaporating: SmallInput = {
      ...input,
      dialect: "0.18",
      hydros: [
        {
          ...{ id: 1, maxStorageHm3: 18, maxTurbinedM3s: 30 },
          evaporation: { coefficientsMm: Array.from({ length: 12 }, () => 36) },
        },
      ],
      hydroGeometry: [
        { hydroId: 1, volumeHm3: 0, heightM: 0, areaKm2: 0 },
        { hydroId: 1, volumeHm3: 100, heightM: 1, areaKm2: 10 },
      ],
      penalties: { spillageCost: 0.001, evaporationViolationCost: 5000 },
    };
    const free = await solve(evaporating, "hydro_evaporation(1, 0) <= 1");
    const [first, second] = [0, 1].map((k) => free.value("evaporated", 0, k)) as [number, number];
    assert.ok(first > 0.001 && second > 0.001, `${first} ${second}`);
    const limited = await solve(evaporating, "hydro_evaporation(1, 1) <= 0.001");
    near(limited.value("evaporated", 0, 0), first);
    near(limited.value("evaporated", 0, 1), 0.001);
  });

  it("is refused where blocks do not follow each other, except the first as the whole stage", async () => {
    const parallel = { ...input, isChronological: false };
    assert.throws(
      () => constrained(parallel, "hydro_storage_final(1, 1) <= 9"),
      /hydro_storage_final is named for block 1, and the blocks of stage 0 do not follow each other; leave the block out/,
    );
    near((await solve(parallel, "hydro_storage_final(1, 0) >= 5")).value("storage", 0), 5);
    assert.throws(
      () => constrained(input, "hydro_storage_final(1, 2) <= 9"),
      /block 2 does not exist in stage 0/,
    );
    assert.throws(
      () => constrained(input, "hydro_storage(1, 0) <= 9"),
      /is the same in all blocks/,
    );
  });
});

describe("anticipated_decision", () => {
  const stage = (id: number, hours: number): Stage => ({
    ...{ id, start: 30 * id, end: 30 * (id + 1), openings: 1 },
    blocks: [{ id: 0, name: "all", hours }],
    riskMeasure: { kind: "expectation" },
  });
  /** Plant 1 costs 10 $/MWh and is committed ahead, plant 2 costs 100; the load is 20 MW. */
  const ahead = (
    lead: Lead,
    days: number,
    hours: readonly number[] = [1000, 1000, 1000],
  ): SmallInput => ({
    thermals: [{ ...plant(1, 10, 15), lead }, plant(2, 100, 1000)],
    load: [20],
    more: {
      time: { stages: hours.map((h, id) => stage(id, h)), discounting: { annualRate: 0 } },
      initialConditions: {
        storage: [],
        pastCommitments: days === 0 ? [] : [{ id: 1, start: 0, end: days, value: 8 }],
      },
    },
  });

  it("is what the stage decides, at the cost of the delivery", async () => {
    const { value, cost } = await solve(ahead({ stages: 1 }, 30), "anticipated_decision(1) >= 6");
    near(value("commitment", 0), 6);
    near(cost, 12 * 100 * 1000 + 6 * 10 * 1000);
  });

  it("is the sum of what a stage decides for several, and no generation of the stage itself", async () => {
    // Stages 1 and 2 are decided in stage 0, which generates 15 MW as it likes.
    const input = ahead({ hours: 600 }, 0, [1000, 250, 250, 1000]);
    const { value, cost } = await solve(input, "anticipated_decision(1) >= 18");
    near(value("commitment", 0) + value("commitment", 1), 18);
    near(cost, (15 * 10 + 5 * 100) * 1000 + 18 * 10 * 250);
  });

  it("is 0 where nothing is decided for a stage of the study", async () => {
    const { value } = await solve(ahead({ stages: 5 }, 90), "anticipated_decision(1) >= 3", 7);
    near(value("generic_shortfall", 0), 3);
  });

  it("is refused of other plants, and of blocks", () => {
    const told = (text: string) => () => constrained(ahead({ stages: 1 }, 30), text);
    assert.throws(
      told("anticipated_decision(2) >= 1"),
      /thermal 2 is not committed ahead; write thermal_generation\(2\), or give anticipated_config in system\/thermals\.json/,
    );
    assert.throws(told("anticipated_decision(9) >= 1"), /thermal 9 does not exist/);
    assert.throws(
      told("anticipated_decision(1, 0) >= 1"),
      /anticipated_decision is the same in all blocks; write anticipated_decision\(1\)/,
    );
  });
});
