import { type Report, summaryOfReport } from "@cobre/study";
import { convergenceSection } from "../sections/convergence.js";
import { costsSection } from "../sections/costs.js";
import { generationSection } from "../sections/generation.js";
import { headHtml } from "../sections/head.js";
import { numericsSection } from "../sections/numerics.js";
import { otherPlantsSection } from "../sections/other-plants.js";
import { exchangesSection, pricesSection } from "../sections/prices.js";
import { provenanceSection } from "../sections/provenance.js";
import { reservoirsSection } from "../sections/reservoirs.js";
import type { Section, Source } from "../sections/section.js";
import { timeSection } from "../sections/time.js";
import { waterValuesSection } from "../sections/water-values.js";
import { dataHtml } from "./data.js";
import { explorerHtml } from "./explorer.js";
import { escapeHtml } from "./html.js";
import { clientScript } from "./script.js";
import { STYLE } from "./style.js";

/** In the order of the questions that readers have. */
const SECTIONS: readonly ((source: Source) => Section | undefined)[] = [
  convergenceSection,
  costsSection,
  generationSection,
  otherPlantsSection,
  reservoirsSection,
  waterValuesSection,
  pricesSection,
  exchangesSection,
  timeSection,
  numericsSection,
  provenanceSection,
];

/**
 * The report on a run as one HTML page. It needs nothing else: no network, no other file, and no JavaScript, although a script in it adds
 * the scenario explorer, tooltips and downloads.
 *
 * @example
 * ```ts
 * writeFileSync("report.html", renderReport(await reportOf(await openRun("out"))));
 * ```
 */
export function renderReport(report: Report): string {
  const source: Source = {
    report,
    summary: summaryOfReport(report),
    cubes: new Map(),
    data: new Map(),
  };
  const sections = SECTIONS.map((section) => section(source)).filter((one) => one !== undefined);
  const name = source.summary.case.name ?? "Cobre";
  const links = sections.map(({ id, name }) => `<li><a href="#${id}">${name}</a></li>`);
  const parts = sections.map(
    ({ id, title, html }) => `<section id="${id}"><h2>${escapeHtml(title)}</h2>${html}</section>\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="cobre ${escapeHtml(source.summary.version)}">
<title>${escapeHtml(name)} – report</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Contents"><ul><li><a href="#top">Summary</a></li>${links.join("")}</ul></nav>
<main id="top">
${headHtml(source)}
${explorerHtml(report)}
${parts.join("")}
<footer>Written by cobre ${escapeHtml(source.summary.version)}. Tables show the values of the run in full precision; charts are drawn from values with seven digits.</footer>
</main>
${dataHtml(source)}
<script>${clientScript()}</script>
</body>
</html>
`;
}
