import type { FileMeanings } from "./meaning.js";

/** Fields that mean the same wherever they are. */
export const SHARED: FileMeanings = {
  id: "number of the entity; unique in the file. Entities are in the order of their ids",
  name: "what results and messages call it",
  bus_id: "id of a bus of `system/buses.json`",
  hydro_id: "id of a plant of `system/hydros.json`",
  thermal_id: "id of a plant of `system/thermals.json`",
  line_id: "id of a line of `system/lines.json`",
  ncs_id: "id of a source of `system/non_controllable_sources.json`",
  source_id: "id of a source of `system/non_controllable_sources.json`",
  station_id: "id of a station of `system/pumping_stations.json`",
  contract_id: "id of a contract of `system/energy_contracts.json`",
  stage_id: "id of a stage of `stages.json`",
  block_id: "number of a block of the stage",
  entry_stage_id: { text: "first stage in which it exists", otherwise: "the first one" },
  exit_stage_id: { text: "first stage in which it exists no more", otherwise: "none" },
};

/** Costs of hydro plants, which `penalties.json`, `system/hydros.json` and a table of stages may give. */
export const HYDRO_COSTS: FileMeanings = {
  spillage_cost: { text: "spilled water", unit: "$ per m³/s and h" },
  fpha_turbined_cost: {
    text: "turbined water, where planes limit generation",
    unit: "$ per m³/s and h",
  },
  diversion_cost: { text: "diverted water", unit: "$ per m³/s and h" },
  storage_violation_below_cost: {
    text: "storage missing to the minimum at the end of a stage, of plants that start below it",
    unit: "$/hm³",
  },
  filling_target_violation_cost: { text: "storage missing to a filling target", unit: "$/hm³" },
  turbined_violation_below_cost: {
    text: "turbined flow missing to its minimum",
    unit: "$ per m³/s and h",
  },
  outflow_violation_below_cost: {
    text: "outflow missing to its minimum",
    unit: "$ per m³/s and h",
  },
  outflow_violation_above_cost: { text: "outflow above its maximum", unit: "$ per m³/s and h" },
  generation_violation_below_cost: { text: "generation missing to its minimum", unit: "$/MWh" },
  evaporation_violation_cost: {
    text: "evaporation other than due, in both directions",
    unit: "$ per m³/s and h",
  },
  water_withdrawal_violation_cost: {
    text: "withdrawal other than asked for, in both directions",
    unit: "$ per m³/s and h",
  },
  inflow_nonnegativity_cost: {
    text: "water added to a negative inflow",
    unit: "$ per m³/s and h",
  },
  evaporation_violation_pos_cost: {
    text: "evaporation above what is due",
    unit: "$ per m³/s and h",
    otherwise: "that of both directions",
  },
  evaporation_violation_neg_cost: {
    text: "evaporation below what is due",
    unit: "$ per m³/s and h",
    otherwise: "that of both directions",
  },
  water_withdrawal_violation_pos_cost: {
    text: "withdrawal above what is asked for",
    unit: "$ per m³/s and h",
    otherwise: "that of both directions",
  },
  water_withdrawal_violation_neg_cost: {
    text: "withdrawal below what is asked for",
    unit: "$ per m³/s and h",
    otherwise: "that of both directions",
  },
};

export const DEFICIT_SEGMENTS: FileMeanings = {
  deficit_segments: "load that is not met, in segments that cost more and more",
  depth_mw: { text: "size of the segment; only the last one has none", otherwise: "no limit" },
  cost: { text: "load that is not met, in this segment", unit: "$/MWh" },
};
