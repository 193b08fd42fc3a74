import {
  BUS_PENALTY_COLUMNS,
  CASE_FILES,
  HYDRO_COLUMNS,
  HYDRO_PENALTY_COLUMNS,
  type IssueCollector,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  type OverrideRow,
  type StudyInput,
  THERMAL_COLUMNS,
} from "@cobre/core";
import type {
  GivenOpenings,
  InflowAnnualComponent,
  InflowAutoregression,
  InflowStatistics,
  LoadStatistics,
} from "@cobre/stochastic";
import { type ColumnRule, readTable, type Table } from "../parquet/read-table.js";
import { unsupported } from "../unsupported.js";

const ID: ColumnRule = { isInteger: true };

/** Columns of the same tables that this version cannot use. */
const UNSUPPORTED_HYDRO_COLUMNS = [
  "max_diversion_m3s",
  "filling_inflow_m3s",
  "water_withdrawal_m3s",
];
const IGNORED_COLUMNS = ["block_id"];

/** Reads the tables that override bounds and penalties for a stage; all may be absent. */
export async function readOverrides(
  directory: string,
  issues: IssueCollector,
): Promise<
  Pick<
    StudyInput,
    | "thermalBounds"
    | "hydroBounds"
    | "lineBounds"
    | "busPenalties"
    | "linePenalties"
    | "hydroPenalties"
  >
> {
  const read = <F extends string>(file: string, id: string, columns: Readonly<Record<F, string>>) =>
    readOverrideTable(directory, file, id, columns, issues);
  return {
    thermalBounds: await read(CASE_FILES.thermalBounds, "thermal_id", THERMAL_COLUMNS),
    hydroBounds: await read(CASE_FILES.hydroBounds, "hydro_id", HYDRO_COLUMNS),
    lineBounds: await read(CASE_FILES.lineBounds, "line_id", LINE_COLUMNS),
    busPenalties: await read(CASE_FILES.busPenalties, "bus_id", BUS_PENALTY_COLUMNS),
    linePenalties: await read(CASE_FILES.linePenalties, "line_id", LINE_PENALTY_COLUMNS),
    hydroPenalties: await read(CASE_FILES.hydroPenalties, "hydro_id", HYDRO_PENALTY_COLUMNS),
  };
}

async function readOverrideTable<F extends string>(
  directory: string,
  file: string,
  id: string,
  columns: Readonly<Record<F, string>>,
  issues: IssueCollector,
): Promise<readonly OverrideRow<F>[]> {
  const fields = Object.keys(columns) as F[];
  const others = file === CASE_FILES.hydroBounds ? UNSUPPORTED_HYDRO_COLUMNS : [];
  const rules: Record<string, ColumnRule> = { [id]: ID, stage_id: ID };
  for (const column of [...Object.values<string>(columns), ...others, ...IGNORED_COLUMNS]) {
    rules[column] = { isOptional: true };
  }
  const table = await readTable(
    directory,
    file,
    rules,
    [id, "stage_id", ...IGNORED_COLUMNS],
    issues,
  );
  if (table === undefined) return [];
  for (const column of others) {
    if (table.columns[column]?.some((value) => value > 0))
      unsupported(issues, file, column, column);
  }
  const rows: OverrideRow<F>[] = [];
  for (let row = 0; row < table.rows; row++) {
    // A row of a single block has no effect, as in the reference.
    if (!Number.isNaN(table.columns.block_id?.[row])) continue;
    const values: Partial<Record<F, number>> = {};
    for (const field of fields) {
      const value = table.columns[columns[field]]?.[row] as number;
      if (!Number.isNaN(value)) values[field] = value;
    }
    rows.push({
      id: table.columns[id]?.[row] as number,
      stageId: table.columns.stage_id?.[row] as number,
      values,
    });
  }
  return rows;
}

/** Reads `scenarios/inflow_seasonal_stats.parquet`. */
export async function readInflowStatistics(
  directory: string,
  issues: IssueCollector,
): Promise<readonly InflowStatistics[] | undefined> {
  const rules = { hydro_id: ID, stage_id: ID, mean_m3s: {}, std_m3s: { min: 0 } };
  const table = await readTable(
    directory,
    CASE_FILES.inflowStatistics,
    rules,
    ["hydro_id", "stage_id"],
    issues,
  );
  return (
    table &&
    each(table, (c, i) => ({
      hydroId: c.hydro_id[i] as number,
      stageId: c.stage_id[i] as number,
      mean: c.mean_m3s[i] as number,
      std: c.std_m3s[i] as number,
    }))
  );
}

