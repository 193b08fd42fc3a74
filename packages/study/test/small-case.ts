/** A case as an object, so small that its optimum can be derived by hand: stages of 1,000 hours without noise, discount or end value. */
import type { CaseInput } from "@cobre/io";

const COSTS = [
  "spillage_cost",
  "fpha_turbined_cost",
  "diversion_cost",
  "storage_violation_below_cost",
  "filling_target_violation_cost",
  "turbined_violation_below_cost",
  "outflow_violation_below_cost",
  "outflow_violation_above_cost",
  "generation_violation_below_cost",
  "evaporation_violation_cost",
  "water_withdrawal_violation_cost",
];

export function reservoir(id: number, maxTurbined: number) {
  return {
    id,
    name: `lake ${id}`,
    bus_id: 1,
    downstream_id: null,
    reservoir: { min_storage_hm3: 0, max_storage_hm3: 100 },
    outflow: { min_outflow_m3s: 0, max_outflow_m3s: null },
    generation: {
      model: "constant_productivity",
      productivity_mw_per_m3s: 1,
      min_turbined_m3s: 0,
      max_turbined_m3s: maxTurbined,
      min_generation_mw: 0,
      max_generation_mw: 100,
    },
  };
}

/** One bus with 30 MW of load, a thermal plant at 100 $/MWh, and a lake with 36 hm³. */
export function smallCase(stages: number, fields: object = {}): CaseInput {
  const ids = Array.from({ length: stages }, (_, id) => id);
  const input = {
    name: "small",
    config: {
      training: { forward_passes: 1, stopping_rules: [{ type: "iteration_limit", limit: 5 }] },
      simulation: { enabled: true, num_scenarios: 2 },
    },
    penalties: {
      bus: { deficit_segments: [{ depth_mw: null, cost: 5000 }], excess_cost: 1 },
      line: { exchange_cost: 1 },
      hydro: Object.fromEntries(COSTS.map((name) => [name, 0.01])),
      non_controllable_source: { curtailment_cost: 0.01 },
    },
    stages: ids.map((id) => ({
      id,
      start_date: `2025-0${id + 1}-01`,
      end_date: `2025-0${id + 2}-01`,
      blocks: [{ id: 0, name: "all", hours: 1000 }],
      num_scenarios: 1,
    })),
    initial_conditions: { storage: [{ hydro_id: 1, value_hm3: 36 }], filling_storage: [] },
    buses: [{ id: 1, name: "city" }],
    thermals: [
      { id: 0, name: "T", bus_id: 1, cost_per_mwh: 100, generation: { min_mw: 0, max_mw: 500 } },
    ],
    hydros: [reservoir(1, 100)],
    inflow_seasonal_stats: ids.map((id) => {
      return { hydro_id: 1, stage_id: id, mean_m3s: 0, std_m3s: 0 };
    }),
    load_seasonal_stats: ids.map((id) => ({ bus_id: 1, stage_id: id, mean_mw: 30, std_mw: 0 })),
    ...fields,
  };
  return input as unknown as CaseInput;
}
