import type { OutputColumn } from "@cobre/io";

/** The names of a table's columns and what they hold: an integer, a number, or one that may be missing. */
type Columns = Readonly<Record<string, OutputColumn["type"]>>;

/** A table that grows row by row. */
export class TableBuilder<C extends Columns> {
  private readonly types: C;
  private readonly data: { readonly [K in keyof C]: (number | null)[] };

  constructor(types: C) {
    this.types = types;
    this.data = Object.fromEntries(Object.keys(types).map((name) => [name, []])) as unknown as {
      readonly [K in keyof C]: (number | null)[];
    };
  }

  add(row: { readonly [K in keyof C]: number | null }): void {
    for (const name in this.data) this.data[name].push(row[name]);
  }

  columns(): OutputColumn[] {
    return Object.entries(this.types).map(([name, type]) => ({
      name,
      type,
      data: this.data[name],
      isNullable: this.data[name].some((value) => value === null),
    }));
  }
}

export const COST_COLUMNS = {
  stage_id: "INT32",
  block_id: "INT32",
  total_cost: "DOUBLE",
  immediate_cost: "DOUBLE",
  future_cost: "DOUBLE",
  discount_factor: "DOUBLE",
  thermal_cost: "DOUBLE",
  contract_cost: "DOUBLE",
  deficit_cost: "DOUBLE",
  excess_cost: "DOUBLE",
  storage_violation_cost: "DOUBLE",
  filling_target_cost: "DOUBLE",
  hydro_violation_cost: "DOUBLE",
  outflow_violation_below_cost: "DOUBLE",
  outflow_violation_above_cost: "DOUBLE",
  turbined_violation_cost: "DOUBLE",
  generation_violation_cost: "DOUBLE",
  evaporation_violation_cost: "DOUBLE",
  withdrawal_violation_cost: "DOUBLE",
  inflow_penalty_cost: "DOUBLE",
  generic_violation_cost: "DOUBLE",
  spillage_cost: "DOUBLE",
  fpha_turbined_cost: "DOUBLE",
  curtailment_cost: "DOUBLE",
  exchange_cost: "DOUBLE",
  pumping_cost: "DOUBLE",
} as const;

export const HYDRO_COLUMNS = {
  stage_id: "INT32",
  block_id: "INT32",
  hydro_id: "INT32",
  turbined_m3s: "DOUBLE",
  spillage_m3s: "DOUBLE",
  outflow_m3s: "DOUBLE",
  incremental_inflow_m3s: "DOUBLE",
  inflow_m3s: "DOUBLE",
  storage_initial_hm3: "DOUBLE",
  storage_final_hm3: "DOUBLE",
  generation_mw: "DOUBLE",
  generation_mwh: "DOUBLE",
  productivity_mw_per_m3s: "DOUBLE",
  spillage_cost: "DOUBLE",
  water_value_per_hm3: "DOUBLE",
  outflow_slack_below_m3s: "DOUBLE",
  outflow_slack_above_m3s: "DOUBLE",
  turbined_slack_m3s: "DOUBLE",
  generation_slack_mw: "DOUBLE",
  inflow_slack_m3s: "DOUBLE",
} as const;

export const THERMAL_COLUMNS = {
  stage_id: "INT32",
  block_id: "INT32",
  thermal_id: "INT32",
  generation_mw: "DOUBLE",
  generation_mwh: "DOUBLE",
  generation_cost: "DOUBLE",
} as const;

export const BUS_COLUMNS = {
  stage_id: "INT32",
  block_id: "INT32",
  bus_id: "INT32",
  load_mw: "DOUBLE",
  load_mwh: "DOUBLE",
  deficit_mw: "DOUBLE",
  deficit_mwh: "DOUBLE",
  excess_mw: "DOUBLE",
  excess_mwh: "DOUBLE",
  spot_price: "DOUBLE",
} as const;

export const EXCHANGE_COLUMNS = {
  stage_id: "INT32",
  block_id: "INT32",
  line_id: "INT32",
  direct_flow_mw: "DOUBLE",
  reverse_flow_mw: "DOUBLE",
  net_flow_mw: "DOUBLE",
  exchange_cost: "DOUBLE",
} as const;

export const LAG_COLUMNS = {
  stage_id: "INT32",
  hydro_id: "INT32",
  lag_index: "INT32",
  inflow_m3s: "DOUBLE",
} as const;
