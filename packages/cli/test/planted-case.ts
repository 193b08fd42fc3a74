/** The case into which errors are planted. */
type Files = Readonly<Record<string, string | object>>;

const stage = (id: number, month: string, next: string) => ({
  id,
  start_date: `2025-${month}-01`,
  end_date: `2025-${next}-01`,
  blocks: [
    { id: 0, name: "day", hours: 400 },
    { id: 1, name: "night", hours: 344 },
  ],
  num_scenarios: 3,
  season_id: id,
});

const hydro = (id: number, fields: object = {}) => ({
  id,
  name: `H${id}`,
  bus_id: 1,
  downstream_id: null as number | null,
  reservoir: { min_storage_hm3: 0, max_storage_hm3: 100 },
  outflow: { min_outflow_m3s: 0, max_outflow_m3s: null },
  generation: {
    model: "constant_productivity",
    productivity_mw_per_m3s: 1,
    min_turbined_m3s: 0,
    max_turbined_m3s: 50,
    min_generation_mw: 0,
    max_generation_mw: 50,
  },
  ...fields,
});

/** A row for each of the entities and stages. */
const rows = (head: string, ids: readonly number[], values: string) =>
  [head, ...ids.flatMap((id) => [0, 1, 2].map((t) => `${id},${t},${values}`))].join("\n");

/** A case that has something of everything, and no error. */
export const GOOD = {
  "config.json": {
    training: { forward_passes: 2, stopping_rules: [{ type: "iteration_limit", limit: 2 }] },
  },
  "penalties.json": {
    bus: { deficit_segments: [{ depth_mw: null, cost: 1000 }], excess_cost: 1 },
    line: { exchange_cost: 1 },
    hydro: {
      spillage_cost: 0.01,
      fpha_turbined_cost: 0.05,
      diversion_cost: 0.1,
      storage_violation_below_cost: 1000,
      filling_target_violation_cost: 1000,
      turbined_violation_below_cost: 500,
      outflow_violation_below_cost: 500,
      outflow_violation_above_cost: 500,
      generation_violation_below_cost: 1000,
      evaporation_violation_cost: 500,
      water_withdrawal_violation_cost: 1000,
    },
    non_controllable_source: { curtailment_cost: 0.01 },
  },
  "stages.json": {
    policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 },
    stages: [stage(0, "01", "02"), stage(1, "02", "03"), stage(2, "03", "04")],
  },
  "initial_conditions.json": {
    storage: [1, 2, 3, 4, 5, 6].map((hydro_id) => ({ hydro_id, value_hm3: 50 })),
    filling_storage: [],
  },
  "system/buses.json": {
    buses: [
      { id: 1, name: "north" },
      { id: 2, name: "south", deficit_segments: [{ depth_mw: null, cost: 900 }] },
      { id: 3, name: "west" },
    ],
  },
  "system/lines.json": {
    lines: [0, 1].map((id) => ({
      id,
      name: `L${id}`,
      source_bus_id: 1,
      target_bus_id: 2,
      capacity: { direct_mw: 10, reverse_mw: 10 },
    })),
  },
  "system/thermals.json": {
    thermals: [0, 1].map((id) => ({
      id,
      name: `T${id}`,
      bus_id: 1,
      cost_per_mwh: 50,
      generation: { min_mw: 0, max_mw: 100 },
    })),
  },
  "system/hydros.json": {
    hydros: [
      hydro(1, { downstream_id: 2 }),
      hydro(2, { downstream_id: null }),
      hydro(3),
      hydro(4),
      hydro(5),
      hydro(6),
    ],
  },
  "system/hydro_production_models.json": {
    production_models: [
      {
        hydro_id: 4,
        selection_mode: "stage_ranges",
        stage_ranges: [
          {
            start_stage_id: 0,
            end_stage_id: null,
            model: "fpha",
            fpha_config: { source: "precomputed" },
          },
        ],
      },
    ],
  },
  "system/fpha_hyperplanes.csv":
    "hydro_id,stage_id,plane_id,gamma_0,gamma_v,gamma_q,gamma_s\n4,,0,0,0.01,0.9,0",
  "system/non_controllable_sources.json": {
    non_controllable_sources: [0, 1].map((id) => {
      return { id, name: `N${id}`, bus_id: 1, max_generation_mw: 5 };
    }),
  },
  "system/pumping_stations.json": {
    pumping_stations: [
      {
        id: 0,
        name: "P",
        bus_id: 1,
        source_hydro_id: 5,
        destination_hydro_id: 6,
        consumption_mw_per_m3s: 0.5,
        flow: { min_m3s: 0, max_m3s: 1 },
      },
    ],
  },
  "system/energy_contracts.json": {
    contracts: [
      {
        id: 0,
        name: "K",
        bus_id: 1,
        type: "import",
        price_per_mwh: 60,
        limits: { min_mw: 0, max_mw: 4 },
      },
    ],
  },
  "scenarios/inflow_seasonal_stats.csv": rows(
    "hydro_id,stage_id,mean_m3s,std_m3s",
    [1, 2, 3, 4, 5, 6],
    "10,1",
  ),
  "scenarios/load_seasonal_stats.csv": rows("bus_id,stage_id,mean_mw,std_mw", [1, 2], "100,0"),
  "scenarios/load_factors.json": {
    load_factors: [{ bus_id: 2, stage_id: 0, block_factors: [{ block_id: 1, factor: 0.9 }] }],
  },
  "scenarios/correlation.json": {
    method: "spectral",
    profiles: {
      default: {
        correlation_groups: [
          {
            name: "rivers",
            entities: [
              { type: "inflow", id: 1 },
              { type: "inflow", id: 2 },
            ],
            matrix: [
              [1, 0.5],
              [0.5, 1],
            ],
          },
        ],
      },
    },
  },
  "constraints/thermal_bounds.csv": "thermal_id,stage_id,max_generation_mw\n1,0,80",
  "constraints/hydro_bounds.csv": "hydro_id,stage_id,min_outflow_m3s,max_outflow_m3s\n5,1,2,5",
  "constraints/penalty_overrides_bus.csv": "bus_id,stage_id,excess_cost\n1,0,2",
  "constraints/exchange_factors.json": {
    exchange_factors: [
      { line_id: 1, stage_id: 0, block_factors: [{ block_id: 0, direct_factor: 0.5 }] },
    ],
  },
  "constraints/generic_constraints.json": {
    constraints: [
      { id: 1, name: "cap", expression: "thermal_generation(0)", sense: "<=" },
      { id: 2, name: "sum", expression: "thermal_generation(1)", sense: "<=" },
    ],
  },
  "constraints/generic_constraint_bounds.csv":
    "constraint_id,stage_id,block_id,bound\n1,0,,90\n2,0,0,90",
} satisfies Files;
