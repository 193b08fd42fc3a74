import { CASE_FILES } from "@cobre/core";
import { withResidualRatios } from "@cobre/stochastic";
import type { Case } from "../load-case.js";
import type { OutputColumn } from "../output/column.js";
import type { Columns } from "../parquet/csv.js";
import { isObject, type Json } from "./json.js";
import type { MigrationNotes } from "./notes.js";
import { payingPlants } from "./system.js";

type Cells = Map<string, unknown[]>;

/** Changes the columns of a table. Returns whether it has. */
type TableChange = (cells: Cells, source: Case, notes: MigrationNotes) => boolean;

/** How tables change. Those that are not here stay as they are. */
export const TABLE_CHANGES: Readonly<Record<string, TableChange>> = {
  [CASE_FILES.inflowAutoregressions]: withoutRatios,
  [CASE_FILES.hydroPenalties]: turbinedCosts,
  [CASE_FILES.nonControllablePenalties]: (cells) => renamed(cells, "source_id", "ncs_id"),
  [CASE_FILES.pumpingBounds]: (cells) => renamed(cells, "station_id", "pumping_station_id"),
  [CASE_FILES.hydroBounds]: withoutFilling,
  [CASE_FILES.inflowHistory]: windows,
  [CASE_FILES.loadStatistics]: loadsOfAll,
};

/** Cobre 0.18 wants the load of every bus, also where there is none. */
function loadsOfAll(cells: Cells, { study }: Case): boolean {
  const known = new Set(cells.get("bus_id")?.map(Number));
  const added = study.system.buses.filter(({ id }) => !known.has(id));
  for (const { id } of added) {
    for (const stage of study.time.stages) {
      const row: Record<string, number> = { bus_id: id, stage_id: stage.id };
      for (const [name, data] of cells) data.push(row[name] ?? 0);
    }
  }
  return added.length > 0;
}

/** Cobre 0.18 has no limit of what is kept while a reservoir is filled. */
function withoutFilling(cells: Cells, _: Case, notes: MigrationNotes): boolean {
  const name = "filling_inflow_m3s";
  if (cells.get(name)?.some((value) => value !== null && Number(value) !== 0)) {
    const problem =
      "Cobre 0.18 knows only filling_min_rate_m3s, the least that is kept; it was left out";
    notes.add(CASE_FILES.hydroBounds, name, problem);
  }
  return cells.delete(name);
}

/** Gives a column that is there another name. */
function renamed(cells: Cells, earlier: string, later: string): boolean {
  const others = [...cells];
  cells.clear();
  // In the place that it had.
  for (const [name, data] of others) cells.set(name === earlier ? later : name, data);
  return true;
}

/** The deviation of the noise follows from the coefficients. Notes where the case has another one. */
function withoutRatios(cells: Cells, { study, uncertainty }: Case, notes: MigrationNotes): boolean {
  const { inflowStatistics, autoregressions, annualComponents } = uncertainty.input;
  try {
    const derived = withResidualRatios({
      ...study.time,
      hydroIds: study.system.hydros.map(({ id }) => id),
      statistics: inflowStatistics,
      autoregressions,
      annualComponents,
    });
    derived.forEach(({ hydroId, stageId, residualStdRatio: ratio }, i) => {
      const given = autoregressions[i]?.residualStdRatio ?? ratio;
      if (Math.abs(given - ratio) <= SAME_RATIO) return;
      const problem = `residual_std_ratio is ${given}; Cobre 0.18 takes ${ratio}, which follows from the coefficients`;
      notes.add(CASE_FILES.inflowAutoregressions, `hydro ${hydroId}, stage ${stageId}`, problem);
    });
  } catch (error) {
    const problem = `Cobre 0.18 refuses these coefficients: ${error instanceof Error ? error.message : error}`;
    notes.add(CASE_FILES.inflowAutoregressions, "coefficient", problem);
  }
  return cells.delete("residual_std_ratio");
}

/** Files have a few digits. */
const SAME_RATIO = 1e-5;

