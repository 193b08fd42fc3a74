import type { Cube, Report, ReportSummary } from "@cobre/study";
import { escapeHtml } from "../page/html.js";

/** A part of the page, which answers one question. */
export interface Section {
  readonly id: string;
  /** In the index. */
  readonly name: string;
  /** The heading: a question, or what it is. */
  readonly title: string;
  readonly html: string;
}

/** What sections are made from. */
export interface Source {
  readonly report: Report;
  readonly summary: ReportSummary;
  /** The cubes that the script needs, by name. Sections add them. */
  readonly cubes: Map<string, Cube>;
  /** Other data for the script. Sections add them. */
  readonly data: Map<string, unknown>;
}

/** Says why there is nothing to show, and what would give something. */
export function nothing(why: string): string {
  return `<p class="nothing">${escapeHtml(why)}</p>`;
}

export const NO_SIMULATION =
  "No simulation in this run. `cobre simulate CASE --policy OUT` makes one.";

/** Charts beside each other. With more than twelve, the script adds a search. */
export function smallMultiples(figures: readonly string[], what: string): string {
  const search =
    figures.length > 12
      ? `<label class="search live">Show only <input type="search" placeholder="${escapeHtml(what)}" data-search></label>`
      : "";
  return `${search}<div class="multiples">${figures.join("")}</div>`;
}

/** Text before charts. */
export function paragraph(text: string): string {
  // A number stays beside its unit.
  const glued = text.replace(/(?<=\d) (?=(?:%|[kMGT]?[$B]|m?s)(?!\w))/g, "\u00a0");
  return `<p class="lead">${escapeHtml(glued)}</p>`;
}
