import { type Page, styled } from "./page.js";

/** What a chart shows: a line that goes up in steps, and points beside it. */
export interface ChartData {
  /** The numbers below the chart, such as iterations. */
  readonly x: ArrayLike<number>;
  readonly line: ArrayLike<number>;
  readonly points: ArrayLike<number>;
  /** A value to compare with, as a dashed line. */
  readonly level?: number | undefined;
  readonly rows: number;
  /** How the axis tells a value. */
  readonly label: (value: number) => string;
}

/** The part of the points that the axis covers; the others are marked at its edge. A few high ones would flatten the line. */
const COVERED = { from: 0.05, to: 0.75 };
/** The line is shown from here on; what it was at the very first says little and would flatten the rest. */
const LEAD_IN = 0.1;

/** A chart in characters: the line as a step curve, the points as dots, `^` or `v` where they lie beyond the axis. */
export function chart(page: Page, data: ChartData): string[] {
  const count = data.line.length;
  if (count === 0) return [];
  const { low, high } = rangeOf(data);
  const axis = Array.from({ length: data.rows }, (_, row) =>
    data.label(high - ((high - low) * row) / Math.max(1, data.rows - 1)),
  );
  const margin = Math.max(...axis.map((label) => label.length));
  const columns = Math.max(10, Math.min(page.width - margin - 5, Math.max(count, 60)));
  const rowOf = (value: number) => Math.round(((high - value) / (high - low)) * (data.rows - 1));
  /** The last iteration that a column stands for. */
  const iterationOf = (column: number) =>
    Math.min(count - 1, Math.floor(((column + 1) * count) / columns - 1e-9));
  const grid = Array.from({ length: data.rows }, () => Array<string>(columns).fill(" "));
  const put = (row: number, column: number, mark: string) => {
    const line = grid[row];
    if (line !== undefined) line[column] = mark;
  };
  if (data.level !== undefined) grid[rowOf(data.level)]?.fill("┄");
  let before: number | undefined;
  for (let column = 0; column < columns; column++) {
    const row = rowOf(data.line[iterationOf(column)] as number);
    const isShown = row >= 0 && row < data.rows;
    if (isShown && before !== undefined && before !== row) {
      const [up, down] = row < before ? ["╭", "╯"] : ["╰", "╮"];
      for (let r = Math.min(row, before) + 1; r < Math.max(row, before); r++) put(r, column, "│");
      put(row, column, up as string);
      put(before, column, down as string);
    } else if (isShown) put(row, column, "─");
    before = isShown ? row : row >= data.rows ? data.rows : undefined;
  }
  for (let i = 0; i < count; i++) {
    const column = Math.min(columns - 1, Math.floor(((i + 0.5) * columns) / count));
    const row = rowOf(data.points[i] as number);
    if (row < 0) put(0, column, "^");
    else if (row >= data.rows) put(data.rows - 1, column, "v");
    else if (/[ ┄]/.test(grid[row]?.[column] ?? "")) put(row, column, "·"); // the line goes first
  }
  const first = String(data.x[0] ?? "");
  const last = String(data.x[count - 1] ?? "");
  const gap = " ".repeat(Math.max(1, columns - first.length - last.length));
  return [
    ...grid.map((line, row) => {
      const marks = line
        .join("")
        .trimEnd()
        .replace(/[─│╭╮╯╰]+/g, (text) => styled(page, "blue", text));
      return `  ${(axis[row] ?? "").padStart(margin)} ┤${marks}`.trimEnd();
    }),
    `  ${" ".repeat(margin)} └${"─".repeat(columns)}`,
    `  ${" ".repeat(margin)}  ${first}${gap}${last}`,
  ];
}

function rangeOf({ line, points, level }: ChartData): { low: number; high: number } {
  const sorted = Array.from(points).sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] as number;
  const shown = Array.from(line).slice(Math.floor(line.length * LEAD_IN));
  if (level !== undefined) shown.push(level);
  const low = Math.min(...shown, at(COVERED.from));
  const high = Math.max(...shown, at(COVERED.to));
  return high > low ? { low, high } : { low: low - 1, high: high + 1 };
}
