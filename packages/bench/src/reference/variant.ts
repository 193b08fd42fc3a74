/** The example, changed so that both programs solve the same problem. */
import { columnOf, type ExampleCase, type NumberTable } from "./example-case.js";

/** How much more than the dearest deficit an inflow costs that is made up. */
const ABOVE_DEFICIT = 2;

/**
 * The first stages of a case, with two changes. Water that makes up for a negative inflow costs more than any deficit: otherwise it pays to let
 * inflows be made up, and the two programs let so in different ways. And the new part of an inflow with one lag is exact: the examples round
 * it, and the Rust program derives it from the coefficient.
 */
export function sameProblem(source: ExampleCase, stages = Number.POSITIVE_INFINITY): ExampleCase {
  const { json, tables } = source;
  const { stages: all } = json["stages.json"];
  const kept = new Set(all.slice(0, stages).map(({ id }) => id));
  const penalties = json["penalties.json"];
  const dearest = Math.max(...penalties.bus.deficit_segments.map(({ cost }) => cost));
  const factors = json["scenarios/load_factors.json"];
  return {
    json: {
      ...json,
      "stages.json": { ...json["stages.json"], stages: all.filter(({ id }) => kept.has(id)) },
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
        withExactRatios(keepStages(table, kept)),
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

function withExactRatios(table: NumberTable): NumberTable {
  const { columns, rows } = table;
  const ratio = columns.indexOf("residual_std_ratio");
  if (ratio === -1 || columnOf(table, "lag").some((lag) => lag > 1)) return table;
  const coefficient = columns.indexOf("coefficient");
  const exact = (row: readonly number[]) => Math.sqrt(1 - (row[coefficient] ?? 0) ** 2);
  return { columns, rows: rows.map((row) => row.with(ratio, exact(row))) };
}
