/** Text in HTML. */

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text) {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);
}

/** The text of a piece of HTML, for the index of the search. */
export function textOf(html) {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A table; cells are HTML. */
export function tableHtml(head, rows) {
  const line = (cells, tag) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll"><table><thead>${line(head, "th")}</thead><tbody>
${rows.map((row) => line(row, "td")).join("\n")}
</tbody></table></div>
`;
}
