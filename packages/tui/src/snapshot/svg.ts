import { columnsOf, type Line, type Style } from "../text/styled.js";

const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;
/** Of a line of text, from its top. */
const BASELINE = 13;
/** Characters that draw. */
const DRAWN = /[─│┌┐└┘╭╮╰╯┤█▉▊▋▌▍▎▏▕]/;

/** Colours on a dark ground, as most terminals have it; told apart without red and green, too. */
const PAINT: Record<Style, string> = {
  bold: 'fill="#fff" font-weight="bold"',
  dim: 'fill="#8b949e"',
  blue: 'fill="#79c0ff"',
  yellow: 'fill="#e3b341"',
  red: 'fill="#ff7b72"',
  green: 'fill="#56d364"',
  inverse: 'fill="#0d1117" font-weight="bold"',
};

/** The lines of a screen as a picture. */
export function svgOf(lines: readonly Line[], columns: number): string {
  return pictureOf(elementsOf(lines), lines.length, columns);
}

/** Several screens of one size as a picture that shows one after the other; only the last one to people who want no motion. */
export function animatedSvgOf(
  screens: readonly (readonly Line[])[],
  columns: number,
  secondsEach: number,
): string {
  const all = screens.length * secondsEach;
  const part = (100 / screens.length).toFixed(3);
  const style = [
    `.f{visibility:hidden;animation:f ${all}s step-end infinite}`,
    `@keyframes f{0%{visibility:visible}${part}%{visibility:hidden}}`,
    "@media(prefers-reduced-motion:reduce){.f{animation:none}.f:last-child{visibility:visible}}",
  ].join("");
  const frames = screens.flatMap((lines, i) => [
    `<g class="f" style="animation-delay:${i * secondsEach}s">`,
    ...elementsOf(lines),
    "</g>",
  ]);
  return pictureOf([`<style>${style}</style>`, ...frames], screens[0]?.length ?? 0, columns);
}

function elementsOf(lines: readonly Line[]): string[] {
  return lines.flatMap((spans, row) => {
    const y = MARGIN + row * CELL.height;
    let column = 0;
    return spans.flatMap(({ text, style }) => {
      const start = column;
      column += columnsOf(text);
      const ground = style === "inverse" && text.trim() !== "" ? [groundOf(start, text, y)] : [];
      return [...ground, ...wordsOf(text, start).map((word) => textElement(word, y, style))];
    });
  });
}

interface Word {
  readonly text: string;
  readonly column: number;
}

/** The parts of a text between wide gaps, each in its place: readers of SVG differ in what they make of many spaces. */
function wordsOf(text: string, start: number): Word[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: word, index }) => {
    return { text: word, column: start + columnsOf(text.slice(0, index)) };
  });
}

function textElement({ text, column }: Word, y: number, style: Style | undefined): string {
  const paint = style === undefined ? "" : ` ${PAINT[style]}`;
  // Blocks and lines must touch each other in any font.
  const stretch = DRAWN.test(text) ? ' lengthAdjust="spacingAndGlyphs"' : "";
  return `<text ${placeOf(column, text)} y="${y + BASELINE}"${stretch}${paint}>${escaped(text)}</text>`;
}

function groundOf(column: number, text: string, y: number): string {
  const [x, width] = [MARGIN + column * CELL.width, columnsOf(text) * CELL.width];
  return `<rect x="${tidy(x)}" y="${y}" width="${tidy(width)}" height="${CELL.height}" fill="#79c0ff"/>`;
}

/** The length is given, because fonts differ and columns must stay aligned. */
function placeOf(column: number, text: string): string {
  const [x, length] = [MARGIN + column * CELL.width, columnsOf(text) * CELL.width];
  return `x="${tidy(x)}" textLength="${tidy(length)}"`;
}

function pictureOf(body: readonly string[], rows: number, columns: number): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = rows * CELL.height + 2 * MARGIN;
  const font = 'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>The dashboard of a run in a terminal</title>",
    `<rect width="100%" height="100%" rx="6" fill="#0d1117"/>`,
    `<g ${font} font-size="14" fill="#c9d1d9">`,
    ...body,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function tidy(value: number): string {
  return String(Number(value.toFixed(1)));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
