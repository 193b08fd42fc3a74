import type {
  DirectionalPenalties,
  HydroBounds,
  HydroPenalties,
  HydroStageBounds,
} from "./entities.js";

/** The columns of the tables that override fields of the model for a stage. */
export const THERMAL_COLUMNS = {
  minGenerationMw: "min_generation_mw",
  maxGenerationMw: "max_generation_mw",
  costPerMwh: "cost_per_mwh",
} as const;

export const LINE_COLUMNS = { directMw: "direct_mw", reverseMw: "reverse_mw" } as const;

export const HYDRO_COLUMNS = {
  minStorageHm3: "min_storage_hm3",
  maxStorageHm3: "max_storage_hm3",
  minOutflowM3s: "min_outflow_m3s",
  maxOutflowM3s: "max_outflow_m3s",
  minTurbinedM3s: "min_turbined_m3s",
  maxTurbinedM3s: "max_turbined_m3s",
  minGenerationMw: "min_generation_mw",
  maxGenerationMw: "max_generation_mw",
  maxDiversionM3s: "max_diversion_m3s",
  minDiversionM3s: "min_diversion_m3s",
  minSpillageM3s: "min_spillage_m3s",
  maxSpillageM3s: "max_spillage_m3s",
  waterWithdrawalM3s: "water_withdrawal_m3s",
  fillingMinRateM3s: "filling_min_rate_m3s",
  fillingInflowM3s: "filling_inflow_m3s",
} as const satisfies Record<keyof HydroBounds | keyof HydroStageBounds, string>;

/** The bounds of hydro plants that may differ from block to block. */
export const HYDRO_COLUMNS_OF_BLOCKS = [
  "minOutflowM3s",
  "maxOutflowM3s",
  "minTurbinedM3s",
  "maxTurbinedM3s",
  "minGenerationMw",
  "maxGenerationMw",
  "maxDiversionM3s",
  "minDiversionM3s",
  "minSpillageM3s",
  "maxSpillageM3s",
] as const satisfies (keyof typeof HYDRO_COLUMNS)[];

export const BUS_PENALTY_COLUMNS = { excessCost: "excess_cost" } as const;

export const LINE_PENALTY_COLUMNS = { exchangeCost: "exchange_cost" } as const;

export const HYDRO_PENALTY_COLUMNS = {
  spillageCost: "spillage_cost",
  fphaTurbinedCost: "fpha_turbined_cost",
  diversionCost: "diversion_cost",
  storageViolationBelowCost: "storage_violation_below_cost",
  fillingTargetViolationCost: "filling_target_violation_cost",
  turbinedViolationBelowCost: "turbined_violation_below_cost",
  outflowViolationBelowCost: "outflow_violation_below_cost",
  outflowViolationAboveCost: "outflow_violation_above_cost",
  generationViolationBelowCost: "generation_violation_below_cost",
  evaporationViolationCost: "evaporation_violation_cost",
  waterWithdrawalViolationCost: "water_withdrawal_violation_cost",
  inflowNonnegativityCost: "inflow_nonnegativity_cost",
  evaporationViolationPosCost: "evaporation_violation_pos_cost",
  evaporationViolationNegCost: "evaporation_violation_neg_cost",
  waterWithdrawalViolationPosCost: "water_withdrawal_violation_pos_cost",
  waterWithdrawalViolationNegCost: "water_withdrawal_violation_neg_cost",
} as const satisfies Record<keyof HydroPenalties | keyof DirectionalPenalties, string>;
