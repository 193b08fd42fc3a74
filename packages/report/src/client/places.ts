import { chosen } from "./explorer.js";
import { tableHeads, tableNumbers } from "./plot.js";
import { drawingOf, drawScenarios } from "./scenario-drawing.js";

/** What a figure shows: of the whole system, or of a bus in its place. */
interface Shown {
  readonly title: string;
  readonly scenario: string;
  /** The name of saved files; none if they are of the whole system. */
  readonly save: string | undefined;
  readonly rows: readonly (readonly number[])[];
}

/** Makes the switch of a chart show what the chart of a bus shows, as large as the whole system. */
export function startPlaces(): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>("select[data-places]")) {
    const figure = select.closest<HTMLElement>("figure");
    if (figure === null) continue;
    const { title = "", scenario = "" } = figure.dataset;
    const whole: Shown = { title, scenario, save: undefined, rows: tableNumbers(figure) };
    select.addEventListener("change", () => {
      const bus = document.getElementById(select.value);
      show(figure, bus === null ? whole : inColumnsOf(figure, whole, bus));
      drawScenarios(figure, chosen);
    });
  }
}

/** The chart of a bus in the columns of the whole system: what the bus does not have is 0. */
function inColumnsOf(figure: HTMLElement, whole: Shown, bus: HTMLElement): Shown {
  const own = tableHeads(bus);
  const columns = tableHeads(figure).map((name) => own.indexOf(name));
  const drawing = drawingOf(bus);
  const items = columns.map((column) => drawing?.items?.[column] ?? -1);
  return {
    title: `${whole.title} · ${bus.dataset.title}`,
    scenario: JSON.stringify({ ...drawing, items }),
    save: bus.id,
    rows: tableNumbers(bus).map((row) => columns.map((column) => row[column] ?? 0)),
  };
}

function show(figure: HTMLElement, { title, scenario, save, rows }: Shown): void {
  Object.assign(figure.dataset, { title, scenario });
  if (save === undefined) delete figure.dataset.save;
  else figure.dataset.save = save;
  const written = figure.querySelector("table")?.tBodies[0]?.rows ?? [];
  rows.forEach((values, place) => {
    const cells = [...(written[place]?.cells ?? [])].slice(1);
    cells.forEach((cell, column) => {
      cell.textContent = String(values[column]);
    });
  });
  const caption = figure.querySelector("caption");
  if (caption !== null) caption.textContent = title;
}
