/** The tables of `simulation/`, with one row for each stage, block and entity unless noted otherwise. */
import { code, flag, integer, optional, real } from "../column.js";

const STAGE = { stage_id: integer("id of the stage") };
const BLOCK = { ...STAGE, block_id: optional(integer("id of the block; none: the whole stage")) };
const cost = (about: string) => real(about, "$");

/** One row for each stage. */
export const COSTS = {
  ...BLOCK,
  total_cost: cost("immediate and future cost"),
  immediate_cost: cost("cost of the stage itself, not discounted"),
  future_cost: cost("discounted cost of later stages as the cuts estimate it"),
  discount_factor: real("factor that discounts costs of the stage to the first one"),
  thermal_cost: cost("thermal generation"),
  contract_cost: cost("energy contracts; negative where they bring revenue"),
  deficit_cost: cost("load that is not met"),
  excess_cost: cost("generation in excess of the load"),
  storage_violation_cost: cost("storage below its minimum, of plants that may fall below it"),
  filling_target_cost: cost("storage missing to the targets of reservoirs that are being filled"),
  hydro_violation_cost: cost("sum of the six costs that follow"),
  outflow_violation_below_cost: cost("outflow below its minimum"),
  outflow_violation_above_cost: cost("outflow above its maximum"),
  turbined_violation_cost: cost("turbined flow below its minimum"),
  generation_violation_cost: cost("hydro generation below its minimum"),
  evaporation_violation_cost: cost("evaporation other than modelled"),
  withdrawal_violation_cost: cost("water withdrawal other than required"),
  inflow_penalty_cost: cost("water added to negative inflows"),
  generic_violation_cost: cost("violated generic constraints"),
  spillage_cost: cost("spillage and diverted flow"),
  fpha_turbined_cost: cost("turbined flow of plants with a production function"),
  curtailment_cost: cost(
    "curtailed generation of non-controllable sources; immediate_cost has instead the generation at the same cost, negative",
  ),
  exchange_cost: cost("flow over lines"),
  pumping_cost: cost("pumping; 0, a pump costs the power that it takes"),
};

const worth = (of: string) =>
  optional(real(`power of 1 m3/s through ${of}; none if the case does not say`, "MW/(m3/s)"));
const stored = (when: string, unit: string) =>
  optional(
    real(
      `energy of the water above the plant's minimum, by the integrated accumulated productivity, ${when}`,
      unit,
    ),
  );

