/** What is around the text of a page: sidebar, search, contents of the page. */
import { escapeHtml } from "./html.mjs";

/** A page as a whole document. Style and script are files beside it; nothing comes from elsewhere. */
export function pageHtml(page, sections, version) {
  const { title, name, html, headings } = page;
  const flat = sections.flatMap(({ pages }) => pages);
  const place = flat.findIndex((one) => one.name === name);
  const documentTitle =
    name === "index" ? "Cobre for TypeScript" : `${title} – Cobre for TypeScript`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(documentTitle)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script src="site.js" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="pages" hidden>Pages</button>
<a class="home" href="index.html">Cobre</a>
<div class="search" role="search" hidden><input id="search" type="search" placeholder="Search (/)" aria-label="Search the documentation" autocomplete="off"><div id="found" hidden></div></div>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${sections.map((section) => sectionHtml(section, name)).join("")}</nav>
<main id="text">
${html}<footer>${neighbourHtml(flat[place - 1], "previous")}${neighbourHtml(flat[place + 1], "next")}<p>cobre ${escapeHtml(version)}</p></footer>
</main>
${onPageHtml(headings)}
</div>
</body>
</html>
`;
}

function sectionHtml({ title, pages }, here) {
  const links = pages.map(({ name, title: text }) => {
    const current = name === here ? ' aria-current="page"' : "";
    return `<li><a href="${name}.html"${current}>${escapeHtml(text)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2><ul>${links.join("")}</ul>`;
}

function neighbourHtml(page, which) {
  if (page === undefined) return "<span></span>";
  const label = which === "next" ? "Next" : "Previous";
  return `<a rel="${which === "next" ? "next" : "prev"}" href="${page.name}.html"><small>${label}</small>${escapeHtml(page.title)}</a>`;
}

/** The sections of a page, beside it; a short page has none. */
function onPageHtml(headings) {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return "<aside></aside>";
  const links = shown.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${links.join("")}</ul></aside>`;
}
