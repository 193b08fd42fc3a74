import type { Bands, StageEntry } from "@cobre/study";
import { area, line } from "d3-shape";
import { Frame, px, type Size } from "./frame.js";
import { stageTicks } from "./stage-labels.js";

/** Percentiles of one item over the stages, and what is drawn with them. */
export interface Ribbons {
  readonly title: string;
  readonly unit: string;
  readonly stages: readonly StageEntry[];
  readonly bands: Bands;
  readonly item: number;
  /** The value before the first stage. If it is given, values are at the end of their stage, otherwise in its middle. */
  readonly initial?: number;
  /** Limits by stage, drawn as thin lines; NaN where there is none. */
  readonly limits?: readonly Float64Array[];
  /** Whether the axis begins at 0 unless values are below. */
  readonly fromZero?: boolean;
  /** The colour, as a class. */
  readonly style: string;
}

/** The pairs of levels between which a ribbon is drawn, the widest first. */
const PAIRS = [
  [0, 100],
  [10, 90],
  [25, 75],
] as const;

/** Ribbons between percentiles, the median, and limits. */
export function ribbonsSvg(size: Size, ribbons: Ribbons): string {
  const { bands, item, stages, limits = [], initial } = ribbons;
  const { levels, values } = bands;
  const count = stages.length;
  const at = (stage: number, level: number) =>
    values[(item * count + stage) * levels.length + levels.indexOf(level)] as number;
  const numbers = [
    ...stages.flatMap((_, stage) => [at(stage, 0), at(stage, 100)]),
    ...limits.flatMap((limit) => [...limit]),
    ...(initial === undefined ? [] : [initial]),
  ].filter(Number.isFinite);
  const from = Math.min(...(ribbons.fromZero ? [0] : []), ...numbers);
  const frame = new Frame(size, { from, to: Math.max(from, ...numbers), unit: ribbons.unit });
  const hasStart = initial !== undefined && Number.isFinite(initial);
  const distance = frame.width / count;
  const place = (stage: number) => frame.left + (stage + (hasStart ? 1 : 0.5)) * distance;
  const path = (level: number): (readonly [number, number])[] => [
    ...(hasStart ? ([[frame.left, frame.y(initial)]] as const) : []),
    ...stages.map((_, stage) => [place(stage), frame.y(at(stage, level))] as const),
  ];
  const parts = PAIRS.map(([low, high], i) => {
    const [below, above] = [path(low), path(high)];
    const shape = area<number>()
      .defined((p) => Number.isFinite(below[p]?.[1]) && Number.isFinite(above[p]?.[1]))
      .x((p) => below[p]?.[0] as number)
      .y0((p) => below[p]?.[1] as number)
      .y1((p) => above[p]?.[1] as number)
      .digits(1);
    return `<path class="ribbon r${i} ${ribbons.style}" d="${shape(below.keys()) ?? ""}"/>`;
  });
  const median = line<readonly [number, number]>()
    .defined(([, y]) => Number.isFinite(y))
    .digits(1);
  parts.push(`<path class="median ${ribbons.style}" d="${median(path(50)) ?? ""}"/>`);
  for (const limit of limits) parts.push(limitPath(frame, limit));
  const room = Math.max(2, Math.floor(frame.width / 62));
  const ticks = stageTicks(stages, room).map(({ index, label }) => ({
    at: frame.middle(index, count),
    label,
  }));
  return frame.svg(parts.join(""), ticks, { first: place(0), distance, count }, ribbons.title);
}

/** A limit for each stage, as steps. */
function limitPath(frame: Frame, limit: Float64Array): string {
  let path = "";
  const width = frame.width / limit.length;
  limit.forEach((value, stage) => {
    if (!Number.isFinite(value)) return;
    const [x, y] = [frame.left + stage * width, frame.y(value)];
    const joins = stage > 0 && Number.isFinite(limit[stage - 1]);
    path += joins
      ? `${value === limit[stage - 1] ? "" : `V${px(y)}`}H${px(x + width)}`
      : `M${px(x)} ${px(y)}H${px(x + width)}`;
  });
  return path === "" ? "" : `<path class="limit" d="${path}"/>`;
}
