/** The example cases: each is run, and its report gives the pictures. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEMPLATES } from "../../../packages/cli/dist/templates.js";
import { CHART_STYLE } from "../../../packages/report/dist/page/chart-style.js";
import { STYLE } from "../../../packages/report/dist/page/style.js";
import { run } from "../../packages/outside.mjs";
import { ROOT } from "../../prepare.mjs";
import { codeHtml } from "../code.mjs";
import { escapeHtml } from "../html.mjs";
import { anchorHtml } from "../markdown.mjs";

const COBRE = join(ROOT, "packages/cli/bin/cobre.js");
const CASES = join(ROOT, "examples/cases");
/** The figures that are shown, by their ids in the report. */
const SHOWN = ["generation-all", "storage-0"];
/** What the title of a figure does not say outside of its section. */
const NAMES = { "storage-0": "Storage of " };

/** A page with a section for each example. Writes pictures and reports to the folder of the site. */
export function examples({ highlight }, site) {
  const work = mkdtempSync(join(tmpdir(), "cobre-docs-"));
  try {
    // An example for an earlier version is one of the others once more.
    const names = inOrder(readdirSync(CASES).filter((name) => !name.endsWith("-0.5")));
    const sections = names.map((name) => sectionHtml(name, work, site, highlight));
    return {
      name: "examples",
      title: "Example cases",
      html: `<h1 id="example-cases">Example cases</h1>
<p>They are in <code>examples/cases</code>, and <code>cobre init --template NAME</code> copies one. The pictures are those of their reports, drawn
when these pages were made.</p>
${sections.join("")}`,
      headings: names.map((name) => ({ level: 2, id: name, title: name })),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Templates in the order of `cobre init --help`, then what else there is. */
function inOrder(names) {
  const known = Object.keys(TEMPLATES).filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name))];
}

function sectionHtml(name, work, site, highlight) {
  const output = join(work, name);
  const page = `report-${name}.html`;
  const cobre = (...args) => run(process.execPath, [COBRE, ...args], ROOT);
  cobre("run", join("examples/cases", name), "--quiet", "--output", output);
  cobre("report", output, "--html", join(site, page));
  const report = readFileSync(join(site, page), "utf8");
  const about = TEMPLATES[name]?.about ?? "an example";
  return `<h2 id="${name}">${escapeHtml(name)}${anchorHtml(name)}</h2>
<p>${escapeHtml(about[0].toUpperCase() + about.slice(1))}. Here is <a href="${page}">its whole report</a>.</p>
${codeHtml(highlight, `cobre init ${name} --template ${name}\ncobre run ${name}\n`, "sh")}${SHOWN.map((id) => pictureHtml(report, id)).join("")}`;
}

/** A figure of a report with its legend, without what one can click there. */
function pictureHtml(report, id) {
  const [, figure] =
    new RegExp(`<figure[^>]* id="${id}".*?>(.*?)</figure>`, "s").exec(report) ?? [];
  if (figure === undefined) return "";
  const [title] = /(?<=<h3>).*?(?=<\/h3>)/s.exec(figure) ?? [""];
  const [drawing] = /<svg[^>]* role="img".*?<\/svg>/s.exec(figure) ?? [];
  const [legend = ""] = /<ul class="legend">.*?<\/ul>/s.exec(figure) ?? [];
  if (drawing === undefined) throw new Error(`the figure ${id} of the report has no drawing`);
  const [, width] = /viewBox="0 0 (\d+)/.exec(drawing) ?? [];
  return `<figure class="picture" style="max-width: ${width * 1.3}px"><figcaption>${NAMES[id] ?? ""}${title}</figcaption>${drawing}${legend}</figure>\n`;
}

/** The look of the figures, and the colours that the whole site shares with the reports. */
export function chartStyle() {
  const colours = STYLE.slice(0, STYLE.indexOf("*, ::before"));
  return { colours, charts: `.picture {\n${CHART_STYLE}\n}\n` };
}
