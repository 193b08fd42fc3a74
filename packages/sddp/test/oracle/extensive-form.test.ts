/** The parts of the oracle by themselves: its optima beside published ones, its cases as both kinds of files, its shrinking. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loadCase } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { NO_EQUIPMENT } from "./equipment.js";
import { optimumOf } from "./extensive-form.js";
import { generateSystem } from "./generate.js";
import { shrink } from "./shrink.js";
import type { SmallStage, SmallSystem } from "./system.js";
import { writeCase } from "./write-case.js";

const solver = await loadSolver("highs");

/** The first tutorial of SDDP.jl: water for 150 MW in three stages, with inflows of 0, 50 or 100. */
function tutorial(risk: SmallStage["risk"], compat = false): SmallSystem {
  const stages = [50, 100, 150];
  return {
    seed: 0,
    stages: stages.map((_, id) => ({
      id,
      days: 30,
      hours: [1000],
      openings: 3,
      isChronological: false,
      season: null,
      risk,
      rate: null,
      correlation: null,
    })),
    annualRate: 0,
    method: "none",
    compat,
    treeSeed: null,
    boundary: null,
    postStudy: [],
    segments: [{ depth: null, cost: 10_000 }],
    excessCost: 1,
    exchangeCost: 1,
    diversionCost: 1,
    turbinedCost: 0,
    waterPenalties: {
      storageBelow: 1,
      fillingTarget: 1,
      evaporationPos: 1,
      evaporationNeg: 1,
      withdrawalPos: 1,
      withdrawalNeg: 1,
    },
    penalties: {
      spillage: 1e-12,
      turbinedBelow: 1,
      outflowBelow: 1,
      outflowAbove: 1,
      generationBelow: 1,
      negativeInflow: 1,
    },
    buses: [
      {
        id: 0,
        segments: null,
        stages: stages.map(() => ({
          mean: 150,
          std: 0,
          noise: [0, 0, 0],
          factors: null,
          excessCost: null,
        })),
      },
    ],
    lines: [],
    equipment: NO_EQUIPMENT,
    thermals: [
      {
        id: 0,
        life: { entry: null, exit: null },
        bus: 0,
        min: 0,
        max: 1000,
        cost: 50,
        stages: stages.map((cost) => ({ cost })),
        lead: null,
        behind: [],
        boundary: [],
      },
    ],
    hydros: [
      {
        id: 0,
        life: { entry: null, exit: null },
        bus: 0,
        downstream: null,
        travel: null,
        diversion: null,
        productivity: 1,
        production: stages.map(() => null),
        turbinedCost: null,
        evaporation: null,
        filling: null,
        groups: null,
        withdrawal: stages.map(() => 0),
        waterPenalties: {},
        stageWaterPenalties: stages.map(() => ({})),
        bounds: {
          minStorage: 0,
          maxStorage: 720,
          minOutflow: 0,
          maxOutflow: null,
          minTurbined: 0,
          maxTurbined: 1000,
          minGeneration: 0,
          maxGeneration: 1000,
        },
        penalties: {},
        storage: 720,
        past: [],
        before: [],
        stages: stages.map(() => ({
          mean: 0,
          std: 1,
          coefficients: [],
          ratio: 1,
          annual: null,
          noise: [0, 50, 100],
          bounds: {},
          penalties: {},
        })),
        boundary: [],
      },
    ],
  };
}

describe("the program of the whole tree", () => {
  const known = [
    ["the mean", tutorial(null), 8_333_333.3333],
    ["CVaR", tutorial({ alpha: 0.5, lambda: 1 }), 15_000_000],
    ["half CVaR", tutorial({ alpha: 0.5, lambda: 0.5 }), 11_458_333.3333],
    ["half CVaR as in Cobre 0.5", tutorial({ alpha: 0.5, lambda: 0.5 }, true), 12_500_000],
  ] as const;
  for (const [what, system, expected] of known) {
    it(`has the known optimum of the tutorial with ${what}`, () => {
      const found = optimumOf(system, solver);
      assert.ok(Math.abs(found / expected - 1) < 1e-9, `${found} instead of ${expected}`);
    });
  }
});

describe("a small system", () => {
  it("is the same case as CSV and as Parquet", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-oracle-"));
    try {
      for (const seed of [1, 2, 3, 4, 5]) {
        const [csv, parquet] = await Promise.all(
          (["csv", "parquet"] as const).map(async (tables) => {
            const directory = join(folder, `${seed}-${tables}`);
            writeCase(generateSystem(seed), directory, { tables });
            const { config, study, uncertainty } = await loadCase(directory);
            return { config, study, uncertainty };
          }),
        );
        assert.deepEqual(parquet, csv);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is shrunk to what makes it fail", async () => {
    const hasLimit = ({ hydros }: SmallSystem) =>
      hydros.some(({ bounds }) => bounds.minOutflow > 0);
    const seed = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((candidate) => {
      const { hydros, buses } = generateSystem(candidate);
      return hasLimit(generateSystem(candidate)) && hydros.length > 1 && buses.length > 1;
    });
    assert.ok(seed !== undefined);
    const { system } = await shrink(generateSystem(seed), async (smaller) => hasLimit(smaller));
    const { stages, buses, lines, thermals, hydros } = system;
    const sizes = [stages, buses, lines, thermals, hydros].map(({ length }) => length);
    assert.deepEqual(sizes, [1, 1, 0, 0, 1]);
    assert.deepEqual([stages[0].openings, stages[0].hours], [1, [100]]);
    assert.deepEqual([hydros[0].bounds.maxOutflow, hydros[0].bounds.minTurbined], [null, 0]);
  });
});
