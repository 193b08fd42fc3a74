/** Markdown as HTML: anchors of headings, links within the site, coloured code. */
import { codeHtml } from "./code.mjs";
import { escapeHtml } from "./html.mjs";
import { inlineMath, mathHtml } from "./math.mjs";
import { Slugs } from "./slugs.mjs";

/**
 * Makes the function that renders a text.
 *
 * @param {(target: string, source: string) => string | undefined} linkOf where a link of a source file leads on the site;
 *   `undefined` if the site has no such page, and then the text is shown without a link
 */
export function markdownRenderer({ MarkdownIt, highlight }, linkOf) {
  const renderer = new MarkdownIt({ html: true, linkify: false, typographer: false });
  const { rules } = renderer.renderer;
  inlineMath(renderer);
  rules.fence = (tokens, i) => {
    const [language = ""] = tokens[i].info.trim().split(/\s+/);
    if (language === "math")
      return `<div class="formula">${mathHtml(tokens[i].content, true)}</div>\n`;
    return codeHtml(highlight, tokens[i].content, language);
  };
  rules.table_open = () => '<div class="scroll"><table>';
  rules.table_close = () => "</table></div>\n";
  rules.heading_open = (tokens, i, _options, { headings }) =>
    `<${tokens[i].tag} id="${headings.get(tokens[i]).id}">`;
  // The heading consists of three tokens: its beginning, its text and its end.
  rules.heading_close = (tokens, i, _options, { headings }) => {
    const { level, id } = headings.get(tokens[i - 2]);
    return `${level === 1 ? "" : anchorHtml(id)}</${tokens[i].tag}>\n`;
  };

  /** Headings get their ids before anything is rendered, since links are looked up among them. */
  return (text, source, slugs = new Slugs()) => {
    const environment = { headings: new Map() };
    const tokens = renderer.parse(text, environment);
    const headings = [];
    for (const [i, token] of tokens.entries()) {
      if (token.type === "heading_open") {
        const title = plainText(tokens[i + 1]);
        const heading = { level: Number(token.tag.slice(1)), id: slugs.of(title), title };
        environment.headings.set(token, heading);
        headings.push(heading);
      }
      if (token.type === "inline") relink(token.children, source, linkOf);
    }
    return { html: renderer.renderer.render(tokens, renderer.options, environment), headings };
  };
}

/** The link to a heading that stands beside it. */
export function anchorHtml(id) {
  return ` <a class="anchor" href="#${id}" aria-label="link to this section">#</a>`;
}

/** A heading without its marks, as GitHub takes it for the anchor. */
function plainText({ children }) {
  return children.map(({ type, content }) => (type === "image" ? "" : content)).join("");
}

function relink(tokens, source, linkOf) {
  const open = [];
  for (const token of tokens) {
    if (token.type === "image") {
      token.attrSet("src", linkOf(token.attrGet("src"), source));
      token.attrSet("loading", "lazy");
    } else if (token.type === "link_open") {
      const target = token.attrGet("href");
      const link = linkOf(target, source);
      open.push(link);
      if (link !== undefined) token.attrSet("href", link);
      else inRepository(token, target);
    } else if (token.type === "link_close") {
      if (open.pop() === undefined) token.tag = "span";
    }
  }
}

/** What the site does not have is a file of the repository: its path is shown when the mouse is over it. */
function inRepository(token, target) {
  token.tag = "span";
  token.attrs = [
    ["class", "in-repository"],
    ["title", escapeHtml(`in the repository: ${target.replace(/^(?:\.\.?\/)+/, "")}`)],
  ];
}
