/** Reports on runs that were interrupted, or that only simulated. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openRun, reportOf, type SimulationReport, summaryOfReport } from "@cobre/study";
import { runExample, sized } from "../example-run.js";
import { ReportedRun, SCENARIOS } from "./reported-run.js";

let run: ReportedRun;
let folder = "";
let whole = "";
let simulation: SimulationReport;
before(async () => {
  run = await ReportedRun.make();
  ({ folder, whole, simulation } = run);
});
after(() => run[Symbol.dispose]());

describe("a report on a run that is not whole", () => {
  it("has no simulation if the run was interrupted, and says how to go on", async () => {
    const output = join(folder, "interrupted");
    await runExample("one-reservoir", sized(3, 2), { output, signal: AbortSignal.abort() });
    const { verdict, warnings, time, simulation: none } = await reportOf(await openRun(output));
    assert.equal(none, undefined);
    assert.deepEqual([...(time?.waiting ?? [])], [Number.NaN], "waiting was not measured apart");
    assert.match(verdict, /^Interrupted after 1 iteration .*--resume/);
    assert.equal(warnings[0]?.kind, "interrupted");
    assert.equal(summaryOfReport(await reportOf(await openRun(output))).costs, null);
  });

  it("has everything but training if the policy was trained elsewhere", async () => {
    const output = join(folder, "simulated");
    const settings = {
      training: { enabled: false },
      policy: { path: join(whole, "policy") },
      simulation: { enabled: true, num_scenarios: SCENARIOS.length },
    };
    await runExample("four-regions", settings, { output });
    const alone = await reportOf(await openRun(output));
    assert.equal(alone.run.training, undefined);
    assert.match(alone.verdict, /trained elsewhere: 5 scenarios simulated/);
    assert.deepEqual(alone.simulation?.costs.total, simulation.costs.total);
    assert.deepEqual(alone.simulation?.buses.prices, simulation.buses.prices);
    assert.deepEqual(alone.simulation, simulation);
    assert.equal(summaryOfReport(alone).lower_bound, null);
    // Runs of earlier versions have no dictionaries there.
    rmSync(join(output, "training"), { recursive: true });
    const nameless = await reportOf(await openRun(output));
    assert.equal(nameless.simulation?.hydros.plants[0]?.name, "hydro 0");
    assert.deepEqual(nameless.simulation?.buses.prices, simulation.buses.prices);
    assert.ok(nameless.simulation?.hydros.maxStorage.every((limit) => Number.isNaN(limit)));
  });
});
