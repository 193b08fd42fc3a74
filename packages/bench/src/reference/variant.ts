/** The example, changed so that both programs solve the same problem. */
import { columnOf, type ExampleCase, type NumberTable, type StageFields } from "./example-case.js";

/** How much more than the dearest deficit an inflow costs that is made up. */
const ABOVE_DEFICIT = 2;
const AUTOREGRESSIONS = "scenarios/inflow_ar_coefficients";
const STATISTICS = "scenarios/inflow_seasonal_stats";

/** What is smaller than in the case. */
export interface ProblemSize {
  readonly stages?: number;
  /** Of each stage. */
  readonly openings?: number;
}

/**
 * A case with changes that make it the same problem for both programs. Water that makes up for a negative inflow costs more than any
 * deficit: otherwise it pays to let inflows be made up, and the two programs let so in different ways. The coefficients of inflows are the same
 * in every year: the Rust program derives the new part of an inflow from them, once for each season.
 */
export function sameProblem(source: ExampleCase, size: ProblemSize = {}): ExampleCase {
  const { json, tables } = source;
  const { stages = Number.POSITIVE_INFINITY, openings } = size;
  const { stages: all } = json["stages.json"];
  const kept = all.slice(0, stages);
  const ids = new Set(kept.map(({ id }) => id));
  const penalties = json["penalties.json"];
  const dearest = Math.max(...penalties.bus.deficit_segments.map(({ cost }) => cost));
  const factors = json["scenarios/load_factors.json"];
  const before = monthBefore(kept);
  const change = (path: string, table: NumberTable): NumberTable => {
    if (path === AUTOREGRESSIONS) return keepStages(everyYearTheSame(table, all), ids);
    if (path !== STATISTICS || before === undefined) return keepStages(table, ids);
    return withMonthBefore(keepStages(table, ids), table, before, all);
  };
  return {
    json: {
      ...json,
      "stages.json": {
        ...json["stages.json"],
        ...(before && { pre_study_stages: [before] }),
        stages: kept.map((stage) => ({ ...stage, num_openings: openings ?? stage.num_openings })),
      },
      "penalties.json": {
        ...penalties,
        hydro: { ...penalties.hydro, inflow_nonnegativity_cost: ABOVE_DEFICIT * dearest },
      },
      ...(factors && {
        "scenarios/load_factors.json": {
          load_factors: factors.load_factors.filter(({ stage_id }) => ids.has(stage_id)),
        },
      }),
    },
    tables: Object.fromEntries(
      Object.entries(tables).map(([path, table]) => [path, change(path, table)]),
    ),
  };
}

function keepStages({ columns, rows }: NumberTable, kept: ReadonlySet<number>): NumberTable {
  const stage = columns.indexOf("stage_id");
  return { columns, rows: rows.filter((row) => kept.has(row[stage] ?? 0)) };
}

/**
 * The month before the study, whose statistics the first lag needs. Where a stage of the study has the season of that month, its statistics are
 * taken; then it is `undefined`, because a declared month would change the model of the whole season.
 */
function monthBefore(stages: readonly StageFields[]) {
  const first = stages[0]?.start_date ?? "";
  const [, year, month] = /^(\d{4})-(\d{2})-01$/.exec(first) ?? [];
  if (month === undefined) throw new Error(`the first stage starts on ${first}, not with a month`);
  const start = new Date(Date.UTC(Number(year), Number(month) - 2, 1));
  const season_id = start.getUTCMonth();
  if (stages.some((stage) => stage.season_id === season_id)) return undefined;
  return { id: -1, start_date: start.toISOString().slice(0, 10), end_date: first, season_id };
}

/** The statistics of some stages, and those of the month before: those of the first stage of its season. */
function withMonthBefore(
  kept: NumberTable,
  { columns, rows }: NumberTable,
  before: { readonly id: number; readonly season_id: number },
  all: readonly StageFields[],
): NumberTable {
  const [hydro, stage] = [columns.indexOf("hydro_id"), columns.indexOf("stage_id")];
  const like = all.find(({ season_id }) => season_id === before.season_id)?.id;
  const added = rows.filter((row) => row[stage] === like).map((row) => row.with(stage, before.id));
  const inOrder = [...added, ...kept.rows].sort((a, b) => (a[hydro] ?? 0) - (b[hydro] ?? 0));
  return { columns, rows: inOrder };
}

/** The coefficients of the first year in every year. Only inflows with one lag are known here. */
function everyYearTheSame(table: NumberTable, stages: readonly StageFields[]): NumberTable {
  const { columns, rows } = table;
  if (columnOf(table, "lag").some((lag) => lag !== 1))
    throw new Error("the month before the study is known only for inflows with one lag");
  const at = (name: string) => columns.indexOf(name);
  const [hydro, stage, coefficient] = [at("hydro_id"), at("stage_id"), at("coefficient")];
  const seasonOf = new Map(stages.map(({ id, season_id }) => [id, season_id]));
  const first = new Map<string, number>();
  const changed = rows.map((row) => {
    const key = `${row[hydro]} ${seasonOf.get(row[stage] ?? 0)}`;
    const value = first.get(key) ?? row[coefficient] ?? 0;
    first.set(key, value);
    return row.with(coefficient, value);
  });
  return { columns, rows: changed };
}
