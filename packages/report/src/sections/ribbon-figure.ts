import type { Bands, StageEntry } from "@cobre/study";
import { SMALL } from "../charts/frame.js";
import { ribbonsSvg } from "../charts/ribbons.js";
import { stageName } from "../charts/stage-labels.js";
import { figureHtml, legendHtml } from "../page/figure.js";
import type { Cell, Column } from "../page/table.js";

/** A quantity over the stages, as percentiles of the scenarios. */
export interface RibbonFigure {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly unit: string;
  readonly stages: readonly StageEntry[];
  readonly bands: Bands;
  /** The cube that the script has, and the item of it and of the bands. */
  readonly cube: string;
  readonly item: number;
  readonly initial?: number;
  readonly limits?: readonly Limit[];
  readonly fromZero?: boolean;
  readonly style: string;
  /** More columns for the table. */
  readonly more?: readonly { readonly column: Column; readonly values: ArrayLike<number> }[];
}

export interface Limit {
  readonly name: string;
  readonly values: Float64Array;
}

const NAMES: Readonly<Record<number, string>> = { 0: "lowest", 50: "median", 100: "highest" };

export function ribbonFigure(figure: RibbonFigure): string {
  const { title, unit, stages, bands, item, initial, limits = [], more = [] } = figure;
  const { levels, values } = bands;
  const known = limits.filter((limit) => limit.values.some(Number.isFinite));
  const rows = stages.map((stage, t): Cell[] => [
    stageName(stage),
    ...levels.map((_, l) => values[(item * stages.length + t) * levels.length + l] as number),
    ...known.map((limit) => limit.values[t] as number),
    ...more.map((one) => one.values[t] as number),
  ]);
  const { id, text, cube, style, fromZero = false } = figure;
  return figureHtml({
    id,
    title,
    ...(text === undefined ? {} : { text }),
    wide: ribbonsSvg(SMALL, {
      title,
      unit,
      stages,
      bands,
      item,
      style,
      fromZero,
      limits: known.map((limit) => limit.values),
      ...(initial === undefined ? {} : { initial }),
    }),
    isSmall: true,
    unit,
    scenario: {
      form: "line",
      cube,
      items: [item],
      ...(initial !== undefined && Number.isFinite(initial) ? { start: initial } : {}),
    },
    table: {
      columns: [
        { label: "stage" },
        ...levels.map((level) => ({ label: NAMES[level] ?? `${level} %`, unit })),
        ...known.map(({ name }) => ({ label: name, unit })),
        ...more.map(({ column }) => column),
      ],
      rows,
    },
  });
}

/** What the ribbons mean; once for all charts of a section. */
export function ribbonLegend(style: string, limit?: string): string {
  return legendHtml([
    { name: "lowest to highest", style: `ribbon r0 ${style}` },
    { name: "10 to 90 %", style: `ribbon r1 ${style}` },
    { name: "25 to 75 % of the scenarios", style: `ribbon r2 ${style}` },
    { name: "median", style: `median ${style}`, isLine: true },
    ...(limit === undefined ? [] : [{ name: limit, style: "limit", isLine: true }]),
  ]);
}
