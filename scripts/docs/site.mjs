/** Puts the site together: texts, generated pages, style, script and index. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../prepare.mjs";
import { arrange } from "./contents.mjs";
import { pageHtml } from "./layout.mjs";
import { markdownRenderer } from "./markdown.mjs";
import { apiPages } from "./pages/api.mjs";
import { commandReference } from "./pages/commands.mjs";
import { chartStyle, examples } from "./pages/examples.mjs";
import { searchIndex } from "./search-index.mjs";
import { linksOf, textSources } from "./sources.mjs";

/** Builds the site in a folder, which is replaced. Returns the names of the pages. */
export function buildSite(folder, tools) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "images"), { recursive: true });
  const sources = textSources();
  const images = new Set();
  const markdown = markdownRenderer(tools, linksOf(sources, images));
  const pages = [
    ...sources.map((source) => textPage(source, markdown)),
    examples(tools, folder),
    commandReference(tools),
    ...apiPages(tools, markdown),
  ];
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const sections = arrange(pages);
  for (const page of pages) {
    writeFileSync(join(folder, `${page.name}.html`), pageHtml(page, sections, version));
  }
  for (const path of images) copyFileSync(join(ROOT, path), join(folder, "images", basename(path)));
  const { colours, charts } = chartStyle();
  const style = readFileSync(join(ROOT, "scripts/docs/style.css"), "utf8");
  writeFileSync(join(folder, "style.css"), colours + style + charts);
  copyFileSync(join(ROOT, "scripts/docs/site.js"), join(folder, "site.js"));
  const ordered = sections.flatMap((section) => section.pages);
  writeFileSync(join(folder, "search-index.js"), searchIndex(ordered));
  return pages.map(({ name }) => name);
}

/** A page of a text; its title is its first heading. */
function textPage({ path, name, text }, markdown) {
  const { html, headings } = markdown(text, path);
  const title = name === "index" ? "Overview" : headings[0]?.title;
  if (title === undefined) throw new Error(`${path} has no heading to take as its title`);
  return { name, title, html, headings };
}
