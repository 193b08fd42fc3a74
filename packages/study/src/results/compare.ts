import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type NumberTableSpec,
  OUTPUT_FILES,
  type OutputCell,
  readOutputTable,
  scenarioFolder,
} from "@cobre/io";
import { decodePolicy, type Policy } from "@cobre/sddp";
import { differenceOfPolicies } from "./compare-policies.js";
import { type Judge, LargestDifference, type NumberDifference, sameBits } from "./judge.js";
import { openRun } from "./run.js";
import { RunError } from "./run-error.js";
import { RunFiles } from "./run-files.js";
import { ScenarioTables } from "./scenario-tables.js";
import { SIMULATION_TABLES, type SimulationTable } from "./simulation-run.js";

/** Times differ from run to run, so they do not count as results. */
const TIMES = /^time_/;

/** What the comparison of two runs came to. */
export interface RunComparison {
  /** Whether every value has the same bits, or with a tolerance: whether no number differs by more. */
  readonly isSame: boolean;
  /** The relative tolerance; `null` if bits were compared. */
  readonly tolerance: number | null;
  /** The first difference; with a tolerance only one that no tolerance covers, such as a missing table. */
  readonly difference: string | null;
  /** With a tolerance: the numbers that differ most. `null` if none differ, or if runs could not be compared to their end. */
  readonly largest: NumberDifference | null;
}

/**
 * Compares the results of two runs: bit for bit, or with a relative tolerance. Bases of linear programs are only compared bit for bit.
 *
 * @example
 * ```ts
 * const { isSame, largest } = await compareRuns("before", "after", 1e-9);
 * if (!isSame) console.log(largest?.place, largest?.relative);
 * ```
 */
export async function compareRuns(
  a: string,
  b: string,
  tolerance?: number,
): Promise<RunComparison> {
  if (tolerance === undefined) {
    const difference = (await firstDifference(a, b)) ?? null;
    return { isSame: difference === null, tolerance: null, difference, largest: null };
  }
  const found = new LargestDifference();
  const difference = (await differenceOf(a, b, found.judge)) ?? null;
  if (difference !== null) return { isSame: false, tolerance, difference, largest: null };
  const { largest } = found;
  return { isSame: (largest?.relative ?? 0) <= tolerance, tolerance, difference, largest };
}

/** The first difference between two outputs, or `undefined` if every value has the same bits. */
export async function firstDifference(a: string, b: string): Promise<string | undefined> {
  return await differenceOf(a, b, sameBits);
}

async function differenceOf(a: string, b: string, judge: Judge): Promise<string | undefined> {
  const inTraining = async () =>
    (await differenceOfTables(a, b, OUTPUT_FILES.convergence, judge)) ??
    differenceOfFiles(a, b, judge);
  const difference = (await haveTrained(a, b)) ? await inTraining() : undefined;
  return difference ?? (await differenceOfSimulations(a, b, judge));
}

/** Whether there is training to compare. Two simulations can be compared alone, but not one of them with a run that has trained. */
async function haveTrained(a: string, b: string): Promise<boolean> {
  const [left, right] = [await openRun(a), await openRun(b)];
  if ((left.training === undefined) === (right.training === undefined))
    return left.training !== undefined;
  const untrained = left.training === undefined ? a : b;
  throw new RunError(
    "Missing",
    untrained,
    `${untrained} has only a simulation; compare it with another simulation, or give two runs that have trained`,
  );
}

async function differenceOfTables(
  a: string,
  b: string,
  file: string,
  judge: Judge,
): Promise<string | undefined> {
  const [left, right] = [
    await readOutputTable(join(a, file)),
    await readOutputTable(join(b, file)),
  ];
  for (const [row, values] of left.entries()) {
    const others = right[row];
    if (others === undefined) break; // told below
    const names = new Set([...Object.keys(values), ...Object.keys(others)]);
    for (const name of names) {
      const [x, y] = [values[name], others[name]];
      const place = () => `${file}, row ${row + 1}, ${name}`;
      if (TIMES.test(name) || judge(x, y, place)) continue;
      return `${place()}: ${told(x)} and ${told(y)}`;
    }
  }
  if (left.length === right.length) return undefined;
  return `${file}: ${left.length} and ${right.length} rows`;
}

function differenceOfFiles(a: string, b: string, judge: Judge): string | undefined {
  const files = [join(a, OUTPUT_FILES.policy), join(b, OUTPUT_FILES.policy)];
  if (files.every((file) => !existsSync(file))) return undefined;
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) return `${missing} does not exist`;
  const [left, right] = files.map((file) => decodePolicy(readFileSync(file), file)) as [
    Policy,
    Policy,
  ];
  return differenceOfPolicies(left, right, judge);
}

/** Scenario by scenario: neither the layout of the files nor the number of ranks matters. */
async function differenceOfSimulations(
  a: string,
  b: string,
  judge: Judge,
): Promise<string | undefined> {
  const [left, right] = [scenarioTables(a), scenarioTables(b)];
  for (const table of Object.keys(SIMULATION_TABLES) as SimulationTable[]) {
    const [ours, others] = [new Set(left.scenarios(table)), new Set(right.scenarios(table))];
    for (const scenario of [...new Set([...ours, ...others])].sort((x, y) => x - y)) {
      const poorer = !ours.has(scenario) ? a : !others.has(scenario) ? b : undefined;
      if (poorer !== undefined) {
        return `${join(poorer, scenarioFolder(table))} has no scenario ${scenario}`;
      }
      const difference = await differenceOfScenarios(left, right, table, scenario, judge);
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
}

function scenarioTables(directory: string): ScenarioTables {
  const hasSimulation = existsSync(join(directory, OUTPUT_FILES.simulation));
  if (hasSimulation && !existsSync(join(directory, OUTPUT_FILES.simulationSuccess))) {
    throw new RunError(
      "Unfinished",
      directory,
      `${directory} has an unfinished simulation; run it again with --resume`,
    );
  }
  return new ScenarioTables(new RunFiles(directory));
}

async function differenceOfScenarios(
  a: ScenarioTables,
  b: ScenarioTables,
  table: SimulationTable,
  scenario: number,
  judge: Judge,
): Promise<string | undefined> {
  const spec: NumberTableSpec = SIMULATION_TABLES[table];
  const names = Object.keys(spec);
  const left = await a.read(table, scenario, spec, names);
  const right = await b.read(table, scenario, spec, names);
  const where = `${scenarioFolder(table)}, scenario ${scenario}`;
  for (let row = 0; row < Math.min(left.rows, right.rows); row++) {
    for (const name of names) {
      const [x, y] = [cellOf(left.columns[name]?.[row]), cellOf(right.columns[name]?.[row])];
      const place = () => `${where}, row ${row + 1}, ${name}`;
      if (judge(x, y, place)) continue;
      return `${place()}: ${told(x)} and ${told(y)}`;
    }
  }
  if (left.rows === right.rows) return undefined;
  return `${where}: ${left.rows} and ${right.rows} rows`;
}

/** A missing number is NaN in a column. */
function cellOf(value: number | undefined): OutputCell {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function told(value: OutputCell | undefined): string {
  return value === null || value === undefined ? "nothing" : String(value);
}
