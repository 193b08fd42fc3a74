import { scaleLog } from "d3-scale";
import { px, type Size } from "./frame.js";

/** From the smallest to the largest magnitude of a kind of coefficient. */
export interface NamedRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly isUnusual: boolean;
}

/** A bar for each range, on a logarithmic axis, above the range that is usual. */
export function rangesSvg(
  size: Pick<Size, "width">,
  title: string,
  ranges: readonly NamedRange[],
  usual: { readonly min: number; readonly max: number },
): string {
  const [left, right, rowHeight] = [72, size.width - 12, 30];
  const bottom = 8 + ranges.length * rowHeight;
  const ends = [usual.min, usual.max, ...ranges.flatMap(({ min, max }) => [min, max])];
  const scale = scaleLog()
    .domain([Math.min(...ends), Math.max(...ends)])
    .nice()
    .range([left, right]);
  const [from, to] = scale.domain() as [number, number];
  const decades = Math.round(Math.log10(to / from));
  const step = Math.max(1, Math.ceil(decades / Math.max(2, Math.floor((right - left) / 60))));
  const first = Math.round(Math.log10(from));
  const ticks = Array.from({ length: Math.floor(decades / step) + 1 }, (_, i) => first + i * step);
  const parts = [
    `<rect class="usual" x="${px(scale(usual.min))}" y="4" width="${px(scale(usual.max) - scale(usual.min))}" height="${bottom - 4}"/>`,
    ...ticks.map((power) => {
      const x = px(scale(10 ** power));
      return `<path class="grid" d="M${x} 4V${bottom}"/><text class="tick x" x="${x}" y="${bottom + 16}">1e${power}</text>`;
    }),
    ...ranges.map(({ name, min, max, isUnusual }, row) => {
      const y = 8 + row * rowHeight;
      const width = Math.max(3, scale(max) - scale(min));
      return `<text class="tick y" x="${left - 8}" y="${y + 13}" dy=".32em">${name}</text><rect class="${isUnusual ? "unusual" : "range"}" x="${px(scale(min))}" y="${y + 5}" width="${px(width)}" height="16" rx="3"/>`;
    }),
  ];
  return `<svg viewBox="0 0 ${size.width} ${bottom + 24}" role="img" aria-label="${title}">${parts.join("")}</svg>`;
}
