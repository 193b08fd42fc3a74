/** The example, changed so that both programs solve the same problem. */
import { columnOf, type ExampleCase, type NumberTable, type StageFields } from "./example-case.js";

/** How much more than the dearest deficit an inflow costs that is made up. */
const ABOVE_DEFICIT = 2;
const AUTOREGRESSIONS = "scenarios/inflow_ar_coefficients";

/** What is smaller than in the case. */
export interface ProblemSize {
  readonly stages?: number;
  /** Of each stage. */
  readonly openings?: number;
}

/**
 * A case with changes that make it the same problem for both programs. Water that makes up for a negative inflow costs more than any
 * deficit: otherwise it pays to let inflows be made up, and the two programs let so in different ways. The coefficients of inflows are the same
 * in every year, and the new part of an inflow follows exactly from them: the Rust program derives it, once for each season, and the
 * examples have rounded it.
 */
export function sameProblem(source: ExampleCase, size: ProblemSize = {}): ExampleCase {
  const { json, tables } = source;
  const { stages = Number.POSITIVE_INFINITY, openings } = size;
  const { stages: all } = json["stages.json"];
  const kept = new Set(all.slice(0, stages).map(({ id }) => id));
  const penalties = json["penalties.json"];
  const dearest = Math.max(...penalties.bus.deficit_segments.map(({ cost }) => cost));
  const factors = json["scenarios/load_factors.json"];
  return {
    json: {
      ...json,
      "stages.json": {
        ...json["stages.json"],
        stages: all
          .filter(({ id }) => kept.has(id))
          .map((stage) => ({ ...stage, num_scenarios: openings ?? stage.num_scenarios })),
      },
      "penalties.json": {
        ...penalties,
        hydro: { ...penalties.hydro, inflow_nonnegativity_cost: ABOVE_DEFICIT * dearest },
      },
      ...(factors && {
        "scenarios/load_factors.json": {
          load_factors: factors.load_factors.filter(({ stage_id }) => kept.has(stage_id)),
        },
      }),
    },
    tables: Object.fromEntries(
      Object.entries(tables).map(([path, table]) => [
        path,
        keepStages(path === AUTOREGRESSIONS ? everyYearTheSame(table, all) : table, kept),
      ]),
    ),
  };
}

/** Stages before the study have negative ids and stay. */
function keepStages({ columns, rows }: NumberTable, kept: ReadonlySet<number>): NumberTable {
  const stage = columns.indexOf("stage_id");
  return {
    columns,
    rows: rows.filter((row) => (row[stage] ?? 0) < 0 || kept.has(row[stage] ?? 0)),
  };
}

/** The coefficients of the first year in every year. Only inflows with one lag are known here. */
function everyYearTheSame(table: NumberTable, stages: readonly StageFields[]): NumberTable {
  const { columns, rows } = table;
  if (columnOf(table, "lag").some((lag) => lag !== 1))
    throw new Error("the part of an inflow that is new is known only for inflows with one lag");
  const at = (name: string) => columns.indexOf(name);
  const [hydro, stage, coefficient] = [at("hydro_id"), at("stage_id"), at("coefficient")];
  const seasonOf = new Map(stages.map(({ id, season_id }) => [id, season_id]));
  const first = new Map<string, number>();
  const changed = rows.map((row) => {
    const key = `${row[hydro]} ${seasonOf.get(row[stage] ?? 0)}`;
    const value = first.get(key) ?? row[coefficient] ?? 0;
    first.set(key, value);
    return row.with(coefficient, value).with(at("residual_std_ratio"), Math.sqrt(1 - value ** 2));
  });
  return { columns, rows: changed };
}
