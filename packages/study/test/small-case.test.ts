/** What a report says about a case whose optimum is derived by hand: sources, pumps and contracts, and the sign of the value of water. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createCommunicator } from "@cobre/comm";
import type { CaseInput } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import {
  adviceText,
  coefficientsJson,
  coefficientsOf,
  openRun,
  type ReportSummary,
  reportOf,
  runStudy,
  summaryOfReport,
} from "@cobre/study";
import { reservoir, smallCase } from "./small-case.js";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-small-"));
});
after(() => rmSync(folder, { recursive: true }));

async function run(name: string, input: CaseInput): Promise<string> {
  const output = join(folder, name);
  using comm = await createCommunicator({ kind: "local" });
  await runStudy(comm, await loadCase(input), { output });
  return output;
}

async function summaryOf(output: string): Promise<ReportSummary> {
  return summaryOfReport(await reportOf(await openRun(output)));
}

function near(found: number | null | undefined, expected: number, what?: string): void {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < 1e-5, `${what ?? ""} ${found}`);
}

/**
 * The wind of the city is used, that of a bus without load is not. The import is cheaper than the thermal plant, and the export brings more than it
 * costs. A m³/s that is pumped gives 1 MW for 0.1: the pump runs at its limit. So 12 MW come from the lake, 5 from the wind, 4 from the import, and 11.2
 * from the thermal plant: 30 of load, 2 of export, 0.2 for the pump.
 */
const EQUIPPED = {
  buses: [
    { id: 1, name: "city" },
    { id: 2, name: "island" },
  ],
  hydros: [reservoir(1, 100), reservoir(2, 0)],
  initial_conditions: {
    storage: [
      { hydro_id: 1, value_hm3: 36 },
      { hydro_id: 2, value_hm3: 14.4 },
    ],
    filling_storage: [],
  },
  inflow_seasonal_stats: [1, 2].map((hydro_id) => {
    return { hydro_id, stage_id: 0, mean_m3s: 0, std_m3s: 0 };
  }),
  non_controllable_sources: [
    { id: 0, name: "wind", bus_id: 1, max_generation_mw: 5 },
    { id: 1, name: "far wind", bus_id: 2, max_generation_mw: 3 },
  ],
  pumping_stations: [
    {
      id: 0,
      name: "pump",
      bus_id: 1,
      source_hydro_id: 2,
      destination_hydro_id: 1,
      consumption_mw_per_m3s: 0.1,
      flow: { min_m3s: 0, max_m3s: 2 },
    },
  ],
  energy_contracts: [
    {
      id: 0,
      name: "buy",
      bus_id: 1,
      type: "import",
      price_per_mwh: 60,
      limits: { min_mw: 0, max_mw: 4 },
    },
    {
      id: 1,
      name: "sell",
      bus_id: 1,
      type: "export",
      price_per_mwh: -150,
      limits: { min_mw: 0, max_mw: 2 },
    },
  ],
};

const EQUIPPED_TWICE = {
  ...EQUIPPED,
  inflow_seasonal_stats: [1, 2].flatMap((hydro_id) =>
    [0, 1].map((stage_id) => ({ hydro_id, stage_id, mean_m3s: 0, std_m3s: 0 })),
  ),
};

describe("a report on sources, pumps and contracts", () => {
  it("tells what is used, curtailed, pumped, bought and sold", async () => {
    const summary = await summaryOf(await run("equipped", smallCase(1, EQUIPPED)));
    const [far, city] = summary.sources;
    assert.equal(far?.name, "far wind");
    near(far?.curtailed_mwh, 3000);
    near(far?.curtailed_percent, 100);
    assert.equal(city?.name, "wind");
    near(city?.energy_mwh, 5000);
    near(city?.curtailed_mwh, 0);
    const [pump] = summary.pumps;
    near(pump?.volume_hm3, 7.2);
    near(pump?.energy_mwh, 200);
    const [buy, sell] = summary.contracts;
    assert.deepEqual([buy?.type, sell?.type], ["import", "export"]);
    near(buy?.energy_mwh, 4000);
    near(buy?.cost, 240_000);
    near(sell?.energy_mwh, 2000);
    near(sell?.cost, -300_000);
    const [stage] = summary.stages;
    near(stage?.hydro_mwh, 12_000);
    near(stage?.source_mwh, 5000);
    near(stage?.curtailed_mwh, 3000);
    near(stage?.thermal_mwh, 11_200);
    near(stage?.pumping_mwh, 200);
    near(stage?.import_mwh, 4000);
    near(stage?.export_mwh, 2000);
  });
});

