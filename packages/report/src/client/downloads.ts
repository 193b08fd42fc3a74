import { shownPlot } from "./plot.js";
import { savedDrawing } from "./saved-drawing.js";

/** Adds the buttons below each chart that save its numbers and its drawing. */
export function startDownloads(): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.numbers")) {
    const figure = details.closest<HTMLElement>("figure.chart");
    const table = details.querySelector("table");
    const nameOfFile = () => figure?.dataset.save ?? figure?.id ?? details.dataset.name ?? "plants";
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
    if (table) {
      button("CSV", "save the table", () => {
        save(`${nameOfFile()}.csv`, new Blob([csvOf(table)], { type: "text/csv" }));
      });
    }
    const svg = figure?.querySelector<SVGSVGElement>(".plot svg");
    if (figure && svg) {
      const drawing = () => savedDrawing(figure, shownPlot(figure)?.svg ?? svg);
      button("SVG", "save the drawing", () => {
        save(`${nameOfFile()}.svg`, new Blob([drawing()], { type: "image/svg+xml" }));
      });
      button("PNG", "save the drawing as an image", async () => {
        const image = await pngOf(drawing());
        if (image !== null) save(`${nameOfFile()}.png`, image);
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

/** Pixels of a picture for each pixel of its drawing: sharp on paper and on dense screens. */
const PNG_SCALE = 2;

/** A drawing as a picture; `null` if the browser cannot make one. */
async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * PNG_SCALE;
  canvas.height = image.height * PNG_SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
