/** The tables of `stochastic/`, in the format of `scenarios/`, so that they can be copied to a case. */
import { index, integer, real } from "../column.js";

const OF_HYDRO = { hydro_id: integer("id of the plant"), stage_id: integer("id of the stage") };

export const NOISE_OPENINGS = {
  stage_id: integer("id of the stage"),
  opening_index: index("from 0"),
  entity_index: index("hydros by id, then buses with uncertain load by id"),
  value: real("standardised noise"),
};

export const INFLOW_STATISTICS = {
  ...OF_HYDRO,
  mean_m3s: real("mean inflow", "m3/s"),
  std_m3s: real("its standard deviation", "m3/s"),
};

export const INFLOW_AUTOREGRESSIONS = {
  ...OF_HYDRO,
  lag: integer("how many stages ago, from 1"),
  coefficient: real("standardised"),
  residual_std_ratio: real("standard deviation of the noise over that of the inflow"),
};

export const INFLOW_ANNUAL_COMPONENTS = {
  ...OF_HYDRO,
  annual_coefficient: real("weight of the mean of the last twelve inflows, standardised"),
  annual_mean_m3s: real("mean of that mean", "m3/s"),
  annual_std_m3s: real("its standard deviation", "m3/s"),
};

export const LOAD_STATISTICS = {
  bus_id: integer("id of the bus"),
  stage_id: integer("id of the stage"),
  mean_mw: real("mean load", "MW"),
  std_mw: real("its standard deviation; 0: the load is certain", "MW"),
};
