import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IssueCollector } from "@cobre/core";
import { LIMITS } from "../files/limits.js";
import { nearest } from "../json/nearest.js";
import { isMissing, reasonOf } from "../json/read-json.js";
import { type CaseDirectory, MemoryCase, pathOf } from "../memory/memory-case.js";
import { type Columns, parseCsv } from "./csv.js";
import { decodeTable } from "./decode-table.js";

/** The rules for a column. All columns hold numbers. */
export interface ColumnRule {
  readonly isInteger?: boolean;
  /** Whether it holds days: as dates, as texts like 2024-01-31, or counted from 1970-01-01. They are read as the last. */
  readonly isDay?: boolean;
  /** Whether the column may be absent, or empty in some rows. */
  readonly isOptional?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** The columns of a table by name. A missing value is NaN; a NaN in the file is an error. */
export interface Table<C extends string> {
  readonly rows: number;
  readonly columns: Readonly<Record<C, Float64Array>>;
}

/** Columns of the other version of Cobre, and what is said of each. `is` names the column that says the same here. */
export type ForeignColumns = Readonly<
  Record<string, { readonly problem: string; readonly remedy: string; readonly is?: string }>
>;

/** How many errors in a column are reported one by one. */
const FAULTS_TOLD = 5;

/**
 * Reads a table of the case. Returns `undefined` if it cannot be read; all errors are reported, except that an optional file is missing.
 *
 * @param key columns that together identify a row: no two rows may have the same values there. If empty, rows are not compared.
 * @param foreign columns of the other version of Cobre, each with the fault that it is
 */
export async function readTable<C extends string>(
  directory: CaseDirectory,
  file: string,
  rules: Readonly<Record<C, ColumnRule>>,
  key: readonly NoInfer<C>[],
  issues: IssueCollector,
  isOptional = true,
  foreign: ForeignColumns = {},
): Promise<Table<C> | undefined> {
  const names = Object.keys(rules) as C[];
  const found = await readColumns(directory, file, names, issues, isOptional);
  if (found === undefined) return undefined;
  const columns = {} as Record<C, Float64Array>;
  for (const name of names) {
    const data = found.columns.get(name);
    if (data !== undefined) {
      columns[name] = numbersOf(file, name, data, rules[name], issues);
      continue;
    }
    columns[name] = new Float64Array(found.rows).fill(Number.NaN);
    const isMisnamed = Object.entries(foreign).some(
      ([other, { is }]) => is === name && found.columns.has(other),
    );
    if (rules[name].isOptional === true || isMisnamed) continue;
    const like = nearest(name, [...found.columns.keys()]);
    const remedy = like === undefined ? "add it" : `is it the one named "${like}"?`;
    issues.error("schema", { file, field: name }, "this column is missing", remedy);
  }
  for (const name of found.columns.keys()) {
    if (names.some((known) => known === name)) continue;
    const fault = foreign[name];
    if (fault !== undefined) {
      issues.error("schema", { file, field: name }, fault.problem, fault.remedy);
      continue;
    }
    const like = nearest(
      name,
      names.filter((known) => !found.columns.has(known)),
    );
    const remedy = like === undefined ? "remove it, it has no effect" : `did you mean "${like}"?`;
    issues.warning("schema", { file, field: name }, "is not a known column", remedy);
  }
  if (key.length > 0) checkKey(file, key, columns, found.rows, issues);
  return { rows: found.rows, columns };
}

async function readColumns(
  directory: CaseDirectory,
  file: string,
  wanted: readonly string[],
  issues: IssueCollector,
  isOptional: boolean,
): Promise<Columns | undefined> {
  if (directory instanceof MemoryCase) return directory.columns(file, issues);
  const folder = pathOf(directory) ?? "";
  try {
    const bytes = await readFile(join(folder, file));
    if (bytes.length === 0) {
      issues.error("schema", { file }, "is empty", "it must be a Parquet file");
      return undefined;
    }
    return decodeTable(bytes, wanted);
  } catch (error) {
    if (!isMissing(error)) {
      issues.error(
        "schema",
        { file },
        `is not a Parquet file that can be read: ${reasonOf(error)}`,
        "write it again, uncompressed or with ZSTD, Snappy or GZIP",
      );
      return undefined;
    }
  }
  // A CSV file with the same columns can be written by hand.
  const text = file.replace(/\.parquet$/, ".csv");
  try {
    return parseCsv(await readFile(join(folder, text), "utf8"), text, issues);
  } catch (error) {
    if (!isMissing(error)) {
      issues.error(
        "schema",
        { file: text },
        `cannot be read: ${reasonOf(error)}`,
        "make it readable",
      );
    } else if (!isOptional) {
      issues.error("schema", { file }, "is missing", "every case needs this file");
    }
    return undefined;
  }
}

function numbersOf(
  file: string,
  name: string,
  data: readonly unknown[],
  rule: ColumnRule,
  issues: IssueCollector,
): Float64Array {
  const numbers = new Float64Array(data.length);
  let faults = 0;
  data.forEach((value, row) => {
    const number =
      rule.isDay === true ? dayOf(value) : typeof value === "bigint" ? Number(value) : value;
    const isAbsent = value === null || value === undefined;
    numbers[row] = typeof number === "number" && !isAbsent ? number : Number.NaN;
    const remedy = isAbsent
      ? rule.isOptional
        ? undefined
        : "must be given"
      : faultOf(number, rule);
    if (remedy === undefined) return;
    faults++;
    if (faults > FAULTS_TOLD) return;
    const shown =
      typeof value === "string" ? `the text "${value}"` : isAbsent ? "null" : String(value);
    issues.error("schema", { file, entity: `row ${row + 1}`, field: name }, `is ${shown}`, remedy);
  });
  if (faults > FAULTS_TOLD) {
    const more = faults - FAULTS_TOLD;
    issues.error(
      "schema",
      { file, field: name },
      `${more} more rows are wrong in the same column`,
      "correct them like the rows above",
    );
  }
  return numbers;
}

const MILLISECONDS_A_DAY = 86_400_000;

/** The day, counted from 1970-01-01; what is no day stays as it is. */
function dayOf(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / MILLISECONDS_A_DAY;
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  const time = Date.parse(value);
  // Date.parse takes 2024-02-31 for a day of March.
  const isThere = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  return isThere ? time / MILLISECONDS_A_DAY : value;
}

function faultOf(
  value: unknown,
  { isInteger = false, isDay = false, min, max }: ColumnRule,
): string | undefined {
  if (isDay && !(typeof value === "number" && Number.isInteger(value)))
    return "must be a day, as in 2024-01-31";
  if (typeof value !== "number") return "must be a number";
  if (!Number.isFinite(value)) return "must be a finite number";
  if (Math.abs(value) > LIMITS.magnitude) {
    return `must be between -${LIMITS.magnitude} and ${LIMITS.magnitude}`;
  }
  if (isInteger && !Number.isInteger(value)) return "must be a whole number";
  if (min !== undefined && value < min) return `must be at least ${min}`;
  if (max !== undefined && value > max) return `must be at most ${max}`;
  return undefined;
}

function checkKey<C extends string>(
  file: string,
  key: readonly C[],
  columns: Readonly<Record<C, Float64Array>>,
  rows: number,
  issues: IssueCollector,
): void {
  const seen = new Map<string, number>();
  let faults = 0;
  for (let row = 0; row < rows; row++) {
    const name = key.map((column) => `${column} ${columns[column][row]}`).join(", ");
    const first = seen.get(name);
    if (first === undefined) {
      seen.set(name, row);
      continue;
    }
    faults++;
    if (faults > FAULTS_TOLD) continue;
    issues.error(
      "schema",
      { file, entity: `row ${row + 1}` },
      `${name} is already given in row ${first + 1}`,
      "remove one of the rows",
    );
  }
  if (faults > FAULTS_TOLD) {
    issues.error(
      "schema",
      { file },
      `${faults - FAULTS_TOLD} more rows are repeated`,
      "remove them, too",
    );
  }
}
