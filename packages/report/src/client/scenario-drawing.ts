import { rounded, unitFor } from "@cobre/study/numbers";
import { header, scenarioValue } from "./data.js";
import { numbersIn, type Plot, pixel, plotsOf, svgElement, tableNumbers } from "./plot.js";

/** The two scenarios that are chosen, as indices; `undefined` if none is. */
export interface Chosen {
  a: number | undefined;
  b: number | undefined;
}

/** How a scenario is drawn into a figure; the page says so. */
export interface Drawing {
  readonly form: "line" | "stack" | "mark";
  readonly cube?: string;
  readonly items?: readonly number[];
  readonly start?: number;
}

export function drawingOf(figure: HTMLElement): Drawing | undefined {
  return figure.dataset.scenario === undefined ? undefined : JSON.parse(figure.dataset.scenario);
}

/** Draws the chosen scenarios into a figure, in place of those that were drawn before. */
export function drawScenarios(figure: HTMLElement, chosen: Chosen): void {
  const drawing = drawingOf(figure);
  if (drawing === undefined) return;
  figure.classList.toggle("faded", chosen.a !== undefined);
  for (const plot of plotsOf(figure)) {
    for (const path of plot.inside.querySelectorAll(".path")) path.remove();
    if (drawing.form === "stack") drawStack(figure, plot, drawing, chosen);
    for (const which of ["b", "a"] as const) {
      const scenario = chosen[which];
      if (scenario === undefined) continue;
      const path = pathOf(plot, drawing, scenario, which);
      if (path !== "") plot.inside.append(svgElement("path", { class: `path ${which}`, d: path }));
    }
  }
  if (drawing.form === "stack") nameScenario(figure, chosen.a);
}

function pathOf(plot: Plot, drawing: Drawing, scenario: number, which: "a" | "b"): string {
  if (drawing.form === "mark") {
    const [from = 0, to = 1, left = 0, right = 0] = numbersIn(plot.svg.dataset.cost);
    const share = ((header.totals[scenario] as number) - from) / (to - from);
    const [top, bottom] = plot.ends;
    return `M${pixel(left + share * (right - left))} ${top}V${bottom}`;
  }
  const { cube = "", items = [], start } = drawing;
  // The bars are those of the first scenario; of the second one their sum is drawn.
  if (drawing.form === "stack" && which === "a") return "";
  const parts = drawing.form === "line" ? items : items.slice(0, groupsOf(plot).length);
  let path =
    start === undefined || drawing.form === "stack"
      ? ""
      : `M${pixel(plot.x(-1))} ${pixel(plot.y(start))}`;
  for (let stage = 0; stage < plot.count; stage++) {
    const value = parts.reduce((sum, item) => sum + scenarioValue(cube, item, stage, scenario), 0);
    if (Number.isNaN(value)) continue;
    path += `${path === "" ? "M" : "L"}${pixel(plot.x(stage))} ${pixel(plot.y(value))}`;
  }
  return path;
}

function groupsOf(plot: Plot): SVGGElement[] {
  return [...plot.inside.querySelectorAll<SVGGElement>(":scope > g")];
}

/** What the bars show: for each place the values of the series, and the load after them. */
type Stack = readonly (readonly number[])[];

/** Bars of the scenario, or those of the mean again. */
function drawStack(
  figure: HTMLElement,
  plot: Plot,
  { cube = "", items = [] }: Drawing,
  { a, b }: Chosen,
): void {
  const bars = groupsOf(plot).map((group) => [...group.querySelectorAll("rect")]);
  const load = plot.inside.querySelector<SVGPathElement>(".load");
  for (const element of [...bars.flat(), ...(load ? [load] : [])]) {
    // What the page was written with stays in data attributes.
    for (const name of ["y", "height", "d"]) {
      const value = element.getAttribute(name);
      if (value !== null) element.dataset[name] ??= value;
    }
  }
  const isWhole = figure.dataset.save === undefined;
  const unit = figure.dataset.unit ?? "";
  if (a === undefined && isWhole) {
    rescale(plot, 1, unit);
    for (const element of [...bars.flat(), ...(load ? [load] : [])]) {
      for (const [name, value = ""] of Object.entries(element.dataset)) {
        element.setAttribute(name, value);
      }
    }
    return;
  }
  const scenario = (which: number): Stack =>
    Array.from({ length: plot.count }, (_, stage) =>
      items.map((item) => scenarioValue(cube, item, stage, which)),
    );
  const shown = a === undefined ? tableNumbers(figure) : scenario(a);
  const heights = [...shown, ...(b === undefined ? [] : scenario(b))].map((values) =>
    Math.max(
      values.slice(0, bars.length).reduce((sum, value) => sum + Math.max(0, value), 0),
      load ? (values[bars.length] ?? 0) : 0,
    ),
  );
  const factor = factorFor(Math.max(...heights) / plot.top);
  // Beside the mean of the whole system, scenarios keep its axis if they fit.
  rescale(plot, isWhole ? Math.max(1, factor) : factor, unit);
  const values = shown.map((all) => all.slice(0, bars.length));
  const loads = shown.map((all) => all[bars.length] ?? 0);
  values.forEach((column, stage) => {
    let [up, down] = [0, 0];
    column.forEach((value, s) => {
      const start = value < 0 ? down : up;
      if (value < 0) down += value;
      else up += value;
      const [y0, y1] = [plot.y(start), plot.y(start + value)];
      const bar = bars[s]?.[stage];
      bar?.setAttribute("y", pixel(Math.min(y0, y1)));
      bar?.setAttribute("height", pixel(Math.abs(y1 - y0)));
    });
  });
  if (load === null) return;
  const width = plot.x(1) - plot.x(0);
  const steps = loads.map(
    (value, stage) =>
      `${stage === 0 ? "M" : "L"}${pixel(plot.x(stage) - width / 2)} ${pixel(plot.y(value))}h${pixel(width)}`,
  );
  load.setAttribute("d", steps.join(""));
}

/** The first of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not below. */
function factorFor(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5].find((one) => one * power >= least * 0.999) ?? 10;
  return Number((step * power).toPrecision(1));
}

/** Keeps the lines of the grid and multiplies their labels. */
function rescale(plot: Plot, factor: number, unit: string): void {
  plot.factor = factor;
  const [before, now] = [unitFor(unit, plot.top), unitFor(unit, plot.top * factor)];
  const times = (factor * before.divisor) / now.divisor;
  for (const label of plot.svg.querySelectorAll<SVGTextElement>(".tick.y")) {
    label.textContent = rounded(Number(label.dataset.v) * times, 6);
  }
  const name = plot.svg.querySelector(".unit:not(.x)");
  if (name !== null) name.textContent = now.label;
}

/** Says in the title whose bars are shown. */
function nameScenario(figure: HTMLElement, a: number | undefined): void {
  const title = figure.querySelector("h3");
  if (title === null) return;
  title.textContent = figure.dataset.title ?? "";
  if (a === undefined) return;
  const name = document.createElement("span");
  name.className = "of";
  name.textContent = ` · scenario ${header.scenarios?.[a]} instead of the mean`;
  title.append(name);
}
