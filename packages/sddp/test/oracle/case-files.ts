/** The files of a case directory, as JSON and as tables. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type NumberColumn, writeTable } from "@cobre/io";

export class CaseFiles {
  private readonly directory: string;
  private readonly format: "csv" | "parquet";

  constructor(directory: string, format: "csv" | "parquet") {
    this.directory = directory;
    this.format = format;
  }

  bytes(name: string, content: string | Uint8Array): void {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  json(name: string, value: unknown): void {
    this.bytes(name, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /** A table without rows is not written. Missing values are null. */
  table(name: string, rows: readonly Readonly<Record<string, number | null | undefined>>[]): void {
    if (rows.length === 0) return;
    const names = [...new Set(rows.flatMap(Object.keys))];
    if (this.format === "csv") {
      const lines = rows.map((row) => names.map((column) => row[column] ?? "").join(","));
      this.bytes(`${name}.csv`, `${[names.join(","), ...lines].join("\n")}\n`);
      return;
    }
    const columns = names.map((column): NumberColumn => {
      const data = rows.map((row) => row[column] ?? null);
      return { name: column, type: typeOf(column), data, isNullable: data.includes(null) };
    });
    const path = join(this.directory, `${name}.parquet`);
    mkdirSync(dirname(path), { recursive: true });
    writeTable(path, columns);
  }
}

function typeOf(column: string): "INT32" | "UINT32" | "DOUBLE" {
  if (column === "opening_index" || column === "entity_index") return "UINT32";
  return column.endsWith("_id") || column === "lag" ? "INT32" : "DOUBLE";
}