/** Plants without a production function paid nothing for turbined water, whatever their rows said. */
function turbinedCosts(cells: Cells, source: Case): boolean {
  const costs = cells.get("fpha_turbined_cost");
  if (costs === undefined) return false;
  const paying = payingPlants(source);
  const ids = cells.get("hydro_id") ?? [];
  ids.forEach((id, row) => {
    if (!paying.has(Number(id))) costs[row] = null;
  });
  return renamed(cells, "fpha_turbined_cost", "turbined_cost");
}

const MILLISECONDS_A_DAY = 86_400_000;

/** A value of a day in a month becomes one of the month. */
function windows(cells: Cells, { study }: Case, notes: MigrationNotes): boolean {
  const dates = cells.get("date");
  if (dates === undefined) return false;
  if ((study.time.seasons?.cycle ?? "monthly") !== "monthly") {
    const problem = "its dates were taken for months, and the seasons are none";
    notes.add(CASE_FILES.inflowHistory, "date", problem);
  }
  const months = dates.map((date) => {
    const value =
      date instanceof Date || typeof date === "string" ? date : Number(date) * MILLISECONDS_A_DAY;
    const day = new Date(value);
    return [0, 1].map(
      (later) => Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later) / MILLISECONDS_A_DAY,
    );
  });
  cells.delete("date");
  cells.set(
    "start_date",
    months.map(([start]) => start),
  );
  cells.set(
    "end_date",
    months.map(([, end]) => end),
  );
  return true;
}

/** The bounds of generic constraints: on the side that the sense of each says. */
export function migrateGenericBounds(cells: Cells, constraints: Json | undefined): void {
  const list = (
    Array.isArray(constraints?.constraints) ? constraints.constraints : []
  ) as unknown[];
  const senses = new Map(list.filter(isObject).map(({ id, sense }) => [Number(id), sense]));
  const bounds = cells.get("bound") ?? [];
  const ids = cells.get("constraint_id") ?? [];
  const side = (other: string) =>
    bounds.map((bound, row) => (senses.get(Number(ids[row])) === other ? null : bound));
  cells.delete("bound");
  cells.set("bound_lower", side("<="));
  cells.set("bound_upper", side(">="));
}

/**
 * The capacities of lines in the blocks of stages that have factors, in MW. A block that has a row already keeps it, with these capacities; the
 * others get one.
 */
export function migrateExchange(cells: Cells, factors: Json | undefined, { study }: Case): boolean {
  const list = (
    Array.isArray(factors?.exchange_factors) ? factors.exchange_factors : []
  ) as unknown[];
  const entries = list.filter(isObject);
  if (entries.length === 0) return false;
  const names = ["line_id", "stage_id", "block_id", "direct_mw", "reverse_mw"];
  const rows = cells.get("line_id")?.length ?? 0;
  for (const name of names) {
    if (!cells.has(name)) cells.set(name, new Array(rows).fill(null));
  }
  const keyOf = (...ids: readonly unknown[]) => ids.join(" ");
  const known = new Map(
    Array.from({ length: rows }, (_, row) => [
      keyOf(...names.slice(0, 3).map((name) => cells.get(name)?.[row])),
      row,
    ]),
  );
  const { system, time, lines } = study;
  for (const { line_id, stage_id } of entries) {
    const line = system.lines.findIndex(({ id }) => id === line_id);
    const stage = time.stages.findIndex(({ id }) => id === stage_id);
    time.stages[stage]?.blocks.forEach((_, block) => {
      const values = [
        line_id,
        stage_id,
        block,
        lines.directMw.at(stage, line, block),
        lines.reverseMw.at(stage, line, block),
      ];
      const key = keyOf(line_id, stage_id, block);
      const row = known.get(key) ?? known.size;
      known.set(key, row);
      for (const [name, data] of cells) data[row] = values[names.indexOf(name)] ?? data[row];
    });
  }
  return true;
}

/** The columns of a table as they are written. */
export function outputColumns({ columns }: Pick<Columns, "columns">): OutputColumn[] {
  return [...columns].map(([name, data]) => ({
    name,
    type: /_date$/.test(name) ? "DATE" : /(_id|^lag|_index)$/.test(name) ? "INT32" : "DOUBLE",
    data: data.map((value) => (value === null || value === undefined ? null : Number(value))),
    isNullable: data.some((value) => value === null || value === undefined),
  }));
}
