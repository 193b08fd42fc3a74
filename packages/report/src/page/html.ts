/** Text that is safe within HTML and within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Text with `code` in backquotes, as warnings have it. */
export function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** A name for an element: letters, digits and dashes. */
export function idOf(...parts: readonly (string | number)[]): string {
  return parts.join("-").replace(/[^A-Za-z0-9-]+/g, "_");
}
