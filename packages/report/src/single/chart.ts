import type { Report, SimulationReport } from "@cobre/study";
import { barsSvg, type Series } from "../charts/bars.js";
import { convergenceSvg } from "../charts/convergence.js";
import { WIDE } from "../charts/frame.js";
import { histogramOf, histogramSvg } from "../charts/histogram.js";
import { ribbonsSvg } from "../charts/ribbons.js";
import { stageName, stageTicks } from "../charts/stage-labels.js";
import { curveOf, valueFunctionSvg } from "../charts/value-function.js";
import type { LegendEntry } from "../page/figure.js";
import { escapeHtml } from "../page/html.js";
import { powerBySource } from "../sections/sources.js";
import { plainStyle } from "./plain-style.js";

/** Which chart: some are of one plant, bus or stage, which are given by their ids. */
export type ChartRequest =
  | { readonly kind: "convergence" | "costs" | "generation" }
  | { readonly kind: "storage" | "water_value"; readonly hydroId: number }
  | { readonly kind: "price"; readonly busId: number; readonly blockId?: number | undefined }
  | { readonly kind: "value_function"; readonly hydroId: number; readonly stageId: number };

/** A chart as SVG that needs nothing else. */
export interface Chart {
  readonly title: string;
  readonly svg: string;
}

/** A report has no such chart; the message tells what there is instead. */
export class NoChart extends Error {
  override readonly name = "NoChart";
}

/**
 * One chart of a report, as SVG that needs no page, no style and no font of its own.
 *
 * @throws {@link NoChart} if the run has no such results
 * @example
 * ```ts
 * const { svg } = renderChart(await reportOf(await openRun("out")), { kind: "storage", hydroId: 0 });
 * ```
 */
export function renderChart(report: Report, request: ChartRequest): Chart {
  const { title, drawing, legend } = draw(report, request);
  return { title, svg: standalone(title, drawing, legend) };
}

interface Drawn {
  readonly title: string;
  readonly drawing: string;
  readonly legend: readonly LegendEntry[];
}

function draw(report: Report, request: ChartRequest): Drawn {
  switch (request.kind) {
    case "convergence":
      return convergence(report);
    case "costs":
      return costs(simulated(report));
    case "generation":
      return generation(simulated(report));
    case "price":
      return price(simulated(report), request.busId, request.blockId);
    case "value_function":
      return valueFunction(report, request.hydroId, request.stageId);
    default:
      return reservoir(simulated(report), request.kind, request.hydroId);
  }
}

function convergence({ convergence: of, simulation, run }: Report): Drawn {
  if (of === undefined || of.iteration.length === 0) throw new NoChart("the run has not trained");
  const title = "Bound and forward cost by iteration";
  const mean = run.isRiskNeutral ? simulation?.costs.distribution : undefined;
  return {
    title,
    drawing: convergenceSvg(WIDE, { title, convergence: of, simulated: mean, isLog: false }),
    legend: [
      { name: "lower bound", style: "bound", isLine: true },
      { name: "mean of the forward passes (a sample)", style: "point forward" },
      ...(of.recent && of.recent.ci95 !== null
        ? [{ name: `its 95 % interval, last ${of.recent.iterations}`, style: "interval forward" }]
        : []),
      ...(mean ? [{ name: "simulated mean", style: "simulated", isLine: true }] : []),
    ],
  };
}

function costs({ costs: of }: SimulationReport): Drawn {
  const title = "Cost of the simulated scenarios";
  const drawing = histogramSvg(
    WIDE,
    title,
    histogramOf(of.total, of.byKind.probabilities),
    of.distribution,
  );
  return { title, drawing, legend: [] };
}

function generation(simulation: SimulationReport): Drawn {
  const title = "Generation by source and stage, mean over the scenarios";
  const { stages } = simulation;
  const { sources, cube, use } = powerBySource(simulation);
  const means = cube.means();
  const of = (item: number) => means.subarray(item * stages.length, (item + 1) * stages.length);
  const series: Series[] = sources
    .map(({ name, style }, s) => ({ name, style, values: of(s) }))
    .filter(({ style, values }) => style === "deficit" || values.some((value) => value !== 0));
  const drawing = barsSvg(WIDE, {
    title,
    unit: "MWh",
    series,
    count: stages.length,
    line: of(sources.length),
    ticks: (room) => stageTicks(stages, room),
  });
  return { title, drawing, legend: [...series, { name: use, style: "load", isLine: true }] };
}

