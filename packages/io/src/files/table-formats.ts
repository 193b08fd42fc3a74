import {
  BUS_PENALTY_COLUMNS,
  CASE_FILES,
  CONTRACT_COLUMNS,
  type Dialect,
  HYDRO_COLUMNS,
  HYDRO_PENALTY_COLUMNS,
  LINE_COLUMNS,
  LINE_PENALTY_COLUMNS,
  NON_CONTROLLABLE_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
  PUMPING_COLUMNS,
  THERMAL_COLUMNS,
} from "@cobre/core";
import { placeOfMark } from "../dialect/marks.js";
import type { ColumnRule, ForeignColumns } from "../parquet/read-table.js";
import { LIMITS } from "./limits.js";

/** The format of a table: its columns, and those that together identify a row. */
export interface TableFormat<C extends string = string> {
  readonly file: string;
  readonly columns: Readonly<Record<C, ColumnRule>>;
  /** Empty if rows are not compared. */
  readonly key: readonly C[];
  /** Columns that only the other version of Cobre has. */
  readonly foreign: ForeignColumns;
}

/** A table that overrides values of an entity in a stage. */
export interface OverrideFormat<F extends string> extends TableFormat {
  /** The column with the id of the entity. */
  readonly id: string;
  /** The column of each field. */
  readonly fields: Readonly<Record<F, string>>;
  /** Columns that this version cannot use, and the values of each that ask for nothing. */
  readonly unsupported: Readonly<Record<string, readonly number[]>>;
  /** Whether rows may be about a single block. */
  readonly hasBlocks: boolean;
}

export const ID: ColumnRule = { isInteger: true };
const INDEX: ColumnRule = { isInteger: true, min: 0 };
/** The column of values of a single block. */
export const BLOCK = "block_id";

export function format<C extends string>(
  file: string,
  columns: Readonly<Record<C, ColumnRule>>,
  key: readonly NoInfer<C>[],
  foreign: ForeignColumns = {},
): TableFormat<C> {
  return { file, columns, key, foreign };
}

/** The names of columns in the other version of Cobre than `dialect`, for which the case is written, and those that say the same here. */
export function foreignColumns(
  dialect: Dialect,
  names: Readonly<Record<string, string>>,
): ForeignColumns {
  const other = dialect === "0.5" ? "0.18" : "0.5";
  return Object.fromEntries(
    Object.entries(names).map(([name, is]) => [
      name,
      {
        problem: `is a column of Cobre ${other}`,
        remedy: `the case is written for Cobre ${dialect}, see ${placeOfMark(dialect)}: give ${is}`,
        is,
      },
    ]),
  );
}

export function overrides<F extends string>(
  file: string,
  id: string,
  fields: Readonly<Record<F, string>>,
  {
    unsupported = {},
    hasBlocks = false,
    foreign = {},
  }: Partial<Pick<OverrideFormat<F>, "unsupported" | "hasBlocks" | "foreign">> = {},
): OverrideFormat<F> {
  const columns: Record<string, ColumnRule> = { [id]: ID, stage_id: ID };
  for (const column of [...Object.values<string>(fields), ...Object.keys(unsupported), BLOCK]) {
    columns[column] = { isOptional: true };
  }
  if (hasBlocks) columns[BLOCK] = { isOptional: true, isInteger: true };
  const key = [id, "stage_id", BLOCK];
  return { file, columns, key, foreign, id, fields, unsupported, hasBlocks };
}

