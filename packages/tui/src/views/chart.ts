import type { Area, Line, Span, Style } from "../text/styled.js";
import { span } from "../text/styled.js";

/** A line that goes in steps, and points beside it, by iteration. */
export interface ChartData {
  readonly first: number;
  readonly line: readonly number[];
  readonly points: readonly number[];
  /** The index of the iteration that is marked below the axis. */
  readonly marked: number | undefined;
  /** How the axis tells a value. */
  readonly label: (value: number) => string;
}

/** The part of the points that the axis covers. A few high ones would flatten the line; they are marked at its edge. */
const COVERED = { from: 0.05, to: 0.75 };
/** What the line was at the very first says little and would flatten the rest. */
const LEAD_IN = 0.1;

interface Cell {
  readonly mark: string;
  readonly style: Style | undefined;
}

/** A chart in characters. */
export function chart(data: ChartData, { columns, rows }: Area): Line[] {
  const count = data.line.length;
  const height = Math.max(2, rows - 1);
  const { low, high } = rangeOf(data);
  const valueAt = (row: number) => high - ((high - low) * row) / (height - 1);
  const isLabelled = (row: number) =>
    row % 2 === 0 || height < 6 ? row < height : row === height - 1;
  const axis = Array.from({ length: height }, (_, row) =>
    isLabelled(row) ? data.label(valueAt(row)) : "",
  );
  const margin = Math.max(...axis.map((label) => label.length));
  const width = Math.max(8, columns - margin - 2);
  const rowOf = (value: number) => Math.round(((high - value) / (high - low)) * (height - 1));
  const columnOf = (index: number) =>
    Math.min(width - 1, Math.floor(((index + 0.5) * width) / Math.max(count, 1)));
  const grid = Array.from({ length: height }, () => Array<Cell | undefined>(width));
  const put = (row: number, column: number, mark: string, style?: Style) => {
    const cells = grid[row];
    if (cells !== undefined) cells[column] = { mark, style };
  };
  drawLine(data, { width, height, rowOf }, put);
  data.points.forEach((value, index) => {
    const column = columnOf(index);
    const row = rowOf(value);
    if (row < 0) put(0, column, "^", "yellow");
    else if (row >= height) put(height - 1, column, "v", "yellow");
    else if (grid[row]?.[column] === undefined) put(row, column, "•", "yellow"); // the line goes first
  });
  const marked = data.marked === undefined ? undefined : columnOf(data.marked);
  return [
    ...grid.map((cells, row): Line => {
      const label = `${(axis[row] ?? "").padStart(margin)} ┤`;
      return [span(label, "dim"), ...spansOf(cells, width)];
    }),
    footOf(data, marked, margin, width),
  ];
}

function drawLine(
  { line }: ChartData,
  { width, height, rowOf }: { width: number; height: number; rowOf: (value: number) => number },
  put: (row: number, column: number, mark: string, style?: Style) => void,
): void {
  const count = line.length;
  let before: number | undefined;
  for (let column = 0; column < width && count > 0; column++) {
    // The last iteration that the column stands for.
    const index = Math.min(count - 1, Math.floor(((column + 1) * count) / width - 1e-9));
    const row = rowOf(line[Math.max(0, index)] as number);
    const isShown = row >= 0 && row < height;
    if (isShown && before !== undefined && before !== row) {
      const [at, from] = row < before ? ["╭", "╯"] : ["╰", "╮"];
      for (let r = Math.min(row, before) + 1; r < Math.max(row, before); r++)
        put(r, column, "│", "blue");
      put(row, column, at as string, "blue");
      put(before, column, from as string, "blue");
    } else if (isShown) put(row, column, "─", "blue");
    before = isShown ? row : row >= height ? height : undefined;
  }
}

/** The cells of a row; neighbours of one style become one span. */
function spansOf(cells: readonly (Cell | undefined)[], width: number): Span[] {
  const spans: { text: string; style: Style | undefined }[] = [];
  for (let column = 0; column < width; column++) {
    const { mark, style } = cells[column] ?? { mark: " ", style: undefined };
    const last = spans.at(-1);
    if (last !== undefined && last.style === style) last.text += mark;
    else spans.push({ text: mark, style });
  }
  return spans;
}

/** The first and the last iteration, and a mark below the one that is looked at. */
function footOf(
  { first, line }: ChartData,
  marked: number | undefined,
  margin: number,
  width: number,
): Line {
  const [start, end] = [String(first), String(first + line.length - 1)];
  const foot = Array<string>(width).fill(" ");
  [...start].forEach((character, i) => {
    foot[i] = character;
  });
  if (line.length > 1)
    [...end].forEach((character, i) => {
      foot[width - end.length + i] = character;
    });
  if (marked !== undefined) foot[marked] = "▲";
  return [span(`${" ".repeat(margin + 2)}${foot.join("")}`.trimEnd(), "dim")];
}

function rangeOf({ line, points }: ChartData): { low: number; high: number } {
  const sorted = [...points].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  const shown = line.slice(Math.floor(line.length * LEAD_IN));
  const low = shown.reduce((least, value) => Math.min(least, value), at(COVERED.from));
  const high = shown.reduce((most, value) => Math.max(most, value), at(COVERED.to));
  return high > low ? { low, high } : { low: low - 1, high: high + 1 };
}
