import { columnsOf, type Line, type Style } from "../text/styled.js";

const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;

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
      const x = MARGIN + column * CELL.width;
      const wide = columnsOf(text) * CELL.width;
      column += columnsOf(text);
      if (text.trim() === "") return [];
      const ground =
        style === "inverse"
          ? [
              `<rect x="${tidy(x)}" y="${y}" width="${tidy(wide)}" height="${CELL.height}" fill="#79c0ff"/>`,
            ]
          : [];
      const paint = style === undefined ? "" : ` ${PAINT[style]}`;
      // The length is given, because fonts differ and columns must stay aligned.
      const place = `x="${tidy(x)}" y="${y + 13}" textLength="${tidy(wide)}"`;
      return [...ground, `<text ${place}${paint}>${escaped(text)}</text>`];
    });
  });
}

function pictureOf(body: readonly string[], rows: number, columns: number): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = rows * CELL.height + 2 * MARGIN;
  const font = 'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<rect width="100%" height="100%" rx="6" fill="#0d1117"/>`,
    `<g ${font} font-size="14" fill="#c9d1d9" xml:space="preserve">`,
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
