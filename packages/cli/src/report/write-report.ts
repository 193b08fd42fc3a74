import { join } from "node:path";
import { OUTPUT_FILES, writeAtomically } from "@cobre/io";
import { renderReport } from "@cobre/report";
import { openRun, type Report, reportOf } from "@cobre/study";
import type { LogStream } from "../run/log.js";

/**
 * Writes a report as a page.
 *
 * @returns where it is and how large, for people
 * @throws `OutputError` if it cannot be written
 */
export function writeReport(path: string, report: Report): string {
  const bytes = new TextEncoder().encode(renderReport(report));
  writeAtomically(path, bytes);
  return `${path} (${(bytes.length / 1e6).toFixed(1)} MB)`;
}

/** Writes the report of a run that has just ended beside its results. */
export async function reportBeside(output: string, log: LogStream | undefined): Promise<void> {
  const path = join(output, OUTPUT_FILES.report);
  const written = writeReport(path, await reportOf(await openRun(output)));
  log?.write(`report         ${written}\n`);
}
