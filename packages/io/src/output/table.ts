import { readFile } from "node:fs/promises";
import type { SchemaElement } from "hyparquet";
import type { ColumnSource } from "hyparquet-writer";
import type { Columns } from "../parquet/csv.js";
import { ParquetDamage } from "../parquet/damage.js";
import { decodeTable } from "../parquet/decode-table.js";
import { encodeTable } from "../parquet/seal.js";
import type { TableCodec } from "../parquet/table-codec.js";
import { writeAtomically } from "./atomic.js";
import type { ColumnSpec, ColumnType, OutputColumn, TableSpec } from "./column.js";
import { OutputError } from "./output-error.js";

/** How Parquet stores each type. */
const STORED: Readonly<Record<ColumnType, Pick<SchemaElement, "type" | "converted_type">>> = {
  INT8: { type: "INT32", converted_type: "INT_8" },
  INT32: { type: "INT32" },
  UINT32: { type: "INT32", converted_type: "UINT_32" },
  INT64: { type: "INT64" },
  DOUBLE: { type: "DOUBLE" },
  DATE: { type: "INT32", converted_type: "DATE" },
  BOOLEAN: { type: "BOOLEAN" },
  STRING: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** The schema of a Parquet file with these columns. */
export function schemaOf(
  columns: readonly Pick<OutputColumn, "name" | "type" | "isNullable">[],
): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(
      ({ name, type, isNullable = false }): SchemaElement => ({
        name,
        ...STORED[type],
        repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
      }),
    ),
  ];
}

/** Writes a table as Parquet, atomically, with checksums. */
export function writeTable(
  path: string,
  columns: readonly OutputColumn[],
  codec?: TableCodec,
): void {
  const columnData = columns.map((column): ColumnSource => {
    const { name, type, data } = column;
    const source = { name, data: storedValues(column) };
    // A dictionary would take -0 and 0 for the same value.
    return type === "DOUBLE" && hasBothZeros(data) ? { ...source, encoding: "PLAIN" } : source;
  });
  writeAtomically(path, encodeTable(schemaOf(columns), columnData, codec));
}

type StoredValue = number | bigint | boolean | string | null;

function storedValues({ type, data, isNullable }: OutputColumn): StoredValue[] {
  const cells: readonly (number | string | null)[] =
    data instanceof Float64Array ? cellsOf(data, isNullable === true) : data;
  switch (type) {
    case "INT64":
      return cells.map((value) => (value === null ? null : BigInt(Math.round(Number(value)))));
    case "BOOLEAN":
      return cells.map((value) => (value === null ? null : value !== 0));
    default:
      return [...cells];
  }
}

function cellsOf(data: Float64Array, isNullable: boolean): (number | null)[] {
  return isNullable
    ? Array.from(data, (value) => (Number.isNaN(value) ? null : value))
    : Array.from(data);
}

function hasBothZeros(data: OutputColumn["data"]): boolean {
  let [hasPlus, hasMinus] = [false, false];
  for (const value of data) {
    if (value !== 0) continue;
    if (Object.is(value, 0)) hasPlus = true;
    else hasMinus = true;
  }
  return hasPlus && hasMinus;
}

/** A cell of a table of results. Booleans are read as 0 or 1. */
export type OutputCell = number | string | null;

/**
 * Reads the rows of a table of results, with null for missing values.
 *
 * @throws {@link OutputError} if the file is damaged
 */
export async function readOutputTable(
  path: string,
): Promise<readonly Readonly<Record<string, OutputCell>>[]> {
  const { rows, columns } = await decodeFile(path);
  const entries = [...columns];
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(entries.map(([name, cells]) => [name, cellOf(cells[row])])),
  );
}

/** The columns of a table of results. A missing number is NaN. */
export interface TableColumns<S extends TableSpec, K extends keyof S = keyof S> {
  readonly rows: number;
  readonly columns: {
    readonly [N in K]: S[N] extends ColumnSpec<"STRING"> ? readonly string[] : Float64Array;
  };
}

/**
 * Reads columns of a table of results. Other columns that the file has are left out.
 *
 * @throws {@link OutputError} if the file is damaged or lacks a column
 * @example
 * ```ts
 * const { columns } = await readOutputColumns(path, CONVERGENCE, ["iteration", "lower_bound"]);
 * ```
 */
export async function readOutputColumns<S extends TableSpec, K extends keyof S & string>(
  path: string,
  spec: S,
  names: readonly K[],
): Promise<TableColumns<S, K>> {
  const { rows, columns } = await decodeFile(path, names);
  // A table of an earlier version may lack a column that may be empty.
  const missing = (name: K) => (spec[name]?.isNullable ? new Array(rows).fill(null) : undefined);
  const entries = names.map((name) => {
    const cells = columns.get(name) ?? missing(name);
    if (cells === undefined) throw unreadable(path, new ParquetDamage(`it has no column ${name}`));
    return [name, spec[name]?.type === "STRING" ? cells : numbersOf(cells)];
  });
  return { rows, columns: Object.fromEntries(entries) };
}

async function decodeFile(path: string, wanted?: readonly string[]): Promise<Columns> {
  try {
    return decodeTable(await readFile(path), wanted);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** The error for a table that is damaged. */
export function unreadable(path: string, cause: unknown): OutputError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OutputError(
    "InvalidOutput",
    path,
    `${path} is not a table that can be read: ${reason}; run the case again`,
    cause,
  );
}

export function numbersOf(cells: readonly unknown[]): Float64Array {
  const numbers = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    numbers[row] = cell === null || cell === undefined ? Number.NaN : Number(cell);
  }
  return numbers;
}

function cellOf(value: unknown): OutputCell {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : Number(value);
}
