import { escapeHtml } from "./html.js";

/** A column of the table below a chart. */
export interface Column {
  readonly label: string;
  /** Numbers have a unit, which may be empty; texts have none. */
  readonly unit?: string;
}

export type Cell = number | string | null;

/** The numbers of a chart, in full precision. Row `i` belongs to place `i` of the chart. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A table as HTML. Numbers are written so that reading them gives the same bits. */
export function tableHtml({ columns, rows }: Table, caption: string): string {
  const heads = columns.map(({ label, unit }) => {
    const of = unit === undefined ? "" : ` data-unit="${escapeHtml(unit)}"`;
    const shown = unit ? `${label} <small>${escapeHtml(unit)}</small>` : label;
    return `<th scope="col"${of}>${shown}</th>`;
  });
  const body = rows.map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`);
  return `<table><caption>${escapeHtml(caption)}</caption><thead><tr>${heads.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function cellHtml(cell: Cell): string {
  if (typeof cell === "string") return `<th scope="row">${escapeHtml(cell)}</th>`;
  return cell === null || Number.isNaN(cell) ? "<td></td>" : `<td>${cell}</td>`;
}
