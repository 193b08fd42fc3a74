/**
 * What a simulation takes beside its solver: 100 scenarios of four regions, simulated and written by `cobre simulate`, each round in a
 * process of its own. The whole time, from the first program that is built to the folder that gets its name, over the time in `solve`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openRun, type Run } from "@cobre/study";
import { median } from "../measurement.js";
import { runProgram } from "../run-program.js";
import { alignColumns } from "../table.js";

const COBRE = fileURLToPath(new URL("../../../cli/bin/cobre.js", import.meta.url));
const CASE = fileURLToPath(new URL("../../../../examples/cases/four-regions", import.meta.url));

const LONG = { iterations: 25, scenarios: 100, rounds: 7 };
const QUICK = { iterations: 2, scenarios: 10, rounds: 1 };

interface Times {
  readonly totalMs: number;
  readonly solvingMs: number;
}

export async function runSimulationOutput(
  quick: boolean,
  say: (text: string) => void,
): Promise<void> {
  const { iterations, scenarios, rounds } = quick ? QUICK : LONG;
  const folder = mkdtempSync(join(tmpdir(), "cobre-bench-simulation-"));
  try {
    const trained = join(folder, "trained");
    const only = ["--iterations", String(iterations), "--set", "simulation.enabled=false"];
    await cobre("run", CASE, "-o", trained, ...only);
    const made: Times[] = [];
    for (let round = 0; round < rounds; round++) {
      const output = join(folder, `simulated-${round}`);
      const how = ["--policy", trained, "-o", output, "--scenarios", String(scenarios)];
      await cobre("simulate", CASE, ...how);
      made.push(await timesOf(await openRun(output)));
    }
    say(
      `\nsimulating and writing ${scenarios} scenarios of four regions, one process, highs-wasm; medians of ${rounds} rounds`,
    );
    const ms = (of: (times: Times) => number) => `${median(made.map(of)).toFixed(0)} ms`;
    const ratio = median(made.map(({ totalMs, solvingMs }) => totalMs / solvingMs));
    const rows = [
      ["total", "solving", "total / solving"],
      [ms(({ totalMs }) => totalMs), ms(({ solvingMs }) => solvingMs), ratio.toFixed(2)],
    ];
    say(alignColumns(rows));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function cobre(...words: string[]): Promise<void> {
  await runProgram(process.execPath, [COBRE, ...words, "--quiet"], { timeoutSecs: 600 });
}

async function timesOf({ simulation }: Run): Promise<Times> {
  if (simulation === undefined) throw new Error("nothing was simulated");
  const { columns } = await simulation.solver();
  const solvingMs = columns.solve_time_ms.reduce((sum, ms) => sum + ms, 0);
  return { totalMs: 1000 * simulation.metadata.seconds, solvingMs };
}
