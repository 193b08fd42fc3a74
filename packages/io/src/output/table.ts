import { readFile } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { writeAtomically } from "./atomic.js";
import { OutputError } from "./output-error.js";

/** A column of a table of results. */
export interface OutputColumn {
  readonly name: string;
  readonly type: "INT32" | "INT64" | "DOUBLE";
  readonly data: readonly (number | null)[];
  /** Whether the column may have nulls. */
  readonly isNullable?: boolean;
}

/** Writes a table as Parquet, atomically. */
export function writeTable(path: string, columns: readonly OutputColumn[]): void {
  const columnData = columns.map(({ name, type, data, isNullable = false }): ColumnSource => {
    const values =
      type === "INT64"
        ? data.map((value) => (value === null ? null : BigInt(Math.round(value))))
        : [...data];
    return { name, type, data: values, nullable: isNullable };
  });
  writeAtomically(path, new Uint8Array(parquetWriteBuffer({ columnData })));
}

/** Reads back a table of results: its rows, with null where there is no value. */
export async function readOutputTable(
  path: string,
): Promise<readonly Readonly<Record<string, number | null>>[]> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(path);
    const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value === null || value === undefined ? null : Number(value),
        ]),
      ),
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
