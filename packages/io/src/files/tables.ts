import type { IssueCollector, OverrideRow, StudyInput } from "@cobre/core";
import type {
  GivenOpenings,
  InflowAnnualComponent,
  InflowAutoregression,
  InflowStatistics,
  LoadStatistics,
} from "@cobre/stochastic";
import type { InflowWindow } from "../lag-windows.js";
import { type CaseDirectory, dialectOf } from "../memory/memory-case.js";
import { readTable, type Table } from "../parquet/read-table.js";
import { unsupported } from "../unsupported.js";
import { LATER_TABLE_FORMATS, overrideFormats } from "./later-table-formats.js";
import { LIMITS } from "./limits.js";
import { BLOCK, type OverrideFormat, TABLE_FORMATS, type TableFormat } from "./table-formats.js";

/**
 * Reads the tables that override bounds and penalties for a stage. All of them are optional.
 *
 * @param skipsBlocks whether rows of a single block are skipped with a warning, as Cobre 0.5 does
 */
export async function readOverrides(
  directory: CaseDirectory,
  issues: IssueCollector,
  skipsBlocks: boolean,
): Promise<
  Pick<
    StudyInput,
    | "thermalBounds"
    | "hydroBounds"
    | "lineBounds"
    | "busPenalties"
    | "linePenalties"
    | "hydroPenalties"
    | "nonControllableBounds"
    | "nonControllablePenalties"
  >
> {
  const read = <F extends string>(format: OverrideFormat<F>) =>
    readOverrideTable(directory, format, issues, skipsBlocks);
  const formats = overrideFormats(dialectOf(directory));
  return {
    thermalBounds: await read(formats.thermalBounds),
    hydroBounds: await read(formats.hydroBounds),
    lineBounds: await read(formats.lineBounds),
    busPenalties: await read(formats.busPenalties),
    linePenalties: await read(formats.linePenalties),
    hydroPenalties: await read(formats.hydroPenalties),
    nonControllableBounds: await read(formats.nonControllableBounds),
    nonControllablePenalties: await read(formats.nonControllablePenalties),
  };
}

/** Reads a table that overrides values by stage, if it exists. */
export async function readOverrideTable<F extends string>(
  directory: CaseDirectory,
  format: OverrideFormat<F>,
  issues: IssueCollector,
  skipsBlocks: boolean,
): Promise<readonly OverrideRow<F>[]> {
  const { file, id, fields: columns } = format;
  const fields = Object.keys(columns) as F[];
  const table = await read(directory, format, issues);
  if (table === undefined) return [];
  for (const [column, harmless] of Object.entries(format.unsupported)) {
    const asks = (value: number) => !Number.isNaN(value) && !harmless.includes(value);
    if (table.columns[column]?.some(asks)) unsupported(issues, file, column, column);
  }
  const isOfBlock = (row: number) => !Number.isNaN(table.columns[BLOCK]?.[row]);
  const ofBlocks = Array.from({ length: table.rows }, (_, row) => row).filter(isOfBlock);
  if (ofBlocks.length > 0 && skipsBlocks) {
    const problem = `${ofBlocks.length} rows of a single block have no effect`;
    const remedy = `as in Cobre 0.5; remove compat "cobre-0.5" to ${format.hasBlocks ? "use them" : "be told as an error"}`;
    issues.warning("schema", { file, field: BLOCK }, problem, remedy);
  } else if (ofBlocks.length > 0 && !format.hasBlocks) {
    unsupported(issues, file, BLOCK, `values of a single block, in ${ofBlocks.length} rows`);
  }
  const rows: OverrideRow<F>[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (isOfBlock(row) && (skipsBlocks || !format.hasBlocks)) continue;
    const values: Partial<Record<F, number>> = {};
    for (const field of fields) {
      const value = table.columns[columns[field]]?.[row] as number;
      if (!Number.isNaN(value)) values[field] = value;
    }
    rows.push({
      id: table.columns[id]?.[row] as number,
      stageId: table.columns.stage_id?.[row] as number,
      blockId: isOfBlock(row) ? table.columns[BLOCK]?.[row] : undefined,
      values,
    });
  }
  return rows;
}

