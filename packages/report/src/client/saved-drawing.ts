import { svgElement } from "./plot.js";

const TITLE_HEIGHT = 28;
const LEGEND_LINE = 20;
/** Between the entries of a legend, and from a colour to its name. */
const GAP = { entry: 18, name: 22 };

/** A drawing as a file of its own: with title, legend and style, and the colours that are shown now. */
export function savedDrawing(figure: HTMLElement, svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  const title = svgElement("text", { class: "saved title", x: "4", y: "-12" });
  title.textContent = figure.querySelector("h3")?.textContent ?? "";
  const legend = legendOf(figure, width, height);
  const full = TITLE_HEIGHT + height + legend.height;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 ${-TITLE_HEIGHT} ${width} ${full}`);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(full));
  copy.prepend(styleOf(), title);
  copy.append(...legend.elements);
  return new XMLSerializer().serializeToString(copy);
}

function styleOf(): SVGElement {
  const source = document.querySelector("style")?.textContent ?? "";
  const colours = getComputedStyle(document.documentElement);
  const names = new Set(source.match(/--[a-z0-9-]+(?=:)/g));
  const variables = [...names].map((name) => `${name}:${colours.getPropertyValue(name)}`);
  const [, charts = ""] = source.split("/* charts */");
  const style = svgElement("style", {});
  style.textContent = `svg{${variables.join(";")};background:var(--page)}${charts}`;
  return style;
}

/** The legend below the drawing, in as many lines as it needs. Small charts have none of their own. */
function legendOf(figure: HTMLElement, width: number, top: number) {
  const elements: SVGElement[] = [];
  const ruler = document.createElement("canvas").getContext("2d");
  if (ruler) ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  let [x, line] = [4, 0];
  for (const entry of figure.querySelectorAll(".legend li")) {
    const name = entry.textContent ?? "";
    const room = GAP.name + (ruler?.measureText(name).width ?? 7 * name.length);
    if (x > 4 && x + room > width) [x, line] = [4, line + 1];
    const y = top + 8 + line * LEGEND_LINE;
    const group = svgElement("g", { transform: `translate(${x} ${y})` });
    group.append(...[...(entry.querySelector("svg")?.children ?? [])].map((c) => c.cloneNode()));
    const label = svgElement("text", { class: "saved", x: String(GAP.name), y: "9" });
    label.textContent = name;
    group.append(label);
    elements.push(group);
    x += room + GAP.entry;
  }
  return { elements, height: elements.length === 0 ? 0 : 14 + (line + 1) * LEGEND_LINE };
}
