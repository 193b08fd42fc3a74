/** The tables of `hydro_models/`. */
import { integer, optional, real } from "../column.js";

/** In the format of `system/fpha_hyperplanes.parquet`, so that it can be copied to a case. */
export const FPHA_PLANES = {
  hydro_id: integer("id of the plant"),
  stage_id: optional(integer("id of the stage; none: all stages")),
  plane_id: integer("number of the plane, from 0"),
  gamma_0: real("constant of the plane", "MW"),
  gamma_v: real("by mean storage", "MW/hm3"),
  gamma_q: real("by turbined flow", "MW/(m3/s)"),
  gamma_s: real("by spillage", "MW/(m3/s)"),
  kappa: real("factor on gamma_0"),
  valid_v_min_hm3: real("least storage of the fit", "hm3"),
  valid_v_max_hm3: real("highest storage of the fit", "hm3"),
  valid_q_max_m3s: real("highest turbined flow of the fit", "m3/s"),
  correction_factor: real("factor on whole planes, which they contain"),
  mean_error_mw: real("mean distance of the fit from the production function", "MW"),
  max_error_mw: real("largest distance of the fit from the production function", "MW"),
};
