import { withUnit } from "@cobre/study/numbers";
import { byCost, header, scenarioValue } from "./data.js";
import { numbersIn, type Plot, plotsOf } from "./plot.js";
import { type Chosen, drawingOf, drawScenarios } from "./scenario-drawing.js";

/** The scenarios that are chosen now. */
export const chosen: Chosen = { a: undefined, b: undefined };

const bar = document.getElementById("explorer");

/** Chooses a scenario by its place in `byCost`, or none, and draws it into all figures. */
export function choose(which: "a" | "b", place: number | undefined): void {
  chosen[which] = place === undefined ? undefined : byCost[place];
  const slider = bar?.querySelector<HTMLInputElement>(`[data-choose="${which}"]`);
  const output = bar?.querySelector<HTMLOutputElement>(`[data-chosen="${which}"]`);
  if (slider && place !== undefined) slider.value = String(place + 1);
  if (output) output.textContent = nameOf(chosen[which]);
  document.documentElement.classList.toggle("explored", chosen.a !== undefined);
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-scenario]")) {
    drawScenarios(figure, chosen);
  }
}

function nameOf(scenario: number | undefined): string {
  const { scenarios = [], ranks, totals, count } = header;
  if (scenario === undefined) {
    const some = byCost.length < count ? ` (${byCost.length} of ${count} are on this page)` : "";
    return `none chosen: move, or click into a chart${some}`;
  }
  return `${scenarios[scenario]}: costs ${withUnit(totals[scenario] as number, "$")}, ${ranks[scenario]} of ${count} by cost`;
}

/** Makes the bar work, and clicks into charts. */
export function startExplorer(): void {
  if (bar === null || byCost.length === 0) return;
  for (const slider of bar.querySelectorAll<HTMLInputElement>("[data-choose]")) {
    slider.max = String(byCost.length);
    slider.value = String(Math.ceil(byCost.length / 2));
    slider.addEventListener("input", () => {
      choose(slider.dataset.choose as "a" | "b", Number(slider.value) - 1);
    });
  }
  choose("a", undefined);
  const place = (share: number) => Math.round(share * (byCost.length - 1));
  for (const button of bar.querySelectorAll<HTMLElement>("[data-jump]")) {
    button.addEventListener("click", () => choose("a", place(Number(button.dataset.jump))));
  }
  const other = bar.querySelector<HTMLElement>(".other");
  bar.querySelector("[data-compare]")?.addEventListener("click", () => {
    if (other) other.hidden = false;
    if (chosen.a === undefined) choose("a", place(1));
    choose("b", place(0.5));
  });
  bar.querySelector("[data-clear]")?.addEventListener("click", () => {
    if (other) other.hidden = true;
    choose("b", undefined);
    choose("a", undefined);
  });
  document.addEventListener("click", onClick);
}

/** A click chooses the scenario that passes nearest. */
function onClick(event: MouseEvent): void {
  const target = event.target as Element;
  const figure = target.closest<HTMLElement>("figure[data-scenario]");
  const svg = target.closest(".plot svg");
  if (figure === null || svg === null) return;
  const plot = plotsOf(figure).find((one) => one.svg === svg || one.svg.contains(svg));
  const drawing = drawingOf(figure);
  if (plot === undefined || drawing === undefined || drawing.form === "stack") return;
  const { x, y } = plot.placeOf(event);
  const distance =
    drawing.form === "mark" ? costDistance(plot, x) : lineDistance(plot, drawing, x, y);
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  byCost.forEach((scenario, place) => {
    const found = distance(scenario);
    if (found < least) [best, least] = [place, found];
  });
  choose("a", best);
}

function costDistance(plot: Plot, x: number): (scenario: number) => number {
  const [from = 0, to = 1, left = 0, right = 1] = numbersIn(plot.svg.dataset.cost);
  const cost = from + ((x - left) / (right - left)) * (to - from);
  return (scenario) => Math.abs((header.totals[scenario] as number) - cost);
}

function lineDistance(
  plot: Plot,
  { cube = "", items = [] }: { readonly cube?: string; readonly items?: readonly number[] },
  x: number,
  y: number,
): (scenario: number) => number {
  const stage = plot.nearest(x);
  return (scenario) =>
    Math.abs(plot.y(scenarioValue(cube, items[0] as number, stage, scenario)) - y);
}
