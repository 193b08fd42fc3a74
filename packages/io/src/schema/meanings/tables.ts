import { CASE_FILES } from "@cobre/core";
import type { FileMeanings } from "./meaning.js";
import { HYDRO_COSTS } from "./shared.js";

const OF_STAGE = "that of the entity";

/** Each field of a table that replaces values of an entity in a stage. */
function overriding(columns: Readonly<Record<string, string>>): FileMeanings {
  return Object.fromEntries(
    Object.entries(columns).map(([name, text]) => [name, { text, otherwise: OF_STAGE }]),
  );
}

const BLOCK = {
  text: "number of a block: the row is about it alone",
  otherwise: "the whole stage",
};
const NO_BLOCK = { text: "must be empty: values are those of the stage", otherwise: "empty" };

const HYDRO_COST_COLUMNS = Object.fromEntries(
  Object.entries(HYDRO_COSTS).map(([name, meaning]) => [
    name,
    { ...(typeof meaning === "string" ? { text: meaning } : meaning), otherwise: OF_STAGE },
  ]),
);

/** The tables. */
export const TABLES: Readonly<Record<string, FileMeanings>> = {
  [CASE_FILES.inflowStatistics]: {
    stage_id: "id of a stage; also of one before the study (-1, -2, …), for lags",
    mean_m3s: "mean inflow",
    std_m3s: "standard deviation of the inflow",
  },
  [CASE_FILES.inflowAutoregressions]: {
    lag: "how many stages ago",
    coefficient: "coefficient of the standardised inflow of that time",
    residual_std_ratio:
      "deviation of the noise over that of the inflow; the same in all rows of a plant and stage",
  },
  [CASE_FILES.inflowAnnualComponents]: {
    annual_coefficient: "coefficient of the standardised mean of the last twelve inflows",
    annual_mean_m3s: "mean of that mean; not used",
    annual_std_m3s: "standard deviation of that mean",
  },
  [CASE_FILES.loadStatistics]: {
    mean_mw: "mean load",
    std_mw: "standard deviation of the load; 0 in all stages: the bus has no noise",
  },
  [CASE_FILES.noiseOpenings]: {
    opening_index: "number of the opening, from 0",
    entity_index:
      "place in the noise vector: plants by id, then buses with uncertain load, then sources with statistics",
    value: "standardised noise, used as it is",
  },
  [CASE_FILES.hydroGeometry]: {
    volume_hm3: "volume; each one of a plant once",
    height_m: { text: "level of the reservoir at this volume", unit: "m" },
    area_km2: { text: "area of the reservoir at this volume", unit: "km²" },
  },
  [CASE_FILES.fphaPlanes]: {
    stage_id: {
      text: "id of a stage; its rows replace those of all stages",
      otherwise: "all stages",
    },
    plane_id: "number of the plane",
    gamma_0: { text: "constant", unit: "MW" },
    gamma_v: { text: "by mean storage", unit: "MW per hm³" },
    gamma_q: { text: "by turbined flow", unit: "MW per m³/s" },
    gamma_s: { text: "by spillage, 0 or negative", unit: "MW per m³/s" },
    kappa: { text: "factor on the constant", otherwise: "1" },
    valid_v_min_hm3: "for people: least storage of the fit",
    valid_v_max_hm3: "for people: most storage of the fit",
    valid_q_max_m3s: "for people: most turbined flow of the fit",
    correction_factor: "for people: factor that the planes contain",
    mean_error_mw: "for people: mean error of the fit",
    max_error_mw: "for people: largest error of the fit",
  },
  [CASE_FILES.thermalBounds]: {
    block_id: BLOCK,
    ...overriding({
      min_generation_mw: "least generation",
      max_generation_mw: "most generation",
      cost_per_mwh: "cost of generation; not by block",
    }),
  },
  [CASE_FILES.unitGroupBounds]: {
    block_id: BLOCK,
    hydro_unit_group_id: "id of a group of the plant",
    ...overriding({
      min_turbined_m3s: "least turbined flow",
      max_turbined_m3s: "most turbined flow",
      min_generation_mw: "least generation",
      max_generation_mw: "most generation",
    }),
  },
  [CASE_FILES.hydroBounds]: {
    block_id: BLOCK,
    ...overriding({
      min_storage_hm3: "least storage; not by block",
      max_storage_hm3: "most storage; not by block",
      min_outflow_m3s: "least outflow",
      max_outflow_m3s: "most outflow",
      min_turbined_m3s: "least turbined flow",
      max_turbined_m3s: "most turbined flow",
      min_generation_mw: "least generation",
      max_generation_mw: "most generation",
      max_diversion_m3s: "most diverted flow",
    }),
    min_diversion_m3s: { text: "least diverted flow", otherwise: "0" },
    min_spillage_m3s: { text: "least spillage", otherwise: "0" },
    max_spillage_m3s: { text: "most spillage", otherwise: "no limit" },
    water_withdrawal_m3s: {
      text: "water taken for other purposes, negative: returned; not by block",
      otherwise: "0",
    },
    filling_inflow_m3s: {
      text: "most that a reservoir keeps while it is being filled",
      otherwise: "that of the plant",
    },
    filling_min_rate_m3s: {
      text: "least that a reservoir keeps while it is being filled",
      otherwise: "that of the plant",
    },
  },
  [CASE_FILES.lineBounds]: {
    block_id: BLOCK,
    ...overriding({
      direct_mw: "capacity from source to target",
      reverse_mw: "capacity from target to source",
    }),
  },
  [CASE_FILES.busPenalties]: {
    block_id: NO_BLOCK,
    excess_cost: {
      text: "power in excess of the load",
      unit: "$/MWh",
      otherwise: "that of `penalties.json`",
    },
  },
  [CASE_FILES.linePenalties]: {
    block_id: NO_BLOCK,
    exchange_cost: { text: "flow, in each direction", unit: "$/MWh", otherwise: OF_STAGE },
  },
  [CASE_FILES.hydroPenalties]: {
    block_id: NO_BLOCK,
    ...HYDRO_COST_COLUMNS,
    turbined_cost: "cost of turbined water of every plant: refused unless 0",
  },
  [CASE_FILES.nonControllableStatistics]: {
    mean: { text: "mean of the share that is available", unit: "1" },
    std: { text: "standard deviation of the share", unit: "1" },
  },
  [CASE_FILES.nonControllableBounds]: {
    block_id: NO_BLOCK,
    available_generation_mw: {
      text: "power that is available, of a source without statistics",
      otherwise: "`max_generation_mw`",
    },
  },
  [CASE_FILES.nonControllablePenalties]: {
    block_id: NO_BLOCK,
    curtailment_cost: {
      text: "available power that is not used",
      unit: "$/MWh",
      otherwise: OF_STAGE,
    },
  },
  [CASE_FILES.pumpingBounds]: {
    block_id: BLOCK,
    ...overriding({ min_m3s: "least flow", max_m3s: "most flow" }),
  },
  [CASE_FILES.contractBounds]: {
    block_id: BLOCK,
    ...overriding({ min_mw: "least power", max_mw: "most power", price_per_mwh: "price" }),
  },
  [CASE_FILES.genericBounds]: {
    constraint_id: "id of a constraint of `constraints/generic_constraints.json`",
    block_id: {
      text: "number of the block in which it holds",
      otherwise: "in each block of the stage",
    },
    bound: "what the sum is compared with",
  },
};
