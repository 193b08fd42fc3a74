import { rounded, unitFor } from "@cobre/study/numbers";
import { scaleLinear, scaleLog } from "d3-scale";
import { escapeHtml } from "../page/html.js";

/** How large a chart is, in pixels of its own. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const WIDE: Size = { width: 880, height: 300 };
export const NARROW: Size = { width: 343, height: 240 };
export const SMALL: Size = { width: 343, height: 190 };

const MARGIN = { top: 22, right: 12, bottom: 24, left: 50 };

/** Values along the axis to the top. */
export interface YAxis {
  readonly from: number;
  readonly to: number;
  readonly unit: string;
  readonly isLog?: boolean;
  /** Keeps the ends as they are, for axes whose ends mean something. */
  readonly isExact?: boolean;
}

/** Labels along the axis to the right, by place. */
export interface XTick {
  readonly at: number;
  readonly label: string;
}

/**
 * The axes of a chart. Places along the x axis are pixels; values along the y axis are scaled. The script finds the scale in
 * attributes of the SVG: `data-y` has two values and their pixels, `data-x` the first place, the distance of places and their number.
 */
export class Frame {
  readonly left = MARGIN.left;
  readonly right: number;
  readonly top = MARGIN.top;
  readonly bottom: number;
  /** From values to pixels. */
  readonly y: (value: number) => number;
  private readonly size: Size;
  private readonly axis: YAxis;
  private readonly domain: readonly [number, number];
  private readonly ticks: readonly number[];

  constructor(size: Size, axis: YAxis) {
    this.size = size;
    this.axis = axis;
    this.right = size.width - MARGIN.right;
    this.bottom = size.height - MARGIN.bottom;
    const count = Math.max(3, Math.round((this.bottom - this.top) / 44));
    const to = axis.to > axis.from ? axis.to : axis.from + (Math.abs(axis.from) || 1);
    const scale = axis.isLog ? scaleLog() : scaleLinear();
    scale.domain([axis.from, to]).range([this.bottom, this.top]);
    // A little below 0 must not double the axis: then only its upper end becomes a round number.
    const isAlmostZero = !axis.isLog && axis.from < 0 && -axis.from < 0.05 * to;
    if (isAlmostZero) scale.domain([0, to]);
    if (!axis.isExact) scale.nice(count);
    if (isAlmostZero) scale.domain([axis.from, scale.domain()[1] as number]);
    this.y = (value) => scale(value);
    this.ticks = axis.isLog ? logTicks(scale.ticks(count)) : scale.ticks(count);
    this.domain = scale.domain() as [number, number];
  }

  get width(): number {
    return this.right - this.left;
  }

  /** The middle of one of `count` equal parts of the width. */
  middle(index: number, count: number): number {
    return this.left + ((index + 0.5) * this.width) / count;
  }

  /** The SVG with axes, and the drawing on top of the grid. */
  svg(
    drawing: string,
    xTicks: readonly XTick[],
    places: Places,
    title: string,
    xUnit = "",
  ): string {
    const { width, height } = this.size;
    const largest = Math.max(...this.domain.map(Math.abs));
    const { divisor, label } = unitFor(this.axis.unit, largest);
    const grid = this.ticks.map((tick) => {
      const y = px(this.y(tick));
      const text = rounded(tick / divisor, 6);
      return `<path class="grid${tick === 0 ? " zero" : ""}" d="M${this.left} ${y}H${this.right}"/><text class="tick y" x="${this.left - 6}" y="${y}" dy=".32em" data-v="${tick / divisor}">${text}</text>`;
    });
    // The unit of the x axis stands at its end, where no other label may be.
    const end = xUnit === "" ? Number.POSITIVE_INFINITY : this.right - 6 * xUnit.length - 8;
    const shown = xTicks.filter(({ at, label: text }) => at + 3.2 * text.length < end);
    const xs = shown.map(
      ({ at, label: text }) =>
        `<path class="mark" d="M${px(at)} ${this.bottom}v4"/><text class="tick x" x="${px(at)}" y="${this.bottom + 16}">${escapeHtml(text)}</text>`,
    );
    const y = `${this.domain[0]} ${this.domain[1]} ${this.bottom} ${this.top}${this.axis.isLog ? " log" : ""}`;
    const x = `${px(places.first)} ${Number(places.distance.toFixed(4))} ${places.count}`;
    return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}" data-x="${x}" data-y="${y}"><text class="unit"${label.length > 6 ? ' x="2" text-anchor="start"' : ` x="${this.left - 6}"`} y="11">${escapeHtml(label)}</text>${grid.join("")}${xs.join("")}${xUnit === "" ? "" : `<text class="unit x" x="${this.right}" y="${this.bottom + 16}">${escapeHtml(xUnit)}</text>`}<svg class="inside" x="0" y="${this.top - 1}" width="${width}" height="${this.bottom - this.top + 2}" viewBox="0 ${this.top - 1} ${width} ${this.bottom - this.top + 2}">${drawing}</svg></svg>`;
  }
}

/** Where the values of a chart are along its x axis: equal distances. */
export interface Places {
  readonly first: number;
  readonly distance: number;
  readonly count: number;
}

/** A pixel with one decimal, without the zeros that nobody needs. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Powers of ten if there are some, otherwise all that fit. */
function logTicks(ticks: readonly number[]): readonly number[] {
  const powers = ticks.filter((tick) => Number.isInteger(Number(Math.log10(tick).toFixed(9))));
  if (powers.length >= 3) return powers;
  const few = ticks.filter((tick) => /^[125]/.test(tick.toExponential()));
  return few.length >= 2 ? few : ticks;
}
