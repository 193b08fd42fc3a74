/** The index of the search: a line for each section of each page. */
import { textOf } from "./html.mjs";

/** Enough of a section to find it, without making the index large. */
const LONGEST = 1200;
const HEADING = /(?=<h[123] id=")/;

/** A script that leaves the index in a variable: a page that is opened from a disk cannot fetch a file. */
export function searchIndex(pages) {
  const lines = pages.flatMap(({ name, title, html }) =>
    html.split(HEADING).flatMap((part) => {
      const [, id] = /^<h[123] id="([^"]*)"/.exec(part) ?? [];
      const [head, ...rest] = part.split(/<\/h[123]>/);
      if (id === undefined) return [];
      const heading = textOf(head).replace(/ #$/, "");
      return [[name, id, title, heading, textOf(rest.join("")).slice(0, LONGEST)]];
    }),
  );
  return `window.cobreSearch = ${JSON.stringify(lines)};\n`;
}
