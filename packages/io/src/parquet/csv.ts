import type { IssueCollector } from "@cobre/core";

/** The columns of a file by name; a cell is a number, a string, or null. */
export interface Columns {
  readonly rows: number;
  readonly columns: Map<string, unknown[]>;
}

/**
 * Reads a CSV table: names in the first line, then numbers, separated by commas. An empty cell has no value. Anything else in a cell
 * stays a string, which the checks of the column report.
 */
export function parseCsv(text: string, file: string, issues: IssueCollector): Columns | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  if (lines.length === 0) {
    issues.error("schema", { file }, "is empty", "its first line must name the columns");
    return undefined;
  }
  const cells = lines.map((line) => line.split(",").map((cell) => cell.trim()));
  const [names, ...rows] = cells as [string[], ...string[][]];
  for (const [i, row] of rows.entries()) {
    if (row.length === names.length) continue;
    issues.error(
      "schema",
      { file, entity: `line ${i + 2}` },
      `has ${row.length} cells`,
      `must have ${names.length}, as the first line names ${names.length} columns`,
    );
    return undefined;
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    issues.error("schema", { file, field: twice }, "is the name of two columns", "rename one");
    return undefined;
  }
  return {
    rows: rows.length,
    columns: new Map(names.map((name, i) => [name, rows.map((row) => cellOf(row[i] ?? ""))])),
  };
}

function cellOf(cell: string): unknown {
  if (cell === "") return null;
  const value = Number(cell);
  return Number.isNaN(value) ? cell : value;
}
