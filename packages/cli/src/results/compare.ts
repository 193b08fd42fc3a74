import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import {
  OUTPUT_FILES,
  type OutputCell,
  OutputDirectory,
  OutputError,
  readOutputTable,
} from "@cobre/io";
import { decodePolicy, type Policy } from "@cobre/sddp";

/** Times differ from run to run; they are no results. */
const TIMES = /^time_/;
/** Nor is what the solver did: it has times, and a run that was resumed knows only its own part. */
const NO_RESULTS = ["solver"];

/** The first difference between two outputs, or `undefined` if every value has the same bits. */
export async function firstDifference(a: string, b: string): Promise<string | undefined> {
  for (const directory of [a, b]) {
    new OutputDirectory(directory).readJson(OUTPUT_FILES.trainingMetadata);
  }
  return (
    (await differenceOfTables(a, b, OUTPUT_FILES.convergence)) ??
    differenceOfPolicies(a, b) ??
    (await differenceOfSimulations(a, b))
  );
}

async function differenceOfTables(a: string, b: string, file: string): Promise<string | undefined> {
  const [left, right] = [
    await readOutputTable(join(a, file)),
    await readOutputTable(join(b, file)),
  ];
  for (let row = 0; row < Math.min(left.length, right.length); row++) {
    const names = new Set([...Object.keys(left[row]), ...Object.keys(right[row])]);
    for (const name of names) {
      const [x, y] = [left[row][name], right[row][name]];
      if (TIMES.test(name) || Object.is(x, y)) continue;
      return `${file}, row ${row + 1}, ${name}: ${told(x)} and ${told(y)}`;
    }
  }
  if (left.length === right.length) return undefined;
  return `${file}: ${left.length} and ${right.length} rows`;
}

function differenceOfPolicies(a: string, b: string): string | undefined {
  const files = [join(a, OUTPUT_FILES.policy), join(b, OUTPUT_FILES.policy)];
  if (files.every((file) => !existsSync(file))) return undefined;
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) return `${missing} is not there`;
  const [left, right] = files.map((file) => decodePolicy(readFileSync(file), file)) as [
    Policy,
    Policy,
  ];
  if (left.pools.length !== right.pools.length) {
    return `policy: ${left.pools.length} and ${right.pools.length} stages`;
  }
  for (const [stage, pool] of left.pools.entries()) {
    const other = right.pools[stage];
    const where = `policy, stage ${left.origin.stageIds[stage]}`;
    if (pool.count !== other.count) return `${where}: ${pool.count} and ${other.count} cuts`;
    const [x, y] = [pool.packedValues(), other.packedValues()];
    const at = x.findIndex((value, i) => !Object.is(value, y[i]));
    if (at < 0) continue;
    const slot = Math.floor(at / (1 + pool.dimension));
    const index = at % (1 + pool.dimension);
    const what = index === 0 ? "intercept" : `coefficient ${index - 1}`;
    return `${where}, cut ${slot}, ${what}: ${told(x[at])} and ${told(y[at])}`;
  }
  const byte = left.points.bases.findIndex((state, i) => state !== right.points.bases[i]);
  if (byte < 0 && left.points.bases.length === right.points.bases.length) return undefined;
  return "policy: the bases of the last iteration differ";
}

async function differenceOfSimulations(a: string, b: string): Promise<string | undefined> {
  const [left, right] = [tablesOf(a), tablesOf(b)];
  for (const file of new Set([...left, ...right])) {
    if (!left.includes(file)) return `${join(a, file)} is not there`;
    if (!right.includes(file)) return `${join(b, file)} is not there`;
    const difference = await differenceOfTables(a, b, file);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function tablesOf(directory: string): string[] {
  const root = join(directory, OUTPUT_FILES.simulation);
  if (!existsSync(root)) return [];
  if (!existsSync(join(directory, OUTPUT_FILES.simulationSuccess))) {
    throw new OutputError(
      "InvalidOutput",
      directory,
      `${directory} has a simulation that was not finished; run it again with --resume`,
    );
  }
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".parquet") && !NO_RESULTS.includes(name.split(sep)[0] ?? ""))
    .map((name) => join(OUTPUT_FILES.simulation, name))
    .sort();
}

function told(value: OutputCell | undefined): string {
  return value === null || value === undefined ? "nothing" : String(value);
}
