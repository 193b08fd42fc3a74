import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { IssueCollector } from "@cobre/core";
import { decompress as unzstd } from "fzstd";
import {
  type Compressors,
  type DecodedArray,
  parquetMetadata,
  parquetRead,
  parquetSchema,
} from "hyparquet";
import { nearest } from "../json/nearest.js";
import { isMissing, reasonOf } from "../json/read-json.js";
import { type Columns, parseCsv } from "./csv.js";

/** What a column holds. Every column has numbers. */
export interface ColumnRule {
  readonly isInteger?: boolean;
  /** Whether the column may be absent, or empty in some rows. */
  readonly isOptional?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** The columns of a table by name. A value that is not given is NaN; a NaN that was written is an error. */
export interface Table<C extends string> {
  readonly rows: number;
  readonly columns: Readonly<Record<C, Float64Array>>;
}

/** Snappy is built in; LZ4 and LZO are refused by name. */
const COMPRESSORS: Compressors = {
  ZSTD: (input, length) => unzstd(input, new Uint8Array(length)),
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
};

/** So many faults of a column are told one by one. */
const FAULTS_TOLD = 5;

/**
 * Reads a table of the case. A file that may be absent gives `undefined` then; every other fault is reported.
 *
 * @param key columns that together name a row: no two rows may have the same; none: rows are not compared
 */
export async function readTable<C extends string>(
  directory: string,
  file: string,
  rules: Readonly<Record<C, ColumnRule>>,
  key: readonly NoInfer<C>[],
  issues: IssueCollector,
  isOptional = true,
): Promise<Table<C> | undefined> {
  const found = await readColumns(directory, file, issues, isOptional);
  if (found === undefined) return undefined;
  const names = Object.keys(rules) as C[];
  const columns = {} as Record<C, Float64Array>;
  for (const name of names) {
    const data = found.columns.get(name);
    if (data !== undefined) {
      columns[name] = numbersOf(file, name, data, rules[name], issues);
      continue;
    }
    columns[name] = new Float64Array(found.rows).fill(Number.NaN);
    if (rules[name].isOptional === true) continue;
    const like = nearest(name, [...found.columns.keys()]);
    const remedy = like === undefined ? "the table needs it" : `is it the one named "${like}"?`;
    issues.error("schema", { file, field: name }, "this column is missing", remedy);
  }
  for (const name of found.columns.keys()) {
    if (names.some((known) => known === name)) continue;
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
  directory: string,
  file: string,
  issues: IssueCollector,
  isOptional: boolean,
): Promise<Columns | undefined> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(join(directory, file));
    if (byteLength === 0) {
      issues.error("schema", { file }, "is empty", "it must be a Parquet file");
      return undefined;
    }
    return await parseParquet(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
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
  // What can be written by hand: the same columns as text.
  const text = file.replace(/\.parquet$/, ".csv");
  try {
    return parseCsv(await readFile(join(directory, text), "utf8"), text, issues);
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

async function parseParquet(bytes: ArrayBuffer): Promise<Columns> {
  const metadata = parquetMetadata(bytes);
  const rows = Number(metadata.num_rows);
  const columns = new Map<string, unknown[]>();
  for (const { element } of parquetSchema(metadata).children) {
    columns.set(element.name, new Array<unknown>(rows));
  }
  const onChunk = ({
    columnName,
    columnData,
    rowStart,
  }: {
    columnName: string;
    columnData: DecodedArray;
    rowStart: number;
  }) => {
    const column = columns.get(columnName);
    if (column === undefined) return;
    for (let i = 0; i < columnData.length; i++) column[rowStart + i] = columnData[i];
  };
  if (rows > 0) await parquetRead({ file: bytes, metadata, compressors: COMPRESSORS, onChunk });
  return { rows, columns };
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
    const number = typeof value === "bigint" ? Number(value) : value;
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
      "see the first ones",
    );
  }
  return numbers;
}

function faultOf(value: unknown, { isInteger = false, min, max }: ColumnRule): string | undefined {
  if (typeof value !== "number") return "must be a number";
  if (!Number.isFinite(value)) return "must be a finite number";
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
      `${name} is given a second time, first in row ${first + 1}`,
      "give it once",
    );
  }
  if (faults > FAULTS_TOLD) {
    issues.error(
      "schema",
      { file },
      `${faults - FAULTS_TOLD} more rows are given twice`,
      "see the first ones",
    );
  }
}
