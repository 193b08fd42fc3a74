import { columns, type FileContent, goodCase, hydroPenalties, stage } from "./case-folder.js";

const START = { operational_start_date: "2020-01-01" };

/** A plant as Cobre 0.18 writes it. */
export function laterHydro(id: number, fields: object = {}): object {
  const limits = {
    min_turbined_m3s: 0,
    max_turbined_m3s: 1000,
    min_generation_mw: 0,
    max_generation_mw: 1000,
  };
  return {
    id,
    name: `H${id}`,
    ...START,
    downstream_id: null,
    reservoir: { min_storage_hm3: 0, max_storage_hm3: 720 },
    outflow: { min_outflow_m3s: 0, max_outflow_m3s: null },
    generation: { model: "constant_productivity", ...limits },
    unit_groups: [{ id: 0, name: "all", bus_id: 1, ...limits }],
    ...fields,
  };
}

/** A stage as Cobre 0.18 writes it. */
export function laterStage(id: number, fields: object = {}): object {
  const { num_scenarios, ...others } = stage(id) as Record<string, unknown>;
  return { ...others, num_openings: num_scenarios, ...fields };
}

function model(hydro_id: number, fields: object = {}): object {
  return {
    hydro_id,
    selection_mode: "stage_ranges",
    stage_ranges: [
      {
        start_stage_id: 0,
        end_stage_id: null,
        model: "constant_productivity",
        productivity_mw_per_m3s: 1,
        ...fields,
      },
    ],
  };
}

const { fpha_turbined_cost, ...otherPenalties } = hydroPenalties;
export const laterPenalties = { ...otherPenalties, turbined_cost: fpha_turbined_cost };

