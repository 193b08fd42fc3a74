/**
 * What each rank of a conformance run does: joins the group, goes through the table (the short one, if asked to) and reports one
 * line of JSON per case. It stops at the first failure, for it may be out of step with the others.
 */
import { type Communicator, createCommunicator, type SharedMemoryProvider } from "@cobre/comm";
import { type ConformanceCase, casesFor } from "./case.js";
import { runRandomMix } from "./random-mix.js";
import { MIX_COUNT, MIX_SEED, type Report } from "./report.js";
import { LAST, SHORT_TABLE, TABLE } from "./table.js";

const directory = process.argv[2] as string;
const table = process.argv[3] === "short" ? SHORT_TABLE : TABLE;

function report(line: Report): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function runCases(
  comm: Communicator & SharedMemoryProvider,
  cases: readonly ConformanceCase[],
): Promise<boolean> {
  for (const { name, run } of casesFor(comm.size, cases)) {
    try {
      await run(comm, { directory });
      report({ case: name });
    } catch (error) {
      report({ case: name, error: error instanceof Error ? String(error.stack) : String(error) });
      return false;
    }
  }
  return true;
}

const comm = await createCommunicator();
report({ joined: { rank: comm.rank, size: comm.size, backend: comm.backend } });
report({ description: comm.describe() });
let passed = await runCases(comm, table);
if (passed) {
  report({ hash: runRandomMix(comm, MIX_SEED, MIX_COUNT) });
  passed = await runCases(comm, LAST);
}
comm.close();
process.exitCode = passed ? 0 : 1;