function reservoir(
  { hydros, stages }: SimulationReport,
  kind: "storage" | "water_value",
  hydroId: number,
): Drawn {
  const item = indexOf(hydros.plants, hydroId, "hydro plant");
  const name = hydros.plants[item]?.name;
  const isStorage = kind === "storage";
  const title = isStorage ? `Storage of ${name}, end of stage` : `Water value of ${name}`;
  const style = isStorage ? "hydro" : "water";
  const of = (limits: Float64Array) =>
    limits.subarray(item * stages.length, (item + 1) * stages.length);
  const drawing = ribbonsSvg(WIDE, {
    title,
    unit: isStorage ? "hm³" : "$/hm³",
    stages,
    bands: (isStorage ? hydros.storage : hydros.waterValue).bands(),
    item,
    fromZero: true,
    style,
    ...(isStorage
      ? {
          initial: hydros.initialStorage[item] as number,
          limits: [of(hydros.minStorage), of(hydros.maxStorage)],
        }
      : {}),
  });
  return { title, drawing, legend: [...ribbonLegend(style), ...(isStorage ? [LIMITS] : [])] };
}

function price({ buses, stages }: SimulationReport, busId: number, blockId?: number): Drawn {
  const bus = indexOf(buses.buses, busId, "bus");
  const block = blockId === undefined ? 0 : buses.blocks.indexOf(blockId);
  if (block < 0) throw new NoChart(`there is no block ${blockId}`);
  const title = `Price of ${buses.buses[bus]?.name}, block ${buses.blocks[block]}`;
  const drawing = ribbonsSvg(WIDE, {
    title,
    unit: "$/MWh",
    stages,
    bands: buses.prices.bands(),
    item: bus * buses.blocks.length + block,
    fromZero: true,
    style: "price",
  });
  return { title, drawing, legend: ribbonLegend("price") };
}

function valueFunction({ values }: Report, hydroId: number, stageId: number): Drawn {
  if (values === undefined) throw new NoChart("the run has no policy of its own");
  const reservoir = indexOf(values.reservoirs, hydroId, "reservoir");
  const stage = indexOf(values.stages, stageId, "stage with cuts");
  const entry = values.stages[stage];
  const title = `Expected later cost by the storage of ${values.reservoirs[reservoir]?.name}, end of ${entry && stageName(entry)}`;
  const of = values.functions[reservoir]?.[stage];
  if (of === undefined) throw new NoChart("the stage has no cuts");
  return {
    title,
    drawing: valueFunctionSvg(WIDE, title, curveOf(of)),
    legend: [
      { name: "value function", style: "value", isLine: true },
      { name: "cuts", style: "cuts", isLine: true },
      { name: "visited", style: "visited", isLine: true },
    ],
  };
}

function simulated({ simulation }: Report): SimulationReport {
  if (simulation !== undefined) return simulation;
  throw new NoChart("the run has no finished simulation");
}

function indexOf(all: readonly { readonly id: number }[], id: number, what: string): number {
  const index = all.findIndex((one) => one.id === id);
  if (index >= 0) return index;
  const ids = all.map((one) => one.id).slice(0, 30);
  throw new NoChart(`there is no ${what} ${id}; there are ${ids.join(", ")}`);
}

const LIMITS: LegendEntry = { name: "minimum and maximum", style: "limit", isLine: true };

function ribbonLegend(style: string): LegendEntry[] {
  return [
    { name: "lowest to highest", style: `ribbon r0 ${style}` },
    { name: "10 to 90 %", style: `ribbon r1 ${style}` },
    { name: "25 to 75 % of the scenarios", style: `ribbon r2 ${style}` },
    { name: "median", style: `median ${style}`, isLine: true },
  ];
}

const MARGIN = 12;
const TITLE = 34;
const LEGEND = 30;
/** A letter of the legend, about. */
const LETTER = 6.4;

/** The drawing with its title above and what colours mean below. */
function standalone(title: string, drawing: string, legend: readonly LegendEntry[]): string {
  const width = WIDE.width + 2 * MARGIN;
  const height = TITLE + WIDE.height + (legend.length > 0 ? LEGEND : MARGIN);
  const place = `x="${MARGIN}" y="${TITLE}" width="${WIDE.width}" height="${WIDE.height}"`;
  const inner = drawing
    .replace("<svg ", `<svg ${place} `)
    .replace(/ text-anchor="(start|end)"/g, ' style="text-anchor:$1"');
  let x = MARGIN + 38;
  const y = TITLE + WIDE.height + 12;
  const entries = legend.map(({ name, style, isLine }) => {
    const mark = isLine
      ? `<path class="${style}" d="M${x} ${y}h16"/>`
      : `<rect class="${style}" x="${x}" y="${y - 5}" width="16" height="10"/>`;
    const text = `<text x="${x + 21}" y="${y + 4}" font-size="11" fill="#1b2430">${escapeHtml(name)}</text>`;
    x = Math.round(x + 40 + LETTER * name.length);
    return `${mark}${text}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escapeHtml(title)}</title><style>${plainStyle()}</style><rect width="${width}" height="${height}" fill="#fff"/><text x="${MARGIN}" y="22" font-size="15" font-weight="bold" fill="#1b2430">${escapeHtml(title)}</text>${inner}${entries.join("")}</svg>`;
}