export const HYDROS = {
  ...BLOCK,
  hydro_id: integer("id of the plant"),
  turbined_m3s: real("flow through the turbines", "m3/s"),
  spillage_m3s: real("flow past the turbines", "m3/s"),
  outflow_m3s: real("turbined flow and spillage", "m3/s"),
  evaporation_m3s: optional(real("evaporation; none for a plant without it", "m3/s")),
  diverted_inflow_m3s: optional(
    real("flow that other plants divert to the plant; none if no plant can", "m3/s"),
  ),
  diverted_outflow_m3s: optional(
    real("flow diverted to another plant; none without a diversion", "m3/s"),
  ),
  incremental_inflow_m3s: real("natural inflow between the plant and those upstream", "m3/s"),
  inflow_m3s: real("natural inflow and outflow of the plants upstream", "m3/s"),
  storage_initial_hm3: real("storage at the start of the stage", "hm3"),
  storage_final_hm3: real("storage at the end of the stage", "hm3"),
  generation_mw: real("generation", "MW"),
  generation_mwh: real("energy of the block", "MWh"),
  productivity_mw_per_m3s: optional(
    real("generation per turbined flow; none where planes limit it", "MW/(m3/s)"),
  ),
  equivalent_productivity_mw_per_m3s: worth("the plant alone, at its reference volume"),
  accumulated_productivity_mw_per_m3s: worth(
    "the plant and all plants downstream, each at its own",
  ),
  integrated_equivalent_productivity_mw_per_m3s: worth(
    "the plant alone, as a mean over its range of storage",
  ),
  integrated_accumulated_productivity_mw_per_m3s: worth(
    "the plant and all plants downstream, each over its own",
  ),
  incremental_inflow_energy_mw: optional(
    real("natural inflow × accumulated productivity; none without it", "MW"),
  ),
  stored_energy_initial_mwh: stored("at the start of the stage", "MWh"),
  stored_energy_final_mwh: stored("at the end of the stage", "MWh"),
  stored_energy_initial_mw: stored("at the start of the stage, over its hours", "MW"),
  stored_energy_final_mw: stored("at the end of the stage, over its hours", "MW"),
  spillage_cost: cost("cost of the spillage"),
  water_value_per_hm3: real(
    "dual of the water balance; 0 or negative where water is useful",
    "$/hm3",
  ),
  storage_binding_code: code(
    "the bound that the final storage has reached (codes.json: storage_binding)",
  ),
  operative_state_code: code("codes.json: operative_state"),
  turbined_slack_m3s: real("shortfall of the turbined flow below its minimum", "m3/s"),
  outflow_slack_below_m3s: real("shortfall of the outflow below its minimum", "m3/s"),
  outflow_slack_above_m3s: real("outflow above its maximum", "m3/s"),
  generation_slack_mw: real("shortfall of the generation below its minimum", "MW"),
  storage_violation_below_hm3: real(
    "storage missing to the minimum; 0 where that is a hard bound",
    "hm3",
  ),
  filling_target_violation_hm3: real(
    "storage missing to the target; 0 unless the reservoir is being filled",
    "hm3",
  ),
  evaporation_violation_pos_m3s: real("evaporation above the modelled one", "m3/s"),
  evaporation_violation_neg_m3s: real("evaporation below the modelled one", "m3/s"),
  inflow_nonnegativity_slack_m3s: real("water added to a negative inflow", "m3/s"),
  water_withdrawal_violation_pos_m3s: real("withdrawal above the requirement", "m3/s"),
  water_withdrawal_violation_neg_m3s: real("withdrawal below the requirement", "m3/s"),
};

/** One row for each stage, block, and bus that a plant feeds whose units feed several. */
export const HYDRO_BUS_GENERATION = {
  ...BLOCK,
  hydro_id: integer("id of the plant"),
  bus_id: integer("id of the bus"),
  turbined_m3s: real("flow through the turbines that feed the bus", "m3/s"),
  generation_mw: real("generation for the bus", "MW"),
  generation_mwh: real("energy of the block", "MWh"),
};

export const THERMALS = {
  ...BLOCK,
  thermal_id: integer("id of the plant"),
  generation_mw: real("generation", "MW"),
  generation_mwh: real("energy of the block", "MWh"),
  generation_cost: cost(
    "cost of the energy; of a plant that is committed ahead the block's share in the cost of what the stage decides",
  ),
  is_gnl: flag("whether the plant is committed ahead"),
  gnl_committed_mw: optional(
    real("generation that was decided before the stage; none if it was not", "MW"),
  ),
  gnl_decision_mw: optional(
    real("what the stage decides for later ones, in sum; none if it decides nothing", "MW"),
  ),
  operative_state_code: code("codes.json: operative_state"),
};

export const EXCHANGES = {
  ...BLOCK,
  line_id: integer("id of the line"),
  direct_flow_mw: real("flow from source to target", "MW"),
  reverse_flow_mw: real("flow from target to source", "MW"),
  net_flow_mw: real("direct less reverse flow", "MW"),
  net_flow_mwh: real("net energy of the block", "MWh"),
  losses_mw: real("losses_percent of both flows, which do not arrive", "MW"),
  losses_mwh: real("energy of the losses", "MWh"),
  exchange_cost: cost("cost of the flow"),
  operative_state_code: code("codes.json: operative_state"),
};

