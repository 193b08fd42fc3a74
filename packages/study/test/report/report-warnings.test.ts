/** What a report warns of, and what to do about it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Cube, type Report, type SimulationReport } from "@cobre/study";
import { warningsOf } from "#internal";
import { ReportedRun } from "./reported-run.js";

let run: ReportedRun;
let report: Report;
let simulation: SimulationReport;
before(async () => {
  run = await ReportedRun.make();
  ({ report, simulation } = run);
});
after(() => run[Symbol.dispose]());

describe("the warnings of a report", () => {
  const kinds = (change: Partial<Report>) =>
    warningsOf({ ...report, ...change }).map(({ kind }) => kind);
  const training = () => report.run.training ?? assert.fail();
  const convergence = () => report.convergence ?? assert.fail();
  const numerics = () => report.numerics;

  it("are those of the example: a short training, and a load that is not met", () => {
    assert.deepEqual(kinds({}), [
      "bound_rising",
      "deficit",
      "deficit_beyond_load",
      "wide_interval",
    ]);
    assert.ok(
      report.warnings.every(({ text, remedy }) => text.endsWith(".") && remedy.endsWith(".")),
    );
  });

  it("tell deficit at a bus that has no load, and how much of it", () => {
    const { text } =
      report.warnings.find(({ kind }) => kind === "deficit_beyond_load") ?? assert.fail();
    assert.match(text, /\(junction: [\d.]+ [GT]Wh, on average\)/);
    const { buses } = simulation;
    const junction = buses.buses.findIndex(({ name }) => name === "junction");
    const size = buses.deficit.stages * buses.deficit.scenarios;
    const deficit = new Cube(buses.buses.length, buses.deficit.stages, buses.deficit.scenarios, 0);
    deficit.values.set(buses.deficit.values);
    deficit.values.fill(0, junction * size, (junction + 1) * size);
    const without = { ...simulation, buses: { ...buses, deficit } };
    assert.ok(!kinds({ simulation: without }).includes("deficit_beyond_load"));
    assert.ok(kinds({ simulation: without }).includes("deficit"));
  });

  it("tell a bound that is none", () => {
    const run = { ...report.run, training: { ...training(), lowerBoundCaveats: ["foreign_cuts"] } };
    assert.ok(kinds({ run }).includes("foreign_cuts"));
  });

  it("tell a bound above the simulated cost, but only where the two may be compared", () => {
    const run = { ...report.run, training: { ...training(), lowerBound: 1e15 } };
    assert.ok(kinds({ run }).includes("bound_above_cost"));
    assert.ok(!kinds({ run: { ...run, isRiskNeutral: false } }).includes("bound_above_cost"));
  });

  it("do not tell a bound that has settled", () => {
    const settled = { ...convergence(), rise: { percent: 0.5, iterations: 10 } };
    assert.ok(!kinds({ convergence: settled }).includes("bound_rising"));
  });

  it("tell retries with their places, and coefficients with what to do", () => {
    const counts = numerics().training ?? assert.fail();
    const scaling = numerics().scaling ?? assert.fail();
    const troubled: Report["numerics"] = {
      ...numerics(),
      training: {
        ...counts,
        retried: 7,
        retries: [{ phase: "backward", stage: 3, count: 7 }],
      },
      scaling: { ...scaling, unusual: ["objective"] },
    };
    const told = warningsOf({ ...report, numerics: troubled });
    const of = (kind: string) => told.find((one) => one.kind === kind) ?? assert.fail(kind);
    assert.match(of("retries").text, /^7 of \d+ programs .*backward, stage 3: 7/);
    assert.match(of("coefficients").text, /^The coefficients of the objective go from /);
    assert.match(of("coefficients").remedy, /^Look at penalties/);
    const calm = warningsOf({
      ...report,
      numerics: { ...numerics(), scaling: { ...scaling, unusual: ["rhs"] } },
    });
    assert.match(
      calm.at(-1)?.remedy ?? "",
      /^Nothing to do, since every program was solved at once/,
    );
  });
});
