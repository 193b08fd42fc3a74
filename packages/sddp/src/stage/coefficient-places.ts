import { CASE_FILES } from "@cobre/core";
import { type Coefficient, familyOf } from "./family-coefficients.js";

/** Where in a case a coefficient comes from. */
export interface CoefficientPlace {
  readonly file: string;
  readonly entity: string;
  readonly field: string;
}

interface Source {
  readonly file: string;
  /** As in "hydro". */
  readonly kind: string;
}

const HYDRO: Source = { file: CASE_FILES.hydros, kind: "hydro" };
const BUS: Source = { file: CASE_FILES.buses, kind: "bus" };
const LINE: Source = { file: CASE_FILES.lines, kind: "line" };
const CONSTRAINT: Source = { file: CASE_FILES.genericConstraints, kind: "constraint" };
const SOURCE: Source = { file: CASE_FILES.nonControllables, kind: "non-controllable source" };

interface ColumnFields extends Source {
  readonly costs?: string;
  readonly bounds?: string;
}

/** A penalty of hydro plants. A plant that gives none has that of `penalties.json`. */
const penalty = (field: string): ColumnFields => ({ ...HYDRO, costs: `penalties.${field}` });

/** The fields from which the costs and bounds of a family of columns come. */
const COLUMNS: Readonly<Record<string, ColumnFields>> = {
  storage: { ...HYDRO, bounds: "reservoir.max_storage_hm3" },
  storage_between: { ...HYDRO, bounds: "reservoir.max_storage_hm3" },
  turbined: {
    ...HYDRO,
    costs: "penalties.fpha_turbined_cost",
    bounds: "generation.max_turbined_m3s",
  },
  spillage: { ...penalty("spillage_cost"), bounds: "max_spillage_m3s" },
  hydro_generated: { ...HYDRO, bounds: "generation.max_generation_mw" },
  cell_turbined: { ...HYDRO, bounds: "unit_groups.max_turbined_m3s" },
  cell_generated: { ...HYDRO, bounds: "unit_groups.max_generation_mw" },
  cell_turbined_violation: penalty("turbined_violation_below_cost"),
  cell_generation_violation: penalty("generation_violation_below_cost"),
  filling_target: penalty("filling_target_violation_cost"),
  diverted: { ...penalty("diversion_cost"), bounds: "diversion.max_flow_m3s" },
  outflow_violation_below: penalty("outflow_violation_below_cost"),
  outflow_violation_above: penalty("outflow_violation_above_cost"),
  turbined_violation: penalty("turbined_violation_below_cost"),
  generation_violation: penalty("generation_violation_below_cost"),
  inflow_penalty: penalty("inflow_nonnegativity_cost"),
  storage_violation: penalty("storage_violation_below_cost"),
  evaporated: { ...HYDRO, bounds: "evaporation.coefficients_mm" },
  evaporation_neg: penalty("evaporation_violation_neg_cost"),
  evaporation_pos: penalty("evaporation_violation_pos_cost"),
  withdrawal_neg: {
    ...penalty("water_withdrawal_violation_neg_cost"),
    bounds: "water_withdrawal_m3s",
  },
  withdrawal_pos: penalty("water_withdrawal_violation_pos_cost"),
  thermal_generation: {
    file: CASE_FILES.thermals,
    kind: "thermal",
    costs: "cost_per_mwh",
    bounds: "generation.max_mw",
  },
  commitment: {
    file: CASE_FILES.thermals,
    kind: "thermal",
    costs: "cost_per_mwh",
    bounds: "generation.max_mw",
  },
  direct_flow: { ...LINE, costs: "exchange_cost", bounds: "capacity.direct_mw" },
  reverse_flow: { ...LINE, costs: "exchange_cost", bounds: "capacity.reverse_mw" },
  deficit: { ...BUS, costs: "deficit_segments.cost", bounds: "deficit_segments.depth_mw" },
  excess: { file: CASE_FILES.penalties, kind: "bus", costs: "bus.excess_cost" },
  non_controllable_generation: {
    ...SOURCE,
    costs: "curtailment_cost",
    bounds: "max_generation_mw",
  },
  pumping_flow: {
    file: CASE_FILES.pumpingStations,
    kind: "pumping station",
    bounds: "flow.max_m3s",
  },
  contract: {
    file: CASE_FILES.energyContracts,
    kind: "contract",
    costs: "price_per_mwh",
    bounds: "limits.max_mw",
  },
  generic_shortfall: { ...CONSTRAINT, costs: "slack.penalty" },
  generic_excess: { ...CONSTRAINT, costs: "slack.penalty" },
};

