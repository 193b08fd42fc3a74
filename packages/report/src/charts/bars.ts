import { Frame, px, type Size, type XTick } from "./frame.js";

/** One colour of stacked bars. */
export interface Series {
  readonly name: string;
  /** The class that gives the colour. */
  readonly style: string;
  readonly values: ArrayLike<number>;
}

/** Bars that are stacked: positive values upwards from 0, negative ones downwards. */
export interface Bars {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly count: number;
  /** Which bars have a label, if there is room for so many. */
  readonly ticks: (room: number) => readonly { readonly index: number; readonly label: string }[];
  /** A line over the bars, such as the load. */
  readonly line?: ArrayLike<number>;
  /** At least so much is to be seen. */
  readonly atLeast?: number;
}

export function barsSvg(size: Size, bars: Bars): string {
  const { series, count } = bars;
  let [from, to] = [0, bars.atLeast ?? 0];
  for (let i = 0; i < count; i++) {
    let [below, above] = [0, 0];
    for (const { values } of series) {
      const value = values[i] as number;
      if (value > 0) above += value;
      else if (value < 0) below += value;
    }
    [from, to] = [Math.min(from, below), Math.max(to, above, bars.line?.[i] ?? 0)];
  }
  // What rounding left below 0 must not make room for itself.
  if (from > -1e-6 * to) from = 0;
  const frame = new Frame(size, { from, to, unit: bars.unit });
  const distance = frame.width / count;
  const width = Math.max(1, distance * 0.82);
  const heights = { up: new Float64Array(count), down: new Float64Array(count) };
  const parts = series.map(({ style, values }) => {
    const rects = Array.from({ length: count }, (_, i) => {
      const value = Number.isFinite(values[i]) ? (values[i] as number) : 0;
      const side = value < 0 ? heights.down : heights.up;
      const start = side[i] as number;
      side[i] = start + value;
      const [y0, y1] = [frame.y(start), frame.y(start + value)];
      const x = frame.middle(i, count) - width / 2;
      return `<rect x="${px(x)}" y="${px(Math.min(y0, y1))}" width="${px(width)}" height="${px(Math.abs(y1 - y0))}"/>`;
    });
    return `<g class="${style}">${rects.join("")}</g>`;
  });
  if (bars.line !== undefined) {
    const steps = Array.from(
      { length: count },
      (_, i) =>
        `${i === 0 ? "M" : "L"}${px(frame.left + i * distance)} ${px(frame.y(bars.line?.[i] as number))}h${px(distance)}`,
    );
    parts.push(`<path class="load" d="${steps.join("")}"/>`);
  }
  const room = Math.max(2, Math.floor(frame.width / 62));
  const ticks: XTick[] = bars.ticks(room).map(({ index, label }) => ({
    at: frame.middle(index, count),
    label,
  }));
  const places = { first: frame.middle(0, count), distance, count };
  return frame.svg(parts.join(""), ticks, places, bars.title);
}

/** Labels for numbered bars, at round numbers. */
export function numberTicks(numbers: ArrayLike<number>): Bars["ticks"] {
  return (room) => {
    const { length } = numbers;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => length / one <= room);
    return Array.from({ length }, (_, index) => ({
      index,
      label: String(numbers[index]),
    })).filter(({ label }) => Number(label) % (step ?? Math.ceil(length / room)) === 0);
  };
}
