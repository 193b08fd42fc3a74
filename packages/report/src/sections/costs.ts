import type { SimulationReport } from "@cobre/study";
import { rounded, withUnit } from "@cobre/study/numbers";
import { barsSvg, type Series } from "../charts/bars.js";
import { NARROW, WIDE } from "../charts/frame.js";
import { histogramOf, histogramSvg } from "../charts/histogram.js";
import { stageName, stageTicks } from "../charts/stage-labels.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import { escapeHtml } from "../page/html.js";
import { type Column, tableHtml } from "../page/table.js";
import { percent } from "../words.js";
import { kindName, kindStyle } from "./kinds.js";
import { NO_SIMULATION, nothing, type Section, type Source } from "./section.js";

export function costsSection(source: Source): Section {
  const { simulation } = source.report;
  return {
    id: "costs",
    name: "Costs",
    title: "What will it cost, and how sure is that?",
    html:
      simulation === undefined
        ? nothing(NO_SIMULATION)
        : `${distribution(simulation)}${byStage(source, simulation)}${breakdown(source)}`,
  };
}

function distribution({ costs }: SimulationReport): string {
  const title = "Cost of the simulated scenarios";
  const { distribution: of, total } = costs;
  const histogram = histogramOf(total, costs.byKind.probabilities);
  const { edges, counts } = histogram;
  const figure = figureHtml({
    id: "total-cost",
    title,
    text: `${of.isExact ? "How likely a total cost is, discounted, over all paths." : "How many scenarios cost how much in total, discounted. The shaded strip is the 95 % interval of the mean."} The further lines mark the 5th and 95th percentile and the mean of the worst 5 %.`,
    wide: histogramSvg(WIDE, title, histogram, of),
    narrow: histogramSvg(NARROW, title, histogram, of),
    scenario: { form: "mark" },
    table: {
      columns: [
        { label: "cost" },
        { label: "from", unit: "$" },
        { label: "to", unit: "$" },
        of.isExact ? { label: "probability", unit: "%" } : { label: "scenarios", unit: "" },
      ],
      rows: counts.map((count, i) => [
        `${withUnit(edges[i] as number, "$", 3)} to ${withUnit(edges[i + 1] as number, "$", 3)}`,
        edges[i] as number,
        edges[i + 1] as number,
        count,
      ]),
    },
  });
  const names = {
    mean: "mean",
    ci95: "half of its 95 % interval",
    std: "standard deviation",
    min: "lowest",
    p5: "5th percentile",
    median: "median",
    p95: "95th percentile",
    max: "highest",
    cvar95: "mean of the worst 5 % (CVaR)",
  } as const;
  const rows = (Object.keys(names) as (keyof typeof names)[]).map((key) => {
    const value = of[key];
    return `<tr><th scope="row">${names[key]}</th><td>${value === null ? "–" : withUnit(value, "$")}</td><td class="exact" data-key="${key}">${value ?? ""}</td></tr>`;
  });
  return `${figure}<div class="scroll"><table class="facts-table" id="cost-statistics"><caption>Total cost over ${rounded(of.count)} scenarios, discounted</caption><thead><tr><th scope="col"></th><th scope="col">about</th><th scope="col">exactly <small>$</small></th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function byStage(source: Source, { costs, stages }: SimulationReport): string {
  const { kinds, byKind } = costs;
  if (kinds.length === 0) return nothing("No stage of any scenario costs anything.");
  source.cubes.set("costs", byKind);
  const title = "Cost by kind and stage";
  const means = byKind.means();
  const series: Series[] = kinds.map((kind, k) => ({
    name: kindName(kind),
    style: kindStyle(kind, kinds),
    values: means.subarray(k * stages.length, (k + 1) * stages.length),
  }));
  const bars = {
    title,
    unit: "$",
    series,
    count: stages.length,
    ticks: (room: number) => stageTicks(stages, room),
  };
  return figureHtml({
    id: "cost-by-stage",
    title,
    text: "Mean over the scenarios of what each stage itself costs, not discounted.",
    wide: barsSvg(WIDE, bars),
    narrow: barsSvg(NARROW, bars),
    legend: legendHtml(series),
    unit: "$",
    scenario: { form: "stack", cube: "costs", items: kinds.map((_, k) => k) },
    table: {
      columns: [{ label: "stage" }, ...series.map(({ name }) => ({ label: name, unit: "$" }))],
      rows: stages.map((stage, t) => [
        stageName(stage),
        ...series.map(({ values }) => values[t] as number),
      ]),
    },
  });
}

/** The mean cost by kind, and the plants that cost most. */
function breakdown({ summary, report }: Source): string {
  if (summary.costs === null) return "";
  const { mean, by_kind } = summary.costs;
  const kinds = Object.keys(by_kind).filter(
    (kind) => Math.abs(by_kind[kind] as number) > 1e-9 * Math.abs(mean),
  );
  const costs = kinds.map((kind) => ({
    name: kindName(kind),
    value: by_kind[kind] as number,
    style: kindStyle(kind, report.simulation?.costs.kinds ?? []),
  }));
  const thermals = summary.thermals
    .filter(({ cost }) => cost > 0)
    .slice(0, 10)
    .map(({ name, cost }) => ({ name, value: cost, style: "thermal" }));
  const energies = summary.thermals.filter(({ energy_mwh }) => energy_mwh > 0);
  const columns: Column[] = [
    { label: "plant" },
    { label: "energy", unit: "MWh" },
    { label: "cost", unit: "$" },
  ];
  const rows = energies.map(({ name, energy_mwh, cost }) => [name, energy_mwh, cost]);
  return `<div class="pair"><div><h3>Where the cost comes from</h3><p class="sub">Mean, discounted.</p>${shares(costs, mean)}</div>${
    thermals.length === 0
      ? ""
      : `<div><h3>The most expensive plants</h3><p class="sub">Mean of the whole study, not discounted.</p>${shares(thermals)}<details class="numbers"><summary>Table</summary><div class="scroll">${tableHtml({ columns, rows }, "Thermal plants")}</div></details></div>`
  }</div>`;
}

interface Share {
  readonly name: string;
  readonly value: number;
  readonly style: string;
}

/** Bars of HTML, with their numbers beside them. */
function shares(all: readonly Share[], whole?: number): string {
  const largest = Math.max(...all.map(({ value }) => Math.abs(value)), 0);
  const rows = all.map(({ name, value, style }) => {
    const width = largest > 0 ? (100 * Math.abs(value)) / largest : 0;
    const of = whole === undefined || whole === 0 ? "" : percent((100 * value) / whole);
    return `<tr><th scope="row">${escapeHtml(name)}</th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="${style}" width="${rounded(width, 3)}" height="10"/></svg></td><td>${withUnit(value, "$", 3)}</td>${of === "" ? "" : `<td>${of}</td>`}</tr>`;
  });
  return `<table class="shares"><tbody>${rows.join("")}</tbody></table>`;
}