/** A case for Cobre 0.18 without faults, in which every object and most fields are given that may be left out. */
export function laterCase(): Record<string, FileContent> {
  const good = goodCase();
  const rule = { type: "iteration_limit", limit: 20 };
  return {
    ...good,
    "config.json": {
      $schema: "https://…/config.schema.json",
      training: {
        enabled: true,
        selection: { method: "sampled", forward_passes: 2 },
        stopping_rules: [rule, { type: "bound_stalling", iterations: 5, tolerance: 0 }],
        stopping_mode: "all",
        tree_seed: 42,
        cut_selection: {
          row_activity_tolerance: 0,
          max_active_per_stage: 50,
          selection: { method: "level1", tie_tolerance: 1e-9, check_frequency: 3 },
        },
        solver: { retry_max_attempts: 7, retry_time_budget_seconds: 3 },
        parallelism: { backward_scheduler: { method: "by_node", block_size: 2 } },
        scenario_source: {
          seed: 42,
          inflow: { scheme: "in_sample" },
          openings: { source: "generated" },
        },
      },
      modeling: { inflow_non_negativity: { method: "penalty" }, cost_scale_factor: 1e6 },
      simulation: {
        enabled: true,
        selection: { method: "sampled", num_scenarios: 9 },
        io_channel_capacity: 64,
      },
      policy: { path: "elsewhere", checkpointing: { enabled: true, interval_iterations: 4 } },
      exports: { states: true, stochastic: true, fpha_deviation_points: false },
      estimation: { max_order: 3 },
    },
    "penalties.json": {
      ...(good["penalties.json"] as object),
      hydro: { ...laterPenalties, inflow_nonnegativity_cost: 900 },
    },
    "stages.json": {
      policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 },
      season_definitions: {
        cycle_type: "monthly",
        seasons: Array.from({ length: 12 }, (_, id) => ({
          id,
          label: `month ${id}`,
          month_start: id + 1,
        })),
      },
      stages: [
        laterStage(0, {
          annual_discount_rate_override: 0.2,
          state_variables: { storage: true, inflow_lags: true },
        }),
        laterStage(1, { season_id: 1, state_variables: { inflow_lags: true } }),
        laterStage(2, {
          risk_measure: { cvar: { alpha: 0.5, lambda: 0.25 } },
          state_variables: { inflow_lags: true },
        }),
      ],
    },
    "initial_conditions.json": {
      ...(good["initial_conditions.json"] as object),
      recent_observations: [
        { hydro_id: 2, start_date: "2024-12-22", end_date: "2025-01-01", value_m3s: 41 },
      ],
    },
    "system/buses.json": {
      buses: [
        { id: 1, name: "B", ...START },
        { id: 0, name: "Later", operational_start_date: "2021-05-01" },
      ],
    },
    "system/lines.json": {
      lines: [
        {
          id: 5,
          name: "L",
          ...START,
          source_bus_id: 1,
          target_bus_id: 0,
          capacity: { direct_mw: 100, reverse_mw: 40 },
        },
      ],
    },
    "system/thermals.json": {
      thermals: [
        {
          id: 0,
          name: "T",
          ...START,
          bus_id: 1,
          generation: { min_mw: 0, max_mw: 1000 },
          cost_per_mwh: 50,
        },
      ],
    },
    "system/hydros.json": {
      hydros: [
        laterHydro(4, { operational_start_date: "1990-07-01" }),
        laterHydro(2, { downstream_id: 4, penalties: { turbined_cost: 0.5 } }),
      ],
    },
    "system/hydro_production_models.json": {
      production_models: [
        model(4),
        model(2, { reference_volume: { percentile: 0.5 }, productivity_mw_per_m3s: 0.5 }),
      ],
    },
    "system/non_controllable_sources.json": {
      non_controllable_sources: [
        {
          id: 3,
          name: "Wind",
          ...START,
          bus_id: 1,
          max_generation_mw: 80,
          allow_curtailment: false,
        },
      ],
    },
    "constraints/penalty_overrides_ncs.parquet": columns({
      ncs_id: [3],
      stage_id: [1],
      curtailment_cost: [0.2],
    }),
    "system/pumping_stations.json": {
      pumping_stations: [
        {
          id: 6,
          name: "P",
          ...START,
          bus_id: 1,
          source_hydro_id: 4,
          destination_hydro_id: 2,
          consumption_mw_per_m3s: 0.5,
          flow: { min_m3s: 0, max_m3s: 8 },
        },
      ],
    },
    "constraints/pumping_bounds.parquet": columns({
      pumping_station_id: [6],
      stage_id: [1],
      max_m3s: [4],
    }),
    "system/energy_contracts.json": {
      contracts: [
        {
          id: 8,
          name: "K",
          ...START,
          bus_id: 1,
          type: "export",
          price_per_mwh: -20,
          limits: { min_mw: 0, max_mw: 15 },
        },
      ],
    },
    "constraints/penalty_overrides_hydro.parquet": columns({
      hydro_id: [4],
      stage_id: [2],
      turbined_cost: [0.75],
    }),
    "constraints/line_bounds.parquet": columns({
      line_id: [5],
      stage_id: [0],
      block_id: [0],
      direct_mw: [10],
    }),
    "constraints/generic_parameters.json": {
      scalar_parameters: [
        {
          id: 0,
          name: "limit",
          kind: "per_stage",
          values: [
            [0, 5],
            [1, 6],
            [2, 7],
          ],
        },
        { id: 1, name: "half", kind: "constant", value: 0.5 },
        {
          id: 2,
          name: "season",
          kind: "seasonal",
          values: [
            [0, 1],
            [1, 2],
            [2, 3],
          ],
        },
        { id: 3, name: "cell", kind: "per_stage_block", block_values: [[0, 0, 3]] },
        {
          id: 4,
          name: "top",
          kind: "computed",
          computed_spec: { tag: "max_storage", hydro_id: 4 },
        },
      ],
    },
    "constraints/generic_constraints.json": {
      expressions: [{ name: "both", expression: "hydro_generation(2) + hydro_generation(4, 0)" }],
      constraints: [
        {
          id: 2,
          name: "C",
          description: "a text",
          expression: "2 * @both - @half * thermal_generation(0) <= @limit + 1",
          slack: { enabled: true, penalty: 40 },
        },
        {
          id: 3,
          name: "band",
          expression: "line_exchange(source_bus=0, target_bus=1)",
          slack: { enabled: false },
        },
      ],
    },
    "constraints/generic_constraint_bounds.parquet": columns({
      constraint_id: [2, 3],
      stage_id: [1, 0],
      block_id: [null, 0],
      bound_lower: [null, -20],
      bound_upper: [null, 30],
    }),
    "scenarios/correlation.json": {
      method: "spectral",
      profiles: { default: { correlation_groups: [] } },
    },
    "scenarios/inflow_ar_coefficients.parquet": columns({
      hydro_id: [2, 2, 2],
      stage_id: [0, 1, 2],
      lag: [1, 1, 1],
      coefficient: [0.6, 0.6, 0.6],
    }),
    "scenarios/inflow_history.csv": `hydro_id,start_date,end_date,value_m3s
2,2024-12-01,2025-01-01,10
4,2024-12-01,2025-01-01,7
`,
    "scenarios/inflow_seasonal_stats.parquet": columns({
      hydro_id: [2, 2, 2, 4, 4, 4, 2, 4],
      stage_id: [0, 1, 2, 0, 1, 2, -1, -1],
      mean_m3s: [10, 20, 30, 40, 50, 60, 5, 6],
      std_m3s: [1, 2, 3, 4, 5, 6, 2, 3],
    }),
  };
}