export const BUSES = {
  ...BLOCK,
  bus_id: integer("id of the bus"),
  load_mw: real("load", "MW"),
  load_mwh: real("energy of the load", "MWh"),
  deficit_mw: real("load that is not met", "MW"),
  deficit_mwh: real("energy that is not delivered", "MWh"),
  excess_mw: real("generation in excess of the load", "MW"),
  excess_mwh: real("energy in excess of the load", "MWh"),
  spot_price: real("dual of the power balance", "$/MWh"),
};

export const NON_CONTROLLABLES = {
  ...BLOCK,
  non_controllable_id: integer("id of the source"),
  generation_mw: real("generation", "MW"),
  generation_mwh: real("energy of the block", "MWh"),
  available_mw: real("power that is available", "MW"),
  curtailment_mw: real("available power that is not used", "MW"),
  curtailment_mwh: real("available energy that is not used", "MWh"),
  curtailment_cost: cost("cost of the curtailment; no part of the immediate cost"),
  operative_state_code: code("codes.json: operative_state"),
};

export const PUMPING_STATIONS = {
  ...BLOCK,
  pumping_station_id: integer("id of the station"),
  pumped_flow_m3s: real("flow from the source to the destination", "m3/s"),
  pumped_volume_hm3: real("volume of the block", "hm3"),
  power_consumption_mw: real("power that the pumps take", "MW"),
  energy_consumption_mwh: real("energy that the pumps take", "MWh"),
  pumping_cost: cost("0: a pump costs the power that it takes"),
  operative_state_code: code("codes.json: operative_state"),
};

export const CONTRACTS = {
  ...BLOCK,
  contract_id: integer("id of the contract"),
  power_mw: real("power that is bought or sold", "MW"),
  energy_mwh: real("energy of the block", "MWh"),
  price_per_mwh: real("price; negative: a revenue", "$/MWh"),
  total_cost: cost("cost of the energy"),
  operative_state_code: code("codes.json: operative_state"),
  contract_type_code: code("codes.json: contract_type"),
};

/** One row for each row of the program that a generic constraint has. */
export const GENERIC_VIOLATIONS = {
  ...BLOCK,
  constraint_id: integer("id of the constraint"),
  slack_value: real("how far the constraint is violated; of an equation: shortfall less excess"),
  slack_cost: cost("cost of the violation"),
};

/** One row for each stage, plant to which water is on its way, and later stage in which it arrives. */
export const IN_TRANSIT = {
  ...STAGE,
  hydro_id: integer("id of the plant to which the water flows"),
  stages_ahead: integer("how many stages later it arrives; 1 is the next stage"),
  volume_hm3: real("volume on its way at the end of the stage", "hm3"),
};

/** One row for each stage, plant that is committed ahead, and later stage in which it delivers. */
export const COMMITMENTS = {
  ...STAGE,
  thermal_id: integer("id of the plant"),
  stages_ahead: integer("how many stages later it delivers; 1 is the next stage"),
  commitment_mw: real("what it is committed to at the end of the stage", "MW"),
};

/** One row for each stage, plant and lag. */
export const INFLOW_LAGS = {
  ...STAGE,
  hydro_id: integer("id of the plant"),
  lag_index: integer("how many stages ago; 1 is the previous stage"),
  inflow_m3s: real("natural inflow of that stage", "m3/s"),
};

/** One row for each stage, of a graph that has several nodes in a stage. */
export const PATHS = {
  ...STAGE,
  node_id: integer("id of the node of the stage through which the scenario goes"),
};

/** One row for each scenario. */
export const SCENARIO_SUMMARY = {
  scenario_id: integer("number of the scenario, from 0"),
  probability: optional(
    real("how likely it is, if the scenarios are all paths of a tree; none: they are drawn"),
  ),
  discounted_immediate_cost: cost("cost of its stages, discounted"),
  total_cost: cost("the same and the discounted value of what follows the last stage"),
};
