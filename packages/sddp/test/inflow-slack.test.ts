import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { loadCase, simulate, train } from "@cobre/sddp";
import { caseNamed, directoryOf } from "./cases.js";

/** Water may be added to a negative inflow at this cost per m³/s and hour, of which each gives 1 MW. */
function withPenalty(source: Case, cost: number): Case {
  const { config, study } = source;
  study.hydroPenalties.inflowNonnegativityCost.values.fill(cost);
  return { ...source, config: { ...config, inflowNonNegativity: { method: "penalty" } } };
}

async function bound(source: Case): Promise<number> {
  using comm = new LocalCommunicator();
  return (await train(comm, source)).lowerBound;
}

function near(value: number, expected: number): void {
  assert.ok(Math.abs(value / expected - 1) < 1e-6, `${value} instead of ${expected}`);
}

describe("water that is added to a negative inflow", () => {
  it("is none where no inflow is negative, however cheap it would be", async () => {
    near(await bound(withPenalty(await caseNamed("sddp-tutorial"), 1)), 8_333_333.3333);
  });

  it("is what is missing, and no more", async () => {
    const source = withPenalty(await caseNamed("sddp-tutorial"), 1);
    const { openings } = source.uncertainty;
    assert.ok(openings !== undefined);
    (openings.value as Float64Array).fill(-20);
    source.study.initialConditions.storageHm3.fill(0);
    // 150 MW at 50, 100 and 150 $/MWh, and 20 m³/s at 1 $, in three stages of 1000 h.
    near(await bound(source), 150 * 300 * 1000 + 3 * 20 * 1000);
  });

  it("leaves the bound a lower one where inflows depend on the past", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-slack-"));
    try {
      const source = withPenalty(await loadCase(writeRunOfRiver(folder)), 1);
      using comm = new LocalCommunicator();
      const { lowerBound, policy } = await train(comm, source);
      const exact = meanCost();
      assert.ok(lowerBound <= exact * (1 + 1e-9), `${lowerBound} is above ${exact}`);
      assert.ok(lowerBound > 0.8 * exact, `${lowerBound} is far below ${exact}`);
      const { statistics } = await simulate(comm, source, policy, { scenarios: 900 });
      assert.ok(Math.abs(statistics.mean / exact - 1) < 0.02, `${statistics.mean} for ${exact}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const NOISE = [-60, 0, 60];
const PSI = 0.9;
/** The deviation of inflows whose noise has a deviation of 1. */
const STD = 1 / Math.sqrt(1 - PSI ** 2);

/** Two stages and a plant that cannot store: nothing is to decide, so the cost of every path is known. */
function writeRunOfRiver(folder: string): string {
  cpSync(directoryOf("sddp-tutorial"), folder, { recursive: true });
  const change = <T>(name: string, edit: (value: T) => void) => {
    const value: T = JSON.parse(readFileSync(join(folder, name), "utf8"));
    edit(value);
    writeFileSync(join(folder, name), JSON.stringify(value));
  };
  const table = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  change("stages.json", ({ stages }: { stages: object[] }) => {
    stages.pop();
  });
  change("system/hydros.json", ({ hydros }: { hydros: { reservoir: object }[] }) => {
    for (const hydro of hydros) hydro.reservoir = { min_storage_hm3: 0, max_storage_hm3: 0 };
  });
  change("initial_conditions.json", (value: Record<string, unknown>) => {
    value.storage = [{ hydro_id: 0, value_hm3: 0 }];
    const before = { start_date: "2024-12-01", end_date: "2025-01-01" };
    value.recent_observations = [{ hydro_id: 0, ...before, value_m3s: 0 }];
  });
  const stages = [-1, 0, 1];
  table(
    "scenarios/inflow_seasonal_stats.csv",
    "hydro_id,stage_id,mean_m3s,std_m3s",
    ...stages.map((stage) => `0,${stage},0,${STD}`),
  );
  table(
    "scenarios/inflow_ar_coefficients.csv",
    "hydro_id,stage_id,lag,coefficient",
    ...stages.slice(1).map((stage) => `0,${stage},1,${PSI}`),
  );
  table(
    "scenarios/noise_openings.csv",
    "stage_id,opening_index,entity_index,value",
    ...stages
      .slice(1)
      .flatMap((stage) => NOISE.map((value, opening) => `${stage},${opening},0,${value}`)),
  );
  for (const name of ["constraints/thermal_bounds.csv", "scenarios/load_seasonal_stats.csv"]) {
    const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
    table(name, ...lines.filter((line) => line.split(",")[1] !== "2"));
  }
  return folder;
}

function meanCost(): number {
  const cost = (price: number, inflow: number) =>
    1000 * (price * (150 - Math.max(0, inflow)) + Math.max(0, -inflow));
  let sum = 0;
  for (const first of NOISE) {
    for (const second of NOISE) sum += cost(50, first) + cost(100, PSI * first + second);
  }
  return sum / NOISE.length ** 2;
}
