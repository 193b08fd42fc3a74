import { shownPlot } from "./plot.js";

/** Adds the buttons below each chart that save its numbers and its drawing. */
export function startDownloads(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.numbers")) {
    const figure = details.closest<HTMLElement>("figure.chart");
    const table = details.querySelector("table");
    const name = figure?.id ?? details.dataset.name ?? "plants";
    const tools = document.createElement("div");
    tools.className = "tools";
    const button = (label: string, title: string, action: () => void) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = label;
      made.title = title;
      made.addEventListener("click", action);
      tools.append(made);
    };
    if (table) button("CSV", "save the table", () => save(`${name}.csv`, "text/csv", csvOf(table)));
    const svg = figure?.querySelector<SVGSVGElement>(".plot svg");
    if (figure && svg) {
      button("SVG", "save the drawing", () => {
        save(`${name}.svg`, "image/svg+xml", svgText(shownPlot(figure)?.svg ?? svg));
      });
    }
    details.before(tools);
    tools.prepend(details);
  }
}

/** A table as CSV, with the unit in the name of a column. */
export function csvOf(table: HTMLTableElement): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => {
    const name = cell.firstChild?.textContent?.trim() ?? "";
    const { unit } = cell.dataset;
    return unit ? `${name} (${unit})` : name;
  });
  const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) =>
    [...row.cells].map((cell) => cell.textContent ?? ""),
  );
  return [heads, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

/** A drawing as a file of its own: with its style, and the colours that are shown now. */
function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const source = document.querySelector("style")?.textContent ?? "";
  const colours = getComputedStyle(document.documentElement);
  const names = new Set(source.match(/--[a-z0-9-]+(?=:)/g));
  const variables = [...names].map((name) => `${name}:${colours.getPropertyValue(name)}`);
  const [, charts = ""] = source.split("/* charts */");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = `svg{${variables.join(";")};background:var(--page)}${charts}`;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