/** The tables of a case for Cobre 0.5. All of them are optional, and may be CSV. */
export const TABLE_FORMATS = {
  inflowStatistics: format(
    CASE_FILES.inflowStatistics,
    { hydro_id: ID, stage_id: ID, mean_m3s: {}, std_m3s: { min: 0 } },
    ["hydro_id", "stage_id"],
  ),
  loadStatistics: format(
    CASE_FILES.loadStatistics,
    { bus_id: ID, stage_id: ID, mean_mw: {}, std_mw: { min: 0 } },
    ["bus_id", "stage_id"],
  ),
  autoregressions: format(
    CASE_FILES.inflowAutoregressions,
    {
      hydro_id: ID,
      stage_id: ID,
      lag: { isInteger: true, min: 1, max: LIMITS.lag },
      coefficient: {},
      residual_std_ratio: { min: 0, max: 1 },
    },
    ["hydro_id", "stage_id", "lag"],
  ),
  annualComponents: format(
    CASE_FILES.inflowAnnualComponents,
    {
      hydro_id: ID,
      stage_id: ID,
      annual_coefficient: {},
      annual_mean_m3s: {},
      annual_std_m3s: { min: 0 },
    },
    ["hydro_id", "stage_id"],
  ),
  // There may be millions of rows, so no key is checked; the tree finds repeated ones.
  noiseOpenings: format(
    CASE_FILES.noiseOpenings,
    { stage_id: ID, opening_index: INDEX, entity_index: INDEX, value: {} },
    [],
  ),
  hydroGeometry: format(
    CASE_FILES.hydroGeometry,
    { hydro_id: ID, volume_hm3: { min: 0 }, height_m: { min: 0 }, area_km2: { min: 0 } },
    ["hydro_id", "volume_hm3"],
  ),
  fphaPlanes: format(
    CASE_FILES.fphaPlanes,
    {
      hydro_id: ID,
      stage_id: { isInteger: true, isOptional: true },
      plane_id: ID,
      gamma_0: {},
      gamma_v: {},
      gamma_q: {},
      gamma_s: {},
      kappa: { isOptional: true },
      // For people: where the planes were fitted.
      valid_v_min_hm3: { isOptional: true },
      valid_v_max_hm3: { isOptional: true },
      valid_q_max_m3s: { isOptional: true },
      // And how well they fit: the planes of a run can be used as they are.
      correction_factor: { isOptional: true },
      mean_error_mw: { isOptional: true },
      max_error_mw: { isOptional: true },
    },
    ["hydro_id", "stage_id", "plane_id"],
  ),
  thermalBounds: overrides(CASE_FILES.thermalBounds, "thermal_id", THERMAL_COLUMNS, {
    hasBlocks: true,
  }),
  hydroBounds: overrides(CASE_FILES.hydroBounds, "hydro_id", HYDRO_COLUMNS, { hasBlocks: true }),
  unitGroupBounds: format(
    CASE_FILES.unitGroupBounds,
    {
      hydro_id: ID,
      hydro_unit_group_id: ID,
      stage_id: ID,
      [BLOCK]: { isInteger: true, isOptional: true },
      min_turbined_m3s: { isOptional: true },
      max_turbined_m3s: { isOptional: true },
      min_generation_mw: { isOptional: true },
      max_generation_mw: { isOptional: true },
    },
    ["hydro_id", "hydro_unit_group_id", "stage_id", BLOCK],
  ),
  lineBounds: overrides(CASE_FILES.lineBounds, "line_id", LINE_COLUMNS, { hasBlocks: true }),
  busPenalties: overrides(CASE_FILES.busPenalties, "bus_id", BUS_PENALTY_COLUMNS),
  linePenalties: overrides(CASE_FILES.linePenalties, "line_id", LINE_PENALTY_COLUMNS),
  hydroPenalties: overrides(CASE_FILES.hydroPenalties, "hydro_id", HYDRO_PENALTY_COLUMNS, {
    unsupported: { turbined_cost: [0] },
  }),
  nonControllableStatistics: format(
    CASE_FILES.nonControllableStatistics,
    { ncs_id: ID, stage_id: ID, mean: { min: 0, max: 1 }, std: { min: 0 } },
    ["ncs_id", "stage_id"],
  ),
  nonControllableBounds: overrides(
    CASE_FILES.nonControllableBounds,
    "ncs_id",
    NON_CONTROLLABLE_COLUMNS,
  ),
  nonControllablePenalties: overrides(
    CASE_FILES.nonControllablePenalties,
    "source_id",
    NON_CONTROLLABLE_PENALTY_COLUMNS,
    { foreign: foreignColumns("0.5", { ncs_id: "source_id" }) },
  ),
  pumpingBounds: overrides(CASE_FILES.pumpingBounds, "station_id", PUMPING_COLUMNS, {
    hasBlocks: true,
    foreign: foreignColumns("0.5", { pumping_station_id: "station_id" }),
  }),
  contractBounds: overrides(CASE_FILES.contractBounds, "contract_id", CONTRACT_COLUMNS, {
    hasBlocks: true,
  }),
  genericBounds: format(
    CASE_FILES.genericBounds,
    { constraint_id: ID, stage_id: ID, [BLOCK]: { isInteger: true, isOptional: true }, bound: {} },
    ["constraint_id", "stage_id", BLOCK],
    foreignColumns("0.5", { bound_lower: "bound", bound_upper: "bound" }),
  ),
} as const;
