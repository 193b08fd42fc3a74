import { withUnit } from "@cobre/study/numbers";
import { header, scenarioValue } from "./data.js";
import { chosen } from "./explorer.js";
import { type Plot, pixel, shownPlot, svgElement } from "./plot.js";
import { drawingOf } from "./scenario-drawing.js";
import { curveRows } from "./value-functions.js";

/** A line of the tooltip. */
export type TipRow = readonly [name: string, value: string, style?: string];

const tip = document.createElement("div");
tip.id = "tip";
tip.setAttribute("role", "status");
tip.hidden = true;

/** The place that is shown, by figure, so that keys go on from it. */
const places = new WeakMap<HTMLElement, number>();
let current: HTMLElement | undefined;

/** Shows the values of a place of a chart, and a line there. */
export function showTip(figure: HTMLElement, index: number): void {
  const plot = shownPlot(figure);
  if (plot === undefined) return;
  hideTip();
  current = figure;
  places.set(figure, index);
  const [top, bottom] = plot.ends;
  const x = plot.x(index);
  plot.inside.append(svgElement("path", { class: "cursor", d: `M${pixel(x)} ${top}V${bottom}` }));
  const { title, rows } = contentsOf(figure, plot, index);
  const heading = document.createElement("b");
  heading.textContent = title;
  tip.replaceChildren(heading, ...rows.map(rowElement));
  tip.hidden = false;
  const box = plot.svg.getBoundingClientRect();
  const at = box.left + (x * box.width) / plot.svg.viewBox.baseVal.width;
  const width = tip.offsetWidth;
  const room = document.documentElement.clientWidth;
  const left = at + 14 + width > room - 6 ? at - 14 - width : at + 14;
  tip.style.left = `${Math.max(6, Math.min(left, room - width - 6)) + scrollX}px`;
  tip.style.top = `${box.top + scrollY + 8}px`;
}

export function hideTip(): void {
  tip.hidden = true;
  for (const cursor of current?.querySelectorAll(".cursor") ?? []) cursor.remove();
  current = undefined;
}

function rowElement([name, value, style = ""]: TipRow): HTMLElement {
  const row = document.createElement("div");
  row.className = style;
  for (const text of [name, value]) {
    const span = document.createElement("span");
    span.textContent = text;
    row.append(span);
  }
  return row;
}

function contentsOf(figure: HTMLElement, plot: Plot, index: number) {
  if (figure.dataset.reservoir !== undefined) return curveRows(figure, index, plot.count);
  const table = figure.querySelector("table");
  const cells = [...(table?.tBodies[0]?.rows[index]?.cells ?? [])];
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])];
  const drawing = drawingOf(figure);
  const isScenario = drawing?.form === "stack" && chosen.a !== undefined;
  const rows: TipRow[] = isScenario
    ? []
    : cells.slice(1).flatMap((cell, i): TipRow[] => {
        const text = cell.textContent ?? "";
        const head = heads[i + 1];
        // Of a stack, what is not there needs no line.
        const isNothing = drawing?.form === "stack" && Math.abs(Number(text)) < 1e-9;
        if (text === "" || isNothing) return [];
        return [[head?.firstChild?.textContent?.trim() ?? "", valueText(text, head)]];
      });
  return {
    title: cells[0]?.textContent ?? "",
    rows: [...rows, ...scenarioRows(figure, heads, index)],
  };
}

function valueText(text: string, head: HTMLElement | undefined): string {
  const unit = head?.dataset.unit;
  return unit === undefined ? text : withUnit(Number(text), unit);
}

/** What the chosen scenarios have at a place. */
function scenarioRows(figure: HTMLElement, heads: readonly HTMLElement[], index: number): TipRow[] {
  const drawing = drawingOf(figure);
  if (drawing === undefined || drawing.form === "mark") return [];
  const { cube = "", items = [] } = drawing;
  const unit = figure.dataset.unit ?? "";
  return (["a", "b"] as const).flatMap((which): TipRow[] => {
    const scenario = chosen[which];
    if (scenario === undefined) return [];
    const name = `scenario ${header.scenarios?.[scenario]}`;
    const at = (item: number) => scenarioValue(cube, item, index, scenario);
    if (drawing.form === "line") return [[name, withUnit(at(items[0] as number), unit), which]];
    const parts = items.map((item, i): TipRow => {
      return [heads[i + 1]?.firstChild?.textContent?.trim() ?? "", withUnit(at(item), unit)];
    });
    return [[name, "", which], ...parts.filter((_, i) => Math.abs(at(items[i] as number)) > 1e-9)];
  });
}

/** Tooltips by mouse, touch and keys. */
export function startTooltips(): void {
  document.body.append(tip);
  document.addEventListener("pointermove", onPointer);
  document.addEventListener("pointerdown", onPointer);
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusout", hideTip);
  addEventListener("scroll", () => current && !current.matches(":focus-within") && hideTip(), {
    passive: true,
  });
}

function figureOf(target: EventTarget | null): HTMLElement | null {
  const plot = (target as Element | null)?.closest?.(".plot") ?? null;
  return plot?.closest<HTMLElement>("figure.chart") ?? null;
}

function onPointer(event: PointerEvent): void {
  const figure = figureOf(event.target);
  const plot = figure === null ? undefined : shownPlot(figure);
  if (figure === null || plot === undefined) {
    hideTip();
    return;
  }
  showTip(figure, plot.nearest(plot.placeOf(event).x));
}

function onKey(event: KeyboardEvent): void {
  const figure = figureOf(event.target);
  const plot = figure === null ? undefined : shownPlot(figure);
  if (figure === null || plot === undefined) return;
  const before = places.get(figure) ?? -1;
  const last = plot.count - 1;
  const next = {
    ArrowRight: Math.min(last, before + 1),
    ArrowLeft: before === -1 ? last : Math.max(0, before - 1),
    Home: 0,
    End: last,
  }[event.key];
  if (event.key === "Escape") hideTip();
  if (next === undefined) return;
  event.preventDefault();
  showTip(figure, next);
}
