import { rounded, unitFor, withUnit } from "@cobre/study/numbers";
import { cutsText } from "../words.js";
import { type Curve, header } from "./data.js";
import { numbersIn, type Plot, pixel, plotsOf, svgElement } from "./plot.js";

let stage = 0;

function curveAt(figure: HTMLElement): Curve | undefined {
  return header.values?.curves[Number(figure.dataset.reservoir)]?.[stage];
}

/** Makes the slider of stages redraw all value functions. */
export function startValueFunctions(): void {
  const slider = document.querySelector<HTMLInputElement>("[data-value-stage]");
  if (slider === null || header.values === undefined) return;
  const { stages } = header.values;
  const figures = [...document.querySelectorAll<HTMLElement>("figure[data-reservoir]")];
  const named = document.querySelectorAll("[data-stage-name], p.switch output");
  slider.addEventListener("input", () => {
    stage = Number(slider.value);
    for (const name of named) name.textContent = stages[stage] ?? "";
    for (const figure of figures) {
      const curve = curveAt(figure);
      if (curve === undefined) continue;
      for (const plot of plotsOf(figure)) drawCurve(plot, curve);
      tellCurve(figure, curve);
    }
  });
}

function drawCurve(plot: Plot, curve: Curve): void {
  const { svg, inside } = plot;
  const [min = 0, max = 1, left = 0, right = 1] = numbersIn(svg.dataset.storage);
  const [top, bottom] = plot.ends;
  const { from, to, x, y, slopes, visited } = curve;
  const yOf = (value: number) => bottom + ((value - from) / (to - from)) * (top - bottom);
  const xOf = (storage: number) => left + ((storage - min) / (max - min)) * (right - left);
  const { divisor, label } = unitFor("$", Math.max(Math.abs(from), Math.abs(to)));
  for (const old of svg.querySelectorAll(".grid, .tick.y")) old.remove();
  for (const tick of curve.ticks) {
    const at = pixel(yOf(tick));
    const text = svgElement("text", {
      class: "tick y",
      x: String(left - 6),
      y: at,
      dy: ".32em",
    });
    text.textContent = rounded(tick / divisor, 6);
    inside.before(svgElement("path", { class: "grid", d: `M${left} ${at}H${right}` }), text);
  }
  const unit = svg.querySelector(".unit:not(.x)");
  if (unit) unit.textContent = label;
  const cuts = slopes.map((slope, cut) => {
    const at = (storage: number) =>
      pixel(yOf((y[cut] as number) + slope * (storage - (x[cut] as number))));
    return `M${left} ${at(min)}L${right} ${at(max)}`;
  });
  const corners = x.map(
    (storage, i) => `${i === 0 ? "M" : "L"}${pixel(xOf(storage))} ${pixel(yOf(y[i] as number))}`,
  );
  const set = (name: string, d: string) => inside.querySelector(name)?.setAttribute("d", d);
  set(".cuts", cuts.join(""));
  set(".value", corners.join(""));
  set(".visited", `M${pixel(xOf(visited))} ${top}V${bottom}`);
}

/** The text and the table of a value function. */
function tellCurve(figure: HTMLElement, { cuts, slopes, x, y }: Curve): void {
  const text = figure.querySelector("figcaption p");
  if (text) text.textContent = cutsText(slopes.length, cuts);
  const body = figure.querySelector("table")?.tBodies[0];
  body?.replaceChildren(
    ...slopes.map((slope, cut) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = String(cut + 1);
      row.append(head);
      for (const value of [x[cut], x[cut + 1], y[cut], slope]) {
        row.insertCell().textContent = String(value);
      }
      return row;
    }),
  );
}

/** The value function at a place of its chart, for the tooltip. */
export function curveRows(figure: HTMLElement, index: number, count: number) {
  const curve = curveAt(figure);
  if (curve === undefined) return { title: "", rows: [] };
  const { x, y, slopes } = curve;
  const [min, max] = [x[0] as number, x.at(-1) as number];
  const storage = min + ((max - min) * index) / (count - 1);
  const after = x.findIndex((corner, i) => i > 0 && storage <= corner);
  const cut = after === -1 ? slopes.length - 1 : after - 1;
  const slope = slopes[cut] as number;
  const cost = (y[cut] as number) + slope * (storage - (x[cut] as number));
  return {
    title: withUnit(storage, "hm³"),
    rows: [
      ["cost of later stages", withUnit(cost, "$")],
      ["water value", withUnit(0 - slope, "$/hm³")],
    ] as (readonly [string, string])[],
  };
}
