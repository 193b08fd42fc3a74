/** Text with styles, as views make it. Nothing is told by a style alone: without colours the same text is shown. */
export type Style = "bold" | "dim" | "blue" | "yellow" | "red" | "green" | "inverse";

/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** A line of a screen. */
export type Line = readonly Span[];

/** What a view is drawn on. */
export interface Area {
  readonly columns: number;
  readonly rows: number;
}

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

export function line(...parts: readonly (string | Span)[]): Line {
  return parts.map((part) => (typeof part === "string" ? { text: part } : part));
}

/** Characters that take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** How many columns a text takes on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

export function lineColumns(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

export function plainText(spans: Line): string {
  return spans.map(({ text }) => text).join("");
}

/** A text that takes at most so many columns; what is cut off is marked. */
export function clipped(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let room = columns - 1;
  let kept = "";
  for (const character of text) {
    room -= columnsOf(character);
    if (room < 0) break;
    kept += character;
  }
  return columns > 0 ? `${kept}…` : "";
}

/** A line that takes at most so many columns. */
export function fitted(spans: Line, columns: number): Line {
  const kept: Span[] = [];
  let room = columns;
  for (const { text, style } of spans) {
    const part = clipped(text, room);
    if (part !== "") kept.push(span(part, style));
    room -= columnsOf(part);
    if (part !== text) break;
  }
  return kept;
}

/** A line with something at its left end and something at its right end. The right end goes first if both do not fit. */
export function spread(left: Line, right: Line, columns: number): Line {
  const room = columns - lineColumns(right);
  const start = fitted(left, Math.max(0, room - 1));
  const gap = " ".repeat(Math.max(0, room - lineColumns(start)));
  return fitted([...start, span(gap), ...right], columns);
}

/** Breaks a text at spaces into lines. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && columnsOf(longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].map((one) => clipped(one, columns));
}
