/** The drawings of a figure, and their scales. */

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** One drawing. A figure has several, of which one is shown. */
export class Plot {
  readonly svg: SVGSVGElement;
  /** Clips what is drawn to the area within the axes. */
  readonly inside: SVGElement;
  readonly count: number;
  private readonly first: number;
  private readonly distance: number;
  /** Two values and their pixels. */
  private readonly scale: readonly number[];
  private readonly isLog: boolean;
  /** By how much the labels of the y axis are multiplied. */
  factor = 1;

  constructor(svg: SVGSVGElement) {
    this.svg = svg;
    this.inside = svg.querySelector<SVGElement>(".inside") ?? svg;
    const [first = 0, distance = 1, count = 0] = numbersIn(svg.dataset.x);
    [this.first, this.distance, this.count] = [first, distance, count];
    this.scale = numbersIn(svg.dataset.y);
    this.isLog = svg.dataset.y?.endsWith("log") ?? false;
  }

  get isShown(): boolean {
    return this.svg.clientWidth > 0 || this.svg.getBoundingClientRect().width > 0;
  }

  x(index: number): number {
    return this.first + index * this.distance;
  }

  y(value: number): number {
    const [from = 0, to = 1, low = 0, high = 0] = this.scale;
    const at = value / this.factor;
    if (!this.isLog) return low + ((at - from) / (to - from)) * (high - low);
    return low + (Math.log(at / from) / Math.log(to / from)) * (high - low);
  }

  /** The largest value on the y axis, if the labels are not multiplied. */
  get top(): number {
    return this.scale[1] ?? 1;
  }

  /** The upper and the lower end of the drawing, in pixels. */
  get ends(): readonly [number, number] {
    return [this.scale[3] ?? 0, this.scale[2] ?? 0];
  }

  /** The place in the drawing that an event is at. */
  placeOf(event: MouseEvent): { readonly x: number; readonly y: number } {
    const { left, top, width, height } = this.svg.getBoundingClientRect();
    const box = this.svg.viewBox.baseVal;
    return {
      x: ((event.clientX - left) * box.width) / width,
      y: ((event.clientY - top) * box.height) / height,
    };
  }

  /** The index of the value that is nearest to a place. */
  nearest(x: number): number {
    const index = Math.round((x - this.first) / this.distance);
    return Math.min(this.count - 1, Math.max(0, index));
  }
}

const known = new WeakMap<SVGSVGElement, Plot>();

/** All drawings of a figure that have an axis. */
export function plotsOf(figure: Element): Plot[] {
  return [...figure.querySelectorAll<SVGSVGElement>("svg[data-x]")].map((svg) => {
    const plot = known.get(svg) ?? new Plot(svg);
    known.set(svg, plot);
    return plot;
  });
}

export function shownPlot(figure: Element): Plot | undefined {
  return plotsOf(figure).find(({ isShown }) => isShown);
}

export function numbersIn(text: string | undefined): number[] {
  return (text ?? "").split(" ").map(Number);
}

export function pixel(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The numbers of a figure's table, row by row, without the names in front. */
export function tableNumbers(figure: Element): number[][] {
  const rows = figure.querySelector("table")?.tBodies[0]?.rows ?? [];
  return [...rows].map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent)));
}

/** What the columns of a figure's table are called, without that of the names. */
export function tableHeads(figure: Element): string[] {
  const cells = figure.querySelector("table")?.tHead?.rows[0]?.cells ?? [];
  return [...cells].slice(1).map((cell) => cell.firstChild?.textContent?.trim() ?? "");
}
