/** How hydro plants generate, on programs whose optimum is derived by hand beside them. Costs are in $. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PlaneRow, ProductionModelInput } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

const EXPENSIVE = {
  id: 1,
  name: "thermal",
  busId: 1,
  minGenerationMw: 0,
  maxGenerationMw: 1e6,
  costPerMwh: 100,
};

/** A plant, a thermal of 100 $/MWh, and a stage of 1000 h: 1 m³/s is 3.6 hm³. */
function withPlant(
  input: Partial<SmallInput>,
  models: readonly ProductionModelInput[],
  planes: readonly PlaneRow[] = [],
) {
  return smallModel({
    hours: [1000],
    hydros: [{ id: 1 }],
    thermals: [EXPENSIVE],
    load: [20],
    production: { models, planes },
    ...input,
  });
}

const FPHA: ProductionModelInput = {
  hydroId: 1,
  ranges: [{ startStageId: 0, model: "fpha", fpha: { source: "precomputed" } }],
};

const plane = (values: Partial<PlaneRow>): PlaneRow => ({
  hydroId: 1,
  planeId: 0,
  gamma0: 0,
  gammaV: 0,
  gammaQ: 1,
  gammaS: 0,
  kappa: 1,
  ...values,
});

describe("a productivity of the stage", () => {
  const override = (productivity: number): ProductionModelInput => ({
    hydroId: 1,
    ranges: [{ startStageId: 0, endStageId: 0, model: "constant_productivity", productivity }],
  });

  it("replaces that of the plant", async () => {
    // 36 hm³ are 10 m³/s. With 1.5 MW each 5 MW are missing, with 1 MW each 10 MW.
    const with15 = await solveWith(withPlant({ storage: [36] }, [override(1.5)]), ELEMENTS);
    near(with15.value("turbined", 0), 10);
    near(with15.cost, 500_000);
    const own = await solveWith(withPlant({ storage: [36] }, []), ELEMENTS);
    near(own.cost, 1_000_000);
  });

  it("limits the turbined flow by the generation, and counts in the least generation", async () => {
    const limited = { id: 1, maxGenerationMw: 12, minGenerationMw: 12 };
    const input = { storage: [36], hydros: [limited] };
    const { value, cost } = await solveWith(withPlant(input, [override(1.5)]), ELEMENTS);
    near(value("turbined", 0), 8);
    near(value("generation_violation", 0), 0);
    near(cost, 8 * 100 * 1000);
  });

  it("does not count in the least generation of Cobre 0.5", async () => {
    const limited = { id: 1, maxGenerationMw: 12, minGenerationMw: 12 };
    const input = { storage: [36], hydros: [limited], compat: "cobre-0.5" } as const;
    const { value, cost } = await solveWith(withPlant(input, [override(1.5)]), ELEMENTS);
    // 8 m³/s generate 12 MW, but count as 8.
    near(value("generation_violation", 0), 4);
    near(cost, (8 * 100 + 4 * 8) * 1000);
  });

  it("may depend on the season", async () => {
    const seasonal: ProductionModelInput = {
      hydroId: 1,
      ranges: [],
      seasons: {
        otherwise: { model: "constant_productivity" },
        list: [
          { seasonId: 3, model: "constant_productivity", productivity: 1.5 },
          { seasonId: 3, model: "constant_productivity", productivity: 9 },
        ],
      },
    };
    for (const [season, cost] of [
      [3, 500_000],
      [4, 1_000_000],
    ] as const) {
      const model = withPlant({ storage: [36], season }, [seasonal]);
      near((await solveWith(model, ELEMENTS)).cost, cost);
    }
  });
});

describe("a production function", () => {
  it("gives more with more head, and costs what it turbines", async () => {
    const planes = [plane({ gammaV: 0.1, gammaQ: 0.5 })];
    const model = withPlant(
      { storage: [72], penalties: { fphaTurbinedCost: 0.01 } },
      [FPHA],
      planes,
    );
    const solved = await solveWith(model, ELEMENTS);
    // v = 72 - 3.6 q, so g ≤ 0.05 (144 - 3.6 q) + 0.5 q = 7.2 + 0.32 q: q = 20, v = 0, g = 13.6.
    near(solved.value("turbined", 0), 20);
    near(solved.value("storage", 0), 0);
    near(solved.value("hydro_generated", 0), 13.6);
    near(solved.cost, 640_200);
    // One hm³ more at the start: 0.05 MW by the mean, and 1/3.6 m³/s more of 0.5 MW, for 100 $ less a cent of turbined water.
    const worth = (0.05 + 0.5 / 3.6) * 100 - 0.01 / 3.6;
    near(solved.reducedCosts[solved.lp.known[0]], -worth);
  });

  it("is the lowest of its planes; κ lowers the constant alone, and spillage takes away", async () => {
    // No storage: 40 m³/s pass, 30 of them through the turbines.
    const model = withPlant(
      { inflow: [[40, 0]], hydros: [{ id: 1, maxStorageHm3: 0, maxTurbinedM3s: 30 }], load: [100] },
      [FPHA],
      [
        plane({ gamma0: 10, kappa: 0.5, gammaQ: 0.6, gammaS: -0.1 }), // 5 + 18 - 1 = 22
        plane({ planeId: 1, gammaQ: 0.8 }), // 24
      ],
    );
    const { value } = await solveWith(model, ELEMENTS);
    near(value("hydro_generated", 0), 22);
  });

  it("with one plane γq is a constant productivity", async () => {
    const model = withPlant({ storage: [36] }, [FPHA], [plane({})]);
    near((await solveWith(model, ELEMENTS)).cost, 1_000_000);
  });

  it("has the planes of the stage, else those of all stages", async () => {
    const planes = [plane({ gammaQ: 9 }), plane({ stageId: 0, gammaQ: 1.5 })];
    const model = withPlant({ storage: [36] }, [FPHA], planes);
    near((await solveWith(model, ELEMENTS)).cost, 500_000);
  });

  it("may generate less than its planes allow, and counts in the least generation", async () => {
    const limited = { id: 1, minGenerationMw: 25, maxStorageHm3: 0 };
    const model = withPlant(
      { hydros: [limited], inflow: [[30, 0]], load: [20] },
      [FPHA],
      [plane({})],
    );
    const { value, cost } = await solveWith(model, ELEMENTS);
    // 25 MW: 5 of them in excess, which costs less than to fall short.
    near(value("hydro_generated", 0), 25);
    near(cost, 5 * 0.01 * 1000);
  });

  it("generates nothing with turbines that stand still, and needs no flow for that", async () => {
    const still = { id: 1, maxTurbinedM3s: 0, maxStorageHm3: 0 };
    const planes = [plane({ gamma0: 5 }), plane({ planeId: 1, gamma0: -5, gammaS: -1 })];
    const model = withPlant({ hydros: [still], inflow: [[30, 0]] }, [FPHA], planes);
    const { value, status } = await solveWith(model, ELEMENTS);
    assert.equal(status, "optimal");
    near(value("hydro_generated", 0), 0);
  });

  it("is not there where no plant has one", async () => {
    const { lp } = await solveWith(withPlant({}, []), ELEMENTS);
    assert.throws(() => lp.family("hydro_generated"), /no family hydro_generated/);
    assert.ok(!lp.kinds.includes("fpha_turbined"));
  });
});
