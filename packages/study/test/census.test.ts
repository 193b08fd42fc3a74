/** A run that simulates every path of a tree: what is written, and how reports weigh it. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase } from "@cobre/sddp";
import { openRun, type Report, reportOf, runStudy, summaryOfReport } from "@cobre/study";
import { distributionOf } from "#internal";
import { smallCase } from "./small-case.js";

/** A lake of 36 hm³ = 10 m³/s of 1,000 h, 30 MW of load, thermal power at 100 $/MWh; in the second stage 0, 10 or 30 m³/s flow in. */
const INFLOWS = [0, 10, 30];
const SHARES = [0.2, 0.3, 0.5];

const study = smallCase(2, {
  config: {
    training: {
      selection: { method: "enumerated" },
      stopping_rules: [{ type: "iteration_limit", limit: 5 }],
    },
    simulation: { enabled: true, selection: { method: "enumerated" } },
  },
  policy_graph: {
    type: "finite_horizon",
    annual_discount_rate: 0,
    nodes: [{ id: 0, stage_id: 0 }, ...INFLOWS.map((_, i) => ({ id: i + 1, stage_id: 1 }))],
    transitions: SHARES.map((probability, i) => ({
      source_id: 0,
      target_id: i + 1,
      probability,
    })),
  },
  inflow_seasonal_stats: [0, 1].map((stage_id) => {
    return { hydro_id: 1, stage_id, mean_m3s: 0, std_m3s: 1 };
  }),
  noise_openings: [
    { stage_id: 0, opening_index: 0, entity_index: 0, value: 0 },
    ...INFLOWS.map((value, opening_index) => {
      return { stage_id: 1, opening_index, entity_index: 0, value };
    }),
  ],
});

let folder = "";
let output = "";
let report: Report;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-census-"));
  output = join(folder, "out");
  using comm = new LocalCommunicator();
  await runStudy(comm, await loadCase(study), { output });
  report = await reportOf(await openRun(output));
});
after(() => rmSync(folder, { recursive: true }));

/** Of 60 MW in both stages the lake gives 10 in any case; what flows in replaces up to 30 in the second stage. */
const COSTS = INFLOWS.map((inflow) => 1000 * 100 * (60 - 10 - Math.min(inflow, 30)));
const MEAN = COSTS.reduce((sum, cost, i) => sum + cost * (SHARES[i] as number), 0);

const near = (value: number | undefined, exact: number) =>
  assert.ok(
    Math.abs((value ?? Number.NaN) - exact) <= 1e-6 * Math.abs(exact),
    `${value}, ${exact}`,
  );

describe("a run along every path", () => {
  it("writes the probability and cost of each path, and an exact mean", async () => {
    const run = await openRun(output);
    const { columns } = (await run.simulation?.summary()) ?? {};
    assert.deepEqual([...(columns?.scenario_id ?? [])], [0, 1, 2]);
    assert.deepEqual([...(columns?.probability ?? [])], SHARES);
    // Water that is kept in vain may be spilled at a cent per m³/s and hour.
    COSTS.forEach((cost, i) => {
      assert.ok(Math.abs((columns?.total_cost[i] ?? 0) - cost) < 500, `${columns?.total_cost[i]}`);
    });
    assert.deepEqual(columns?.discounted_immediate_cost, columns?.total_cost);
    const metadata = JSON.parse(readFileSync(join(output, "simulation/metadata.json"), "utf8"));
    assert.equal(metadata.kind, "exact");
    assert.equal(metadata.ci95, null);
    assert.ok(Math.abs(metadata.mean - MEAN) < 500, `${metadata.mean}`);
    assert.ok(run.simulation?.metadata.isExact);
  });

  it("is reported by probabilities: means, percentiles and shares", () => {
    const { costs, stages, reservoirs } = summaryOfReport(report);
    assert.ok(costs?.isExact && costs.ci95 === null && costs.count === 3);
    near(costs.mean, report.run.simulation?.mean ?? 0);
    near(costs.std, report.run.simulation?.std ?? 0);
    const [least, middle, most] = [...(report.simulation?.costs.total ?? [])].sort((a, b) => a - b);
    assert.deepEqual(
      [costs.min, costs.p5, costs.median, costs.p95, costs.max],
      [least, least, least, most, most],
    );
    assert.ok((middle ?? 0) > (least ?? 0));
    near(costs.cvar95, most ?? 0);
    const sum = Object.values(costs.by_kind).reduce((total, cost) => total + cost, 0);
    near(sum, costs.mean);
    // Over both stages the lake gives 10 MW and what flows in: 18 MW on average.
    const hydro = stages.reduce((total, { hydro_mwh }) => total + hydro_mwh, 0);
    near(hydro, 1000 * (10 + 0.3 * 10 + 0.5 * 30));
    assert.equal(reservoirs.length, 1);
  });
});

describe("a distribution of all paths", () => {
  it("counts by probability, and takes a part of the value at the edge of its tail", () => {
    const values = Float64Array.of(30, 10, 20);
    const all = distributionOf(values, Float64Array.of(0.02, 0.5, 0.48));
    near(all.mean, 0.6 + 5 + 9.6);
    near(all.std, Math.sqrt(0.02 * 14.8 ** 2 + 0.5 * 5.2 ** 2 + 0.48 * 4.8 ** 2));
    assert.deepEqual([all.min, all.p5, all.median, all.p95, all.max], [10, 10, 10, 20, 30]);
    near(all.cvar95, (0.02 * 30 + 0.03 * 20) / 0.05);
    assert.ok(all.isExact && all.ci95 === null);
  });

  it("is the sample's without probabilities", () => {
    const sample = distributionOf(Float64Array.of(1, 2, 3, 4));
    assert.equal(sample.isExact, undefined);
    assert.equal(sample.median, 2.5);
    near(sample.ci95 ?? 0, (1.96 * Math.sqrt(5 / 3)) / 2);
  });
});
