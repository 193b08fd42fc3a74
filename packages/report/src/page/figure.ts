import { escapeHtml } from "./html.js";
import { type Table, tableHtml } from "./table.js";

/** How the script draws one scenario into a chart. */
export interface ScenarioDrawing {
  /** `line`: a path over the stages; `stack`: bars of its own; `mark`: a line at its total cost. */
  readonly form: "line" | "stack" | "mark";
  /** The cube with the values, and its items: one for a line, one for each series of a stack. */
  readonly cube?: string;
  readonly items?: readonly number[];
  /** The value before the first stage, from which a line begins. */
  readonly start?: number;
}

/** A chart with everything around it. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence of plain text. */
  readonly text?: string;
  /** SVG for wide windows and paper. */
  readonly wide: string;
  /** SVG for phones; the wide one if it is small enough. */
  readonly narrow?: string;
  /** HTML; what the colours mean. */
  readonly legend?: string;
  /** HTML before the chart, such as switches. */
  readonly controls?: string;
  readonly table: Table;
  readonly unit?: string;
  readonly scenario?: ScenarioDrawing;
  readonly isSmall?: boolean;
}

/** A chart as HTML: title, drawing, legend, and its numbers as a table that opens on request. */
export function figureHtml(figure: Figure): string {
  const { id, title, text, wide, narrow, legend = "", controls = "", scenario } = figure;
  const drawing =
    scenario === undefined ? "" : ` data-scenario="${escapeHtml(JSON.stringify(scenario))}"`;
  const label = `${title}. Arrow keys move along the values; the table below has all of them.`;
  const plots =
    narrow === undefined
      ? wide
      : `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
  return `<figure class="chart${figure.isSmall ? " small" : ""}" id="${id}" data-title="${escapeHtml(title)}" data-unit="${escapeHtml(figure.unit ?? "")}"${drawing}>
<figcaption><h3>${escapeHtml(title)}</h3>${text === undefined ? "" : `<p>${escapeHtml(text)}</p>`}</figcaption>
${controls}<div class="plot" tabindex="0" role="group" aria-label="${escapeHtml(label)}">${plots}</div>
${legend}<details class="numbers"><summary>Table</summary><div class="scroll">${tableHtml(figure.table, title)}</div></details>
</figure>
`;
}

/** One entry of a legend. */
export interface LegendEntry {
  readonly name: string;
  /** The class that gives the colour. */
  readonly style: string;
  readonly isLine?: boolean;
}

/** What the colours of a chart mean. */
export function legendHtml(entries: readonly LegendEntry[]): string {
  const items = entries.map(
    ({ name, style, isLine }) =>
      `<li><svg width="16" height="10" aria-hidden="true">${
        isLine
          ? `<path class="${style}" d="M0 5H16"/>`
          : `<rect class="${style}" width="16" height="10"/>`
      }</svg>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}
