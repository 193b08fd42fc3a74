import { columnsOf, type Line, type Span, type Style, span } from "./styled.js";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly isLeft?: boolean;
  /** Columns with higher numbers are left out first where there is no room; 0 stays. Default: 0. */
  readonly spare?: number;
  readonly style?: Style;
}

/** Which rows are shown. */
export interface Shown {
  /** The index of the row that is marked, if one is. */
  readonly marked?: number | undefined;
  /** How many lines there are, the title included. */
  readonly rows: number;
  readonly columns: number;
}

/** The first row to show, so that the marked one can be seen; without one, the last rows. */
export function firstShown(count: number, room: number, marked: number | undefined): number {
  const last = Math.max(0, count - room);
  if (marked === undefined) return last;
  return Math.min(last, Math.max(0, marked - Math.floor(room / 2)));
}

/** A table of aligned columns. The marked row has a `▸`, so that it is seen without colours, too. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { marked, rows: lines, columns: width }: Shown,
): Line[] {
  const first = firstShown(rows.length, lines - 1, marked);
  const shown = rows.slice(first, first + Math.max(0, lines - 1));
  const cells = columns.map(({ cell }) => shown.map(cell));
  const widths = columns.map(({ title }, i) =>
    Math.max(columnsOf(title), ...(cells[i] ?? []).map(columnsOf)),
  );
  const kept = chosen(columns, widths, width - 2);
  const padded = (i: number, text: string): string => {
    const gap = " ".repeat(Math.max(0, (widths[i] ?? 0) - columnsOf(text)));
    return columns[i]?.isLeft ? text + gap : gap + text;
  };
  const titles = kept.map((i) => padded(i, columns[i]?.title ?? "")).join("  ");
  return [
    [span(`  ${titles}`.trimEnd(), "dim")],
    ...shown.map((_, row): Line => {
      const isMarked = first + row === marked;
      const spans = kept.flatMap((i, place): Span[] => [
        span(place === 0 ? "" : "  "),
        span(padded(i, cells[i]?.[row] ?? ""), isMarked ? "bold" : columns[i]?.style),
      ]);
      return [span(isMarked ? "▸ " : "  ", "bold"), ...spans];
    }),
  ];
}

/** The indices of the columns that fit. */
function chosen<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  room: number,
): number[] {
  const kept = columns.map((_, i) => i);
  const total = () => kept.reduce((sum, i) => sum + (widths[i] ?? 0) + 2, -2);
  const spareOf = (i: number) => columns[i]?.spare ?? 0;
  while (total() > room) {
    const worst = Math.max(...kept.map(spareOf));
    if (worst === 0) break;
    kept.splice(
      kept.findLastIndex((i) => spareOf(i) === worst),
      1,
    );
  }
  return kept;
}
