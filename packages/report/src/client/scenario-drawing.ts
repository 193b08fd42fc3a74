import { rounded } from "@cobre/study/numbers";
import { header, scenarioValue } from "./data.js";
import { numbersIn, type Plot, pixel, plotsOf, svgElement } from "./plot.js";

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
    if (drawing.form === "stack") drawStack(plot, drawing, chosen);
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

/** Bars of the scenario, or those of the mean again. */
function drawStack(plot: Plot, { cube = "", items = [] }: Drawing, { a, b }: Chosen): void {
  const groups = groupsOf(plot);
  const bars = groups.map((group) => [...group.querySelectorAll("rect")]);
  const load = plot.inside.querySelector<SVGPathElement>(".load");
  for (const element of [...bars.flat(), ...(load ? [load] : [])]) {
    // What the page was written with stays in data attributes.
    for (const name of ["y", "height", "d"]) {
      const value = element.getAttribute(name);
      if (value !== null) element.dataset[name] ??= value;
    }
  }
  if (a === undefined) {
    rescale(plot, 1);
    for (const element of [...bars.flat(), ...(load ? [load] : [])]) {
      for (const [name, value = ""] of Object.entries(element.dataset)) {
        element.setAttribute(name, value);
      }
    }
    return;
  }
  const columns = (scenario: number) =>
    Array.from({ length: plot.count }, (_, stage) =>
      groups.map((_, s) => scenarioValue(cube, items[s] as number, stage, scenario)),
    );
  const values = columns(a);
  const loads = Array.from({ length: plot.count }, (_, stage) =>
    load ? scenarioValue(cube, items[groups.length] as number, stage, a) : 0,
  );
  const heights = [...values, ...(b === undefined ? [] : columns(b))].map((column) =>
    column.reduce((sum, value) => sum + Math.max(0, value), 0),
  );
  rescale(plot, factorFor(Math.max(...heights, ...loads) / plot.top));
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

/** The first of 1, 2, 5, 10, 20, … that is not below. */
function factorFor(least: number): number {
  let factor = 1;
  for (let i = 0; factor < least * 0.999; i++) factor *= i % 3 === 1 ? 2.5 : 2;
  return factor;
}

/** Keeps the lines of the grid and multiplies their labels. */
function rescale(plot: Plot, factor: number): void {
  plot.factor = factor;
  for (const label of plot.svg.querySelectorAll<SVGTextElement>(".tick.y")) {
    label.textContent = rounded(Number(label.dataset.v) * factor, 6);
  }
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