/** The dual of the water balance, as the table of the simulation has it. */
async function dualOf(output: string): Promise<number> {
  const { simulation } = await openRun(output);
  const found = await simulation?.table("hydros", 0, ["water_value_per_hm3"]);
  return found?.columns.water_value_per_hm3[0] as number;
}

describe("the value of water", () => {
  // 1 hm³ is 1 / 3.6 m³/s for 1,000 hours, so 1,000 / 3.6 MWh.
  const now = (1000 / 3.6) * 100;
  const later = (1000 / 3.6) * 200;

  it("is what one more hm³ saves: positive where water is useful; its dual is negative", async () => {
    const output = await run("one", smallCase(1));
    const [lake] = (await summaryOf(output)).reservoirs;
    near(lake?.water_value_per_hm3, now);
    near(lake?.water_value_per_mwh, 100);
    near(await dualOf(output), -now);
  });

  it("is that of the stages behind the study, if a boundary policy tells it", async () => {
    // Power costs twice as much in the second stage, so water is kept for it.
    const two = smallCase(2, {
      thermal_bounds: [{ thermal_id: 0, stage_id: 1, cost_per_mwh: 200 }],
    });
    const policy = join(await run("two", two), "policy");
    const { config } = smallCase(1);
    const boundary = { path: policy, source_stage: 0 };
    const first = smallCase(1, { config: { ...config, policy: { boundary } } });
    const output = await run("first", first);
    const summary = await summaryOf(output);
    const [lake] = summary.reservoirs;
    near(lake?.water_value_per_hm3, later);
    near(lake?.final_hm3, 36);
    near(await dualOf(output), -later);
    // 30 MW of thermal power now, 20 later: what is behind the study counts as a cost.
    near(summary.costs?.mean, 3_000_000 + 4_000_000);
    near(summary.costs?.by_kind.after_study, 4_000_000);
  });
});

describe("the coefficients of a case", () => {
  it("are told family by family, each with the place of its extremes", async () => {
    const source = await loadCase(smallCase(2, EQUIPPED_TWICE));
    const { columns, rows, costs, matrix, advice } = coefficientsJson(
      coefficientsOf(source),
      source,
    );
    const family = (name: string) => columns.find((one) => one.family === name);
    assert.equal(family("thermal_generation")?.count, 2);
    // 100 $/MWh for 1,000 hours, in thousands of $.
    assert.equal(family("thermal_generation")?.costs?.max, 100);
    assert.equal(family("thermal_generation")?.bounds?.max, 500);
    assert.equal(family("pumping_flow")?.bounds?.max, 2);
    // 3.6 hm³ per m³/s in the water balance, 0.1 MW in that of power.
    assert.deepEqual(
      [family("pumping_flow")?.matrix?.min, family("pumping_flow")?.matrix?.max],
      [0.1, 3.6],
    );
    assert.equal(rows.find((one) => one.family === "power")?.right_sides?.max, 30);
    assert.equal(costs?.max_at.column, "deficit_1_0_0");
    assert.equal(matrix?.max, 3.6);
    assert.deepEqual(advice, []);
  });

  it("come with advice where they are too far apart, which names entity and field", async () => {
    const wide = smallCase(1, {
      thermals: [
        {
          id: 0,
          name: "T",
          bus_id: 1,
          cost_per_mwh: 1e-7,
          generation: { min_mw: 0, max_mw: 1e12 },
        },
      ],
    });
    const { advice } = coefficientsOf(await loadCase(wide));
    assert.deepEqual(
      advice.map(({ part, smallest, largest }) => [part, smallest.place, largest.place]),
      [
        [
          "costs",
          { file: "system/thermals.json", entity: "thermal 0", field: "cost_per_mwh" },
          { file: "system/buses.json", entity: "bus 1", field: "deficit_segments.cost" },
        ],
        [
          "bounds",
          { file: "system/hydros.json", entity: "hydro 1", field: "reservoir.max_storage_hm3" },
          { file: "system/thermals.json", entity: "thermal 0", field: "generation.max_mw" },
        ],
      ],
    );
    const [costs] = advice.map(adviceText);
    assert.match(
      costs ?? "",
      /^costs reach from 1e-7 \(system\/thermals\.json: thermal 0: cost_per_mwh\) to 5000 \(system\/buses\.json: bus 1: deficit_segments\.cost\); bring them nearer/,
    );
  });
});