/** Reads `scenarios/load_seasonal_stats.parquet`. */
export async function readLoadStatistics(
  directory: string,
  issues: IssueCollector,
): Promise<readonly LoadStatistics[] | undefined> {
  const rules = { bus_id: ID, stage_id: ID, mean_mw: {}, std_mw: { min: 0 } };
  const table = await readTable(
    directory,
    CASE_FILES.loadStatistics,
    rules,
    ["bus_id", "stage_id"],
    issues,
  );
  return (
    table &&
    each(table, (c, i) => ({
      busId: c.bus_id[i] as number,
      stageId: c.stage_id[i] as number,
      mean: c.mean_mw[i] as number,
      std: c.std_mw[i] as number,
    }))
  );
}

/** Reads `scenarios/inflow_ar_coefficients.parquet`: one row for each lag, here one entry for each plant and stage. */
export async function readAutoregressions(
  directory: string,
  issues: IssueCollector,
): Promise<readonly InflowAutoregression[]> {
  const file = CASE_FILES.inflowAutoregressions;
  const rules = {
    hydro_id: ID,
    stage_id: ID,
    lag: { isInteger: true, min: 1 },
    coefficient: {},
    residual_std_ratio: { min: 0, max: 1 },
  };
  const table = await readTable(directory, file, rules, ["hydro_id", "stage_id", "lag"], issues);
  if (table === undefined) return [];
  const groups = new Map<
    string,
    { hydroId: number; stageId: number; coefficients: number[]; residualStdRatio: number }
  >();
  const { hydro_id, stage_id, lag, coefficient, residual_std_ratio } = table.columns;
  for (let row = 0; row < table.rows; row++) {
    const [hydroId, stageId] = [hydro_id[row] as number, stage_id[row] as number];
    const key = `${hydroId} ${stageId}`;
    const ratio = residual_std_ratio[row] as number;
    const group = groups.get(key) ?? {
      hydroId,
      stageId,
      coefficients: [],
      residualStdRatio: ratio,
    };
    groups.set(key, group);
    group.coefficients[(lag[row] as number) - 1] = coefficient[row] as number;
    if (ratio !== group.residualStdRatio) {
      const place = {
        file,
        entity: `hydro ${hydroId}, stage ${stageId}`,
        field: "residual_std_ratio",
      };
      issues.error(
        "stochastic",
        place,
        `is ${group.residualStdRatio} and ${ratio}`,
        "must be the same for all lags",
      );
    }
  }
  return [...groups.values()].map(({ coefficients, ...group }) => ({
    ...group,
    coefficients: Array.from(coefficients, (value) => value ?? 0),
  }));
}

/** Reads `scenarios/inflow_annual_component.parquet`. */
export async function readAnnualComponents(
  directory: string,
  issues: IssueCollector,
): Promise<readonly InflowAnnualComponent[]> {
  const rules = {
    hydro_id: ID,
    stage_id: ID,
    annual_coefficient: {},
    annual_mean_m3s: {},
    annual_std_m3s: { min: 0 },
  };
  const table = await readTable(
    directory,
    CASE_FILES.inflowAnnualComponents,
    rules,
    ["hydro_id", "stage_id"],
    issues,
  );
  if (table === undefined) return [];
  return each(table, (c, i) => ({
    hydroId: c.hydro_id[i] as number,
    stageId: c.stage_id[i] as number,
    coefficient: c.annual_coefficient[i] as number,
    mean: c.annual_mean_m3s[i] as number,
    std: c.annual_std_m3s[i] as number,
  }));
}

/** Reads `scenarios/noise_openings.parquet`, if it is there. */
export async function readNoiseOpenings(
  directory: string,
  issues: IssueCollector,
): Promise<GivenOpenings | undefined> {
  const index: ColumnRule = { isInteger: true, min: 0 };
  const rules = { stage_id: ID, opening_index: index, entity_index: index, value: {} };
  // There may be millions of rows; the tree itself says which are given twice.
  const table = await readTable(directory, CASE_FILES.noiseOpenings, rules, [], issues);
  if (table === undefined) return undefined;
  const { stage_id, opening_index, entity_index, value } = table.columns;
  return { stageId: stage_id, opening: opening_index, entity: entity_index, value };
}

function each<C extends string, T>(
  table: Table<C>,
  row: (columns: Readonly<Record<C, Float64Array>>, index: number) => T,
): readonly T[] {
  return Array.from({ length: table.rows }, (_, index) => row(table.columns, index));
}
