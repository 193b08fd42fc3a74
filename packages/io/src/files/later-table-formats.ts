import {
  CASE_FILES,
  type Dialect,
  HYDRO_PENALTY_COLUMNS,
  NON_CONTROLLABLE_PENALTY_COLUMNS,
  PUMPING_COLUMNS,
} from "@cobre/core";
import type { ColumnRule } from "../parquet/read-table.js";
import { LIMITS } from "./limits.js";
import { BLOCK, foreignColumns, format, ID, overrides, TABLE_FORMATS } from "./table-formats.js";

const DAY: ColumnRule = { isDay: true };
const OPTIONAL: ColumnRule = { isOptional: true };

/** The tables that a case for Cobre 0.18 has otherwise than one for Cobre 0.5, or that only it has. */
export const LATER_TABLE_FORMATS = {
  autoregressions: format(
    CASE_FILES.inflowAutoregressions,
    {
      hydro_id: ID,
      stage_id: ID,
      lag: { isInteger: true, min: 1, max: LIMITS.lag },
      coefficient: {},
      // It follows from the coefficients.
      residual_std_ratio: OPTIONAL,
    },
    ["hydro_id", "stage_id", "lag"],
  ),
  inflowHistory: format(
    CASE_FILES.inflowHistory,
    { hydro_id: ID, start_date: DAY, end_date: DAY, value_m3s: {} },
    ["hydro_id", "start_date"],
    foreignColumns("0.18", { date: "start_date" }),
  ),
  energyProductivity: format(
    CASE_FILES.energyProductivity,
    {
      hydro_id: ID,
      stage_id: { isInteger: true, isOptional: true },
      equivalent_productivity_mw_per_m3s: { isOptional: true, min: 0 },
      // Of an earlier version of the format: the production models have it now.
      reference_volume_hm3: OPTIONAL,
      reference_outflow_m3s: OPTIONAL,
      specific_productivity_mw_per_m3s_per_m: { isOptional: true, min: 0 },
    },
    ["hydro_id", "stage_id"],
  ),
  hydroPenalties: overrides(
    CASE_FILES.hydroPenalties,
    "hydro_id",
    { ...HYDRO_PENALTY_COLUMNS, fphaTurbinedCost: "turbined_cost" },
    { foreign: foreignColumns("0.18", { fpha_turbined_cost: "turbined_cost" }) },
  ),
  nonControllablePenalties: overrides(
    CASE_FILES.nonControllablePenalties,
    "ncs_id",
    NON_CONTROLLABLE_PENALTY_COLUMNS,
    { foreign: foreignColumns("0.18", { source_id: "ncs_id" }) },
  ),
  pumpingBounds: overrides(CASE_FILES.pumpingBounds, "pumping_station_id", PUMPING_COLUMNS, {
    hasBlocks: true,
    foreign: foreignColumns("0.18", { station_id: "pumping_station_id" }),
  }),
  genericBounds: format(
    CASE_FILES.genericBounds,
    {
      constraint_id: ID,
      stage_id: ID,
      [BLOCK]: { isInteger: true, isOptional: true },
      bound_lower: OPTIONAL,
      bound_upper: OPTIONAL,
    },
    ["constraint_id", "stage_id", BLOCK],
    foreignColumns("0.18", { bound: "bound_lower, bound_upper, or both" }),
  ),
} as const;

/** The tables that override values by stage, as the case has them. */
export function overrideFormats(dialect: Dialect) {
  if (dialect === "0.5") return TABLE_FORMATS;
  const { hydroPenalties, nonControllablePenalties, pumpingBounds } = LATER_TABLE_FORMATS;
  return { ...TABLE_FORMATS, hydroPenalties, nonControllablePenalties, pumpingBounds };
}
