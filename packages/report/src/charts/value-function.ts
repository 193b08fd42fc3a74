import type { ValueFunction } from "@cobre/study";
import { rounded } from "@cobre/study/numbers";
import { scaleLinear } from "d3-scale";
import { Frame, px, type Size } from "./frame.js";

/** A value function as the script and the drawing need it. */
export interface ValueCurve {
  /** The ends of the y axis. */
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  /** The mean storage that the last forward passes visited. */
  readonly visited: number;
  readonly cuts: number;
  /** Where the function has its corners, and its value there, in $. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** The slope after each corner but the last, in $/hm³. */
  readonly slopes: readonly number[];
}

/** The corners of a value function, and an axis for it. */
export function curveOf(values: ValueFunction): ValueCurve {
  const { min, visited, cuts, intercepts, slopes, ends } = values;
  const at = (cut: number, storage: number) =>
    (intercepts[cut] as number) + (slopes[cut] as number) * storage;
  const x = [min, ...ends];
  const y = [at(0, min), ...Array.from(ends, (end, cut) => at(cut, end))];
  const [low, high] = [Math.min(...y), Math.max(...y)];
  const scale = scaleLinear()
    .domain(high > low ? [low, high] : [low - 1, low + 1])
    .nice(4);
  const [from, to] = scale.domain() as [number, number];
  return { from, to, ticks: scale.ticks(4), visited, cuts, x, y, slopes: [...slopes] };
}

/** The value function in bold, and below it the cuts it consists of. */
export function valueFunctionSvg(size: Size, title: string, curve: ValueCurve): string {
  const { from, to, x, y, slopes, visited } = curve;
  const frame = new Frame(size, { from, to, unit: "$", isExact: true });
  const [min, max] = [x[0] as number, x.at(-1) as number];
  const across = scaleLinear().domain([min, max]).range([frame.left, frame.right]);
  const cuts = slopes.map((slope, cut) => {
    const [cx, cy] = [x[cut] as number, y[cut] as number];
    const [start, end] = [cy + slope * (min - cx), cy + slope * (max - cx)];
    return `M${frame.left} ${px(frame.y(start))}L${frame.right} ${px(frame.y(end))}`;
  });
  const corners = x.map(
    (storage, i) => `${i === 0 ? "M" : "L"}${px(across(storage))} ${px(frame.y(y[i] as number))}`,
  );
  const drawing = `<path class="cuts" d="${cuts.join("")}"/><path class="visited" d="M${px(across(visited))} ${frame.top}V${frame.bottom}"/><path class="value" d="${corners.join("")}"/>`;
  const ticks = across.ticks(Math.floor(frame.width / 70)).map((tick) => ({
    at: across(tick),
    label: rounded(tick, 6),
  }));
  // Hovering walks over 41 storages, whatever the corners are.
  const places = { first: frame.left, distance: frame.width / 40, count: 41 };
  const svg = frame.svg(drawing, ticks, places, title, "hm³");
  return svg.replace("<svg ", `<svg data-storage="${min} ${max} ${frame.left} ${frame.right}" `);
}
