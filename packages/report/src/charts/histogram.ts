import type { Distribution } from "@cobre/study";
import { rounded, unitFor } from "@cobre/study/numbers";
import { scaleLinear } from "d3-scale";
import { Frame, px, type Size } from "./frame.js";

/** How often values fall into parts of equal width. */
export interface Histogram {
  readonly edges: readonly number[];
  /** Numbers of scenarios; or how likely each part is, in percent. */
  readonly counts: readonly number[];
  readonly unit: "scenarios" | "%";
}

/**
 * About √n parts at round numbers.
 *
 * @param probabilities of the values, if they are not equally likely
 */
export function histogramOf(values: Float64Array, probabilities?: Float64Array): Histogram {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const wanted = Math.min(30, Math.max(5, Math.round(1.6 * Math.sqrt(values.length))));
  const scale = scaleLinear().domain(high > low ? [low, high] : [low - 0.5, low + 0.5]);
  const ticks = scale.nice(wanted).ticks(wanted);
  const [from, to] = scale.domain() as [number, number];
  const edges = [...new Set([from, ...ticks, to])].sort((a, b) => a - b);
  const counts = edges.slice(1).map(() => 0);
  values.forEach((value, i) => {
    const place = edges.findIndex((edge) => edge > value) - 1;
    const at = place < 0 ? counts.length - 1 : place;
    const share = probabilities?.[i];
    counts[at] = (counts[at] as number) + (share === undefined ? 1 : 100 * share);
  });
  return { edges, counts, unit: probabilities === undefined ? "scenarios" : "%" };
}

/** A histogram with its mean and tails. */
export function histogramSvg(
  size: Size,
  title: string,
  { edges, counts, unit }: Histogram,
  { mean, ci95, p5, p95, cvar95 }: Distribution,
): string {
  const frame = new Frame(size, { from: 0, to: Math.max(...counts), unit });
  const [from, to] = [edges[0] as number, edges.at(-1) as number];
  const x = scaleLinear().domain([from, to]).range([frame.left, frame.right]);
  const bars = counts.map((count, i) => {
    const [left, right] = [x(edges[i] as number), x(edges[i + 1] as number)];
    const y = frame.y(count);
    return `<rect x="${px(left + 0.5)}" y="${px(y)}" width="${px(Math.max(0.5, right - left - 1))}" height="${px(frame.bottom - y)}"/>`;
  });
  const half = ci95 ?? 0;
  const marks = [
    `<rect class="interval mean" x="${px(x(mean - half))}" y="${frame.top}" width="${px(x(mean + half) - x(mean - half))}" height="${frame.bottom - frame.top}"/>`,
    ...(
      [
        [p5, "tail", "5 %", 0],
        [mean, "mean", "mean", 0],
        [p95, "tail", "95 %", 0],
        [cvar95, "tail", "worst 5 %", 1],
      ] as const
    ).map(([value, style, text, row]) => {
      const at = x(value);
      const isRight = at > frame.right - 60;
      return `<path class="at ${style}" d="M${px(at)} ${frame.top}V${frame.bottom}"/><text class="note" x="${px(at + (isRight ? -4 : 4))}" y="${frame.top + 10 + 13 * row}"${isRight ? ' text-anchor="end"' : ""}>${text}</text>`;
    }),
  ];
  const { divisor, label } = unitFor("$", Math.max(Math.abs(from), Math.abs(to)));
  const ticks = x.ticks(Math.max(3, Math.floor(frame.width / 80))).map((tick) => ({
    at: x(tick),
    label: rounded(tick / divisor, 6),
  }));
  const distance = frame.width / counts.length;
  const svg = frame.svg(
    `<g class="count">${bars.join("")}</g>${marks.join("")}`,
    ticks,
    { first: frame.left + distance / 2, distance, count: counts.length },
    title,
    label,
  );
  return svg.replace("<svg ", `<svg data-cost="${from} ${to} ${frame.left} ${frame.right}" `);
}
