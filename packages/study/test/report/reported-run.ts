/** A run of the example with four regions, its report, and the tables that the report is made of. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OutputCell, readOutputTable } from "@cobre/io";
import {
  openRun,
  type Report,
  reportOf,
  type SimulationReport,
  type StudyResult,
} from "@cobre/study";
import { runExample, sized } from "../example-run.js";

export const SCENARIOS = [0, 1, 2, 3, 4];

export type Row = Readonly<Record<string, OutputCell>> & { readonly scenario: number };

export class ReportedRun implements Disposable {
  /** A folder for this run and others; gone after the tests. */
  readonly folder: string;
  readonly result: StudyResult;
  readonly report: Report;
  readonly simulation: SimulationReport;

  private constructor(folder: string, result: StudyResult, report: Report) {
    this.folder = folder;
    this.result = result;
    this.report = report;
    this.simulation = report.simulation ?? assert.fail("no simulation");
  }

  static async make(): Promise<ReportedRun> {
    const folder = mkdtempSync(join(tmpdir(), "cobre-report-"));
    const output = join(folder, "whole");
    process.env.COBRE_COMM_STATISTICS = "1";
    const settings = sized(3, SCENARIOS.length);
    const result = await runExample("four-regions", settings, { output, splitsWaiting: true });
    delete process.env.COBRE_COMM_STATISTICS;
    return new ReportedRun(folder, result, await reportOf(await openRun(output)));
  }

  /** Its output directory. */
  get whole(): string {
    return join(this.folder, "whole");
  }

  /** The rows of all scenarios of a table, with the number of the scenario. */
  async table(name: string): Promise<Row[]> {
    const last = String(SCENARIOS.length - 1).padStart(4, "0");
    const file = join(this.whole, `simulation/${name}/scenarios_0000-${last}.parquet`);
    const rows = await readOutputTable(file);
    return rows.map((row) => ({ ...row, scenario: Number(row.scenario_id) }));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const near = (value: number, expected: number, what = "") =>
  assert.ok(
    Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${value}, not ${expected}`,
  );
