/** What text is printed on: its width, and whether it has colours. */
export interface Page {
  readonly width: number;
  readonly hasColors: boolean;
}

/** The width of text that no terminal shows. */
const PLAIN_WIDTH = 100;
/** Longer lines are hard to read, shorter ones hold no table. */
const WIDTHS = { min: 40, max: 120 };

/** The page that standard output is. Colours as Node.js decides: on a terminal, unless NO_COLOR is set. */
export function pageOf(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}): Page {
  const width = stream.isTTY ? (stream.columns ?? PLAIN_WIDTH) : PLAIN_WIDTH;
  return {
    width: Math.min(WIDTHS.max, Math.max(WIDTHS.min, width)),
    hasColors: stream.isTTY === true && (stream.hasColors?.() ?? false),
  };
}

const STYLES = { bold: 1, dim: 2, red: 31, yellow: 33, blue: 34, green: 32 } as const;
export type Style = keyof typeof STYLES;

/** Text in a style, if the page has colours. Nothing is told by a style alone. */
export function styled(page: Page, style: Style, text: string): string {
  return page.hasColors && text !== "" ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** A space, but not between a number and its unit. */
const BREAK = / (?!%|[kMGTPE]?(?:\$|Wh))/;

/** Breaks a text at spaces into lines that fit beside an indent. The first line begins with `first`, the others with spaces. */
export function wrapped(page: Page, text: string, first = ""): string[] {
  const room = Math.max(20, page.width - first.length);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(BREAK)) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((one, i) => `${i === 0 ? first : " ".repeat(first.length)}${one}`);
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of blocks for a part between 0 and 1, exact to an eighth of a character. */
export function bar(part: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, part)) * width * 8);
  const text = "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  return text === "" && part > 0 ? "▏" : text;
}

/** A column of a table. If not all fit, those that can be spared are left out, then others that are not needed; the last first. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isLeft?: boolean;
  readonly need?: "needed" | "spare";
  /** The style of the cells. */
  readonly style?: Style;
}

/** A table of aligned columns that is not wider than the page. */
export function table(page: Page, columns: readonly Column[]): string[] {
  const width = ({ title, cells }: Column) =>
    Math.max(title.length, ...cells.map((cell) => cell.length));
  const total = (some: readonly Column[]) =>
    some.reduce((sum, column) => sum + 2 + width(column), 0);
  const shown = [...columns];
  while (total(shown) > page.width) {
    const spare = shown.findLastIndex(({ need }) => need === "spare");
    const other = shown.findLastIndex(({ need }) => need === undefined);
    if (spare < 0 && other < 0) break;
    shown.splice(spare < 0 ? other : spare, 1);
  }
  const rows = Math.max(0, ...shown.map(({ cells }) => cells.length));
  const padded = (column: Column, text: string) =>
    column.isLeft ? text.padEnd(width(column)) : text.padStart(width(column));
  const line = (cell: (column: Column) => string) =>
    shown
      .map((column) => `  ${cell(column)}`)
      .join("")
      .trimEnd();
  const hasTitles = shown.some(({ title }) => title !== "");
  return [
    ...(hasTitles ? [line((column) => styled(page, "dim", padded(column, column.title)))] : []),
    ...Array.from({ length: rows }, (_, row) =>
      line((column) => {
        const text = padded(column, column.cells[row] ?? "");
        return column.style === undefined ? text : styled(page, column.style, text);
      }),
    ),
  ];
}
