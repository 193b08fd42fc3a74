/** How help and errors look on a terminal. Nothing is told by a style alone, and NO_COLOR turns styles off. */
import { pageOf, styled } from "./report/page.js";

type Stream = Parameters<typeof pageOf>[0];

/** A line of help that names what follows: `Options:`. */
const TITLE = /^([A-Z][A-Za-z ]*:)( |$)/gm;

/** A help text, with its titles in bold type. */
export function styledHelp(text: string, stream: Stream): string {
  const page = pageOf(stream);
  return text.replace(TITLE, (_, title: string, after: string) => {
    return `${styled(page, "bold", title)}${after}`;
  });
}

/** A message that begins with the name of the command, with this name in red. */
export function styledError(text: string, stream: Stream): string {
  const page = pageOf(stream);
  return text.replace(/^cobre[a-z ]*:/, (name) => styled(page, "red", name));
}
