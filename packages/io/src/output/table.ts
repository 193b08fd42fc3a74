import { readFile } from "node:fs/promises";
import { parquetReadObjects, type SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { writeAtomically } from "./atomic.js";
import type { ColumnType, OutputColumn } from "./column.js";
import { OutputError } from "./output-error.js";

/** How Parquet stores each type. */
const STORED: Readonly<Record<ColumnType, Pick<SchemaElement, "type" | "converted_type">>> = {
  INT8: { type: "INT32", converted_type: "INT_8" },
  INT32: { type: "INT32" },
  UINT32: { type: "INT32", converted_type: "UINT_32" },
  INT64: { type: "INT64" },
  DOUBLE: { type: "DOUBLE" },
  BOOLEAN: { type: "BOOLEAN" },
  STRING: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** Writes a table as Parquet, atomically. */
export function writeTable(path: string, columns: readonly OutputColumn[]): void {
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(
      ({ name, type, isNullable = false }): SchemaElement => ({
        name,
        ...STORED[type],
        repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
      }),
    ),
  ];
  const columnData = columns.map((column) => ({ name: column.name, data: storedValues(column) }));
  writeAtomically(path, new Uint8Array(parquetWriteBuffer({ columnData, schema })));
}

function storedValues({ type, data }: OutputColumn): (number | bigint | boolean | string | null)[] {
  switch (type) {
    case "INT64":
      return data.map((value) => (value === null ? null : BigInt(Math.round(value))));
    case "BOOLEAN":
      return data.map((value) => (value === null ? null : value !== 0));
    default:
      return [...data];
  }
}

/** A cell of a table of results, as it is read back; a boolean as 0 or 1. */
export type OutputCell = number | string | null;

/** Reads back a table of results: its rows, with null where there is no value. */
export async function readOutputTable(
  path: string,
): Promise<readonly Readonly<Record<string, OutputCell>>[]> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(path);
    const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OutputError(
      "InvalidOutput",
      path,
      `${path} is not a table that can be read: ${reason}; run the case again`,
      cause,
    );
  }
}

function cellOf(value: unknown): OutputCell {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : Number(value);
}