/** Reads `scenarios/inflow_seasonal_stats.parquet`. */
export async function readInflowStatistics(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly InflowStatistics[] | undefined> {
  const table = await read(directory, TABLE_FORMATS.inflowStatistics, issues);
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
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly LoadStatistics[] | undefined> {
  const table = await read(directory, TABLE_FORMATS.loadStatistics, issues);
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

/** Reads the windows of `scenarios/inflow_history.parquet`, as Cobre 0.18 has them. */
export async function readInflowHistory(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly InflowWindow[]> {
  const table = await read(directory, LATER_TABLE_FORMATS.inflowHistory, issues);
  if (table === undefined) return [];
  return each(table, (c, i) => ({
    hydroId: c.hydro_id[i] as number,
    start: c.start_date[i] as number,
    end: c.end_date[i] as number,
    valueM3s: c.value_m3s[i] as number,
  }));
}

/**
 * Reads `scenarios/inflow_ar_coefficients.parquet`. The file has a row for each lag; the result has an entry for each plant and stage. For Cobre
 * 0.18 the ratios are not those of the file, but NaN: they follow from the coefficients.
 */
export async function readAutoregressions(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly InflowAutoregression[]> {
  const { file } = TABLE_FORMATS.autoregressions;
  const isLater = dialectOf(directory) === "0.18";
  const format = (isLater ? LATER_TABLE_FORMATS : TABLE_FORMATS).autoregressions;
  const table = await read(directory, format, issues);
  // A lag beyond the limit has been reported; it would be the length of an array.
  if (table === undefined || table.columns.lag.some((lag) => lag > LIMITS.lag)) return [];
  const groups = new Map<
    string,
    { hydroId: number; stageId: number; coefficients: number[]; residualStdRatio: number }
  >();
  const { hydro_id, stage_id, lag, coefficient, residual_std_ratio } = table.columns;
  for (let row = 0; row < table.rows; row++) {
    const [hydroId, stageId] = [hydro_id[row] as number, stage_id[row] as number];
    const key = `${hydroId} ${stageId}`;
    const ratio = isLater ? Number.NaN : (residual_std_ratio[row] as number);
    const group = groups.get(key) ?? {
      hydroId,
      stageId,
      coefficients: [],
      residualStdRatio: ratio,
    };
    groups.set(key, group);
    group.coefficients[(lag[row] as number) - 1] = coefficient[row] as number;
    if (!isLater && ratio !== group.residualStdRatio) {
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
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly InflowAnnualComponent[]> {
  const table = await read(directory, TABLE_FORMATS.annualComponents, issues);
  if (table === undefined) return [];
  return each(table, (c, i) => ({
    hydroId: c.hydro_id[i] as number,
    stageId: c.stage_id[i] as number,
    coefficient: c.annual_coefficient[i] as number,
    mean: c.annual_mean_m3s[i] as number,
    std: c.annual_std_m3s[i] as number,
  }));
}

/** Reads `scenarios/noise_openings.parquet`, if it exists. */
export async function readNoiseOpenings(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<GivenOpenings | undefined> {
  const table = await read(directory, TABLE_FORMATS.noiseOpenings, issues);
  if (table === undefined) return undefined;
  const { stage_id, opening_index, entity_index, value } = table.columns;
  return { stageId: stage_id, opening: opening_index, entity: entity_index, value };
}

/** Reads a table of any format, if it exists. */
export function read<C extends string>(
  directory: CaseDirectory,
  { file, columns, key, foreign }: TableFormat<C>,
  issues: IssueCollector,
): Promise<Table<C> | undefined> {
  return readTable(directory, file, columns, key, issues, true, foreign);
}

function each<C extends string, T>(
  table: Table<C>,
  row: (columns: Readonly<Record<C, Float64Array>>, index: number) => T,
): readonly T[] {
  return Array.from({ length: table.rows }, (_, index) => row(table.columns, index));
}