/** The fields from which the right sides of a family of rows come. */
const ROWS: Readonly<Record<string, Source & { readonly rightSides: string }>> = {
  water: { file: CASE_FILES.hydroBounds, kind: "hydro", rightSides: "water_withdrawal_m3s" },
  power: { file: CASE_FILES.loadStatistics, kind: "bus", rightSides: "mean_mw" },
  plane: { file: CASE_FILES.fphaPlanes, kind: "hydro", rightSides: "gamma_0" },
  min_outflow: { ...HYDRO, rightSides: "outflow.min_outflow_m3s" },
  max_outflow: { ...HYDRO, rightSides: "outflow.max_outflow_m3s" },
  min_turbined: { ...HYDRO, rightSides: "generation.min_turbined_m3s" },
  min_generation: { ...HYDRO, rightSides: "generation.min_generation_mw" },
  min_storage: { ...HYDRO, rightSides: "reservoir.min_storage_hm3" },
  evaporation: { ...HYDRO, rightSides: "evaporation.coefficients_mm" },
  generic: { file: CASE_FILES.genericBounds, kind: "constraint", rightSides: "bound" },
};

/** The field from which a coefficient of the matrix comes, by its row and its column. The others are 1, or the hours of a block. */
const MATRIX: Readonly<Record<string, Readonly<Record<string, readonly [Source, field: string]>>>> =
  {
    power: {
      turbined: [HYDRO, "generation.productivity_mw_per_m3s"],
      pumping_flow: [
        { file: CASE_FILES.pumpingStations, kind: "pumping station" },
        "consumption_mw_per_m3s",
      ],
    },
    min_generation: { turbined: [HYDRO, "generation.productivity_mw_per_m3s"] },
    plane: {
      storage: [{ file: CASE_FILES.fphaPlanes, kind: "hydro" }, "gamma_v"],
      storage_before: [{ file: CASE_FILES.fphaPlanes, kind: "hydro" }, "gamma_v"],
      turbined: [{ file: CASE_FILES.fphaPlanes, kind: "hydro" }, "gamma_q"],
      spillage: [{ file: CASE_FILES.fphaPlanes, kind: "hydro" }, "gamma_s"],
    },
    evaporation: {
      storage: [HYDRO, "evaporation.coefficients_mm"],
      storage_before: [HYDRO, "evaporation.coefficients_mm"],
    },
  };

/** The field of a case from which a coefficient comes; `undefined` for one that is the same in every case. */
export function coefficientPlace(
  part: "matrix" | "costs" | "bounds" | "rightSides",
  { column, row, stage }: Coefficient,
  stageIds: readonly number[],
): CoefficientPlace | undefined {
  if (part === "matrix") return placeInMatrix(column ?? "", row ?? "", stageIds[stage] ?? stage);
  const name = (part === "rightSides" ? row : column) ?? "";
  const family = familyOf(name);
  const source = part === "rightSides" ? ROWS[family] : COLUMNS[family];
  const field = part === "rightSides" ? ROWS[family]?.rightSides : COLUMNS[family]?.[part];
  return source === undefined || field === undefined ? undefined : placeOf(source, name, field);
}

function placeInMatrix(column: string, row: string, stage: number): CoefficientPlace | undefined {
  const [ofRow, ofColumn] = [familyOf(row), familyOf(column)];
  if (ofRow === "generic") return placeOf(CONSTRAINT, row, "expression");
  const [source, field] = MATRIX[ofRow]?.[ofColumn] ?? [];
  if (source !== undefined && field !== undefined) return placeOf(source, column, field);
  if (ofRow !== "water" || /^storage/.test(ofColumn)) return undefined;
  return { file: CASE_FILES.stages, entity: `stage ${stage}`, field: "blocks.hours" };
}

/** The entity that a name has behind its family. */
function placeOf({ file, kind }: Source, name: string, field: string): CoefficientPlace {
  const [, id = ""] = /^_(-?\d+)/.exec(name.slice(familyOf(name).length)) ?? [];
  return { file, entity: `${kind} ${id}`, field };
}
