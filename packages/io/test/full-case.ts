import {
  columns,
  type FileContent,
  goodCase,
  hydro,
  hydroPenalties,
  stage,
} from "./case-folder.js";

/** A case without faults in which every object and every field is given that may be left out. */
export function fullCase(): Record<string, FileContent> {
  const good = goodCase();
  const source = { seed: 42, inflow: { scheme: "in_sample" }, load: { scheme: "in_sample" } };
  return {
    ...good,
    "config.json": {
      $schema: "config",
      version: "1",
      compat: null,
      training: {
        enabled: true,
        forward_passes: 3,
        forward_pass: { type: "default" },
        stopping_rules: [
          { type: "iteration_limit", limit: 20 },
          { type: "time_limit", seconds: 0 },
          { type: "bound_stalling", iterations: 5, tolerance: 0 },
          {
            type: "simulation",
            replications: 4,
            period: 6,
            bound_window: 7,
            distance_tol: 0.1,
            bound_tol: 0.2,
          },
        ],
        stopping_mode: "all",
        tree_seed: -42,
        cut_formulation: "single",
        scenario_source: { ...source, ncs: { scheme: "in_sample" }, historical_years: [1990] },
        cut_selection: {
          enabled: false,
          method: "lml1",
          threshold: 3,
          check_frequency: 1,
          cut_activity_tolerance: 0,
          domination_epsilon: 0,
          basis_activity_window: 5,
        },
        solver: { retry_max_attempts: 7, retry_time_budget_seconds: 3 },
      },
      modeling: { inflow_non_negativity: { method: "truncation", penalty_cost: 3 } },
      simulation: {
        enabled: true,
        num_scenarios: 9,
        policy_type: "outer",
        output_path: "./simulation/",
        output_mode: "streaming",
        io_channel_capacity: 64,
        scenario_source: { seed: -42, inflow: { scheme: "in_sample" } },
      },
      policy: {
        path: "elsewhere",
        mode: "warm_start",
        validate_compatibility: true,
        boundary: { path: "behind", source_stage: 0 },
        checkpointing: {
          enabled: true,
          initial_iteration: 1,
          interval_iterations: 4,
          store_basis: true,
          compress: false,
        },
      },
      exports: { states: true, stochastic: true, hive: true },
      upper_bound_evaluation: {
        enabled: false,
        initial_iteration: 1,
        interval_iterations: 2,
        lipschitz: {},
      },
      estimation: {},
    },
    "penalties.json": {
      version: "1",
      bus: {
        deficit_segments: [
          { depth_mw: 50, cost: 500 },
          { depth_mw: null, cost: 1000 },
        ],
        excess_cost: 100,
      },
      line: { exchange_cost: 2 },
      hydro: {
        ...hydroPenalties,
        inflow_nonnegativity_cost: 900,
        evaporation_violation_pos_cost: 1,
        evaporation_violation_neg_cost: 1,
        water_withdrawal_violation_pos_cost: 1,
        water_withdrawal_violation_neg_cost: 1,
      },
      non_controllable_source: { curtailment_cost: 0.005 },
    },
    "stages.json": {
      policy_graph: {
        type: "finite_horizon",
        annual_discount_rate: 0.1,
        transitions: [
          { source_id: 0, target_id: 1, probability: 1, annual_discount_rate_override: 0.2 },
          { source_id: 1, target_id: 2, probability: 1 },
        ],
      },
      season_definitions: {
        cycle_type: "monthly",
        seasons: [0, 1, 2].map((id) => ({
          id,
          month_start: id + 1,
          day_start: 1,
          month_end: id + 1,
          day_end: 28,
          label: `month ${id}`,
        })),
      },
      pre_study_stages: [
        { id: -1, start_date: "2024-12-01", end_date: "2025-01-01", season_id: 2 },
      ],
      stages: [
        stage(0, {
          season_id: 0,
          sampling_method: "saa",
          block_mode: "parallel",
          state_variables: { storage: true },
          risk_measure: { cvar: { alpha: 0.5, lambda: 0.25 } },
        }),
        stage(1, { season_id: 1, risk_measure: "expectation" }),
        stage(2, { season_id: 2 }),
      ],
    },
    "initial_conditions.json": {
      storage: [{ hydro_id: 4, value_hm3: 700 }],
      filling_storage: [{ hydro_id: 2, value_hm3: 100 }],
      past_inflows: [{ hydro_id: 2, values_m3s: [11, 12], season_ids: [2, 1] }],
      recent_observations: [],
    },
    "system/buses.json": {
      buses: [
        {
          id: 1,
          name: 'The "north", with a comma',
          deficit_segments: [{ depth_mw: null, cost: 800 }],
        },
        { id: 7, name: "South" },
      ],
    },
    "system/lines.json": {
      lines: [
        {
          id: 5,
          name: "L",
          source_bus_id: 1,
          target_bus_id: 7,
          entry_stage_id: null,
          exit_stage_id: null,
          exchange_cost: 3,
          losses_percent: 0,
          capacity: { direct_mw: 100, reverse_mw: 40 },
        },
      ],
    },
    "system/hydros.json": {
      hydros: [
        hydro(4, {
          tailrace: { type: "polynomial", coefficients: [3, 0.01] },
          hydraulic_losses: { type: "factor", value: 0.02 },
          efficiency: { type: "constant", value: 0.9 },
        }),
        hydro(2, {
          tailrace: {
            type: "piecewise",
            points: [
              { outflow_m3s: 0, height_m: 1 },
              { outflow_m3s: 50, height_m: 2 },
            ],
          },
          hydraulic_losses: { type: "constant", value_m: 1 },
          evaporation: {
            coefficients_mm: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            reference_volumes_hm3: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
          },
          downstream_id: 4,
          entry_stage_id: 1,
          filling: { start_stage_id: 0, filling_min_rate_m3s: 2 },
          diversion: { downstream_id: 4, max_flow_m3s: 3 },
          outflow: { min_outflow_m3s: 1, max_outflow_m3s: 2000 },
          penalties: {
            spillage_cost: 0.5,
            evaporation_violation_pos_cost: 1,
            evaporation_violation_neg_cost: 1,
            water_withdrawal_violation_pos_cost: 1,
            water_withdrawal_violation_neg_cost: 1,
          },
        }),
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
              end_stage_id: 1,
              model: "constant_productivity",
              productivity_override: 1.5,
            },
            {
              start_stage_id: 2,
              end_stage_id: null,
              model: "fpha",
              fpha_config: {
                source: "precomputed",
                volume_discretization_points: 3,
                turbine_discretization_points: 3,
                spillage_discretization_points: 3,
                max_planes_per_hydro: 5,
                fitting_window: { volume_min_hm3: 1, volume_max_percentile: 0.9 },
              },
            },
          ],
        },
        {
          hydro_id: 2,
          selection_mode: "seasonal",
          default_model: "constant_productivity",
          seasons: [
            { season_id: 1, model: "constant_productivity", productivity_override: 0.8 },
            { season_id: 2, model: "fpha", fpha_config: { source: "precomputed" } },
          ],
        },
      ],
    },
    "system/hydro_geometry.parquet": columns({
      hydro_id: [2, 2],
      volume_hm3: [10, 0],
      height_m: [3, 2],
      area_km2: [1, 0],
    }),
    "system/fpha_hyperplanes.parquet": columns({
      hydro_id: [2, 4],
      stage_id: [2, null],
      plane_id: [0, 0],
      gamma_0: [1, 2],
      gamma_v: [0, 0.1],
      gamma_q: [1, 2],
      gamma_s: [0, -0.1],
      kappa: [0.9, null],
    }),
    "scenarios/load_factors.json": {
      load_factors: [{ bus_id: 1, stage_id: 2, block_factors: [{ block_id: 0, factor: 0.9 }] }],
    },
    "system/non_controllable_sources.json": {
      non_controllable_sources: [
        {
          id: 3,
          name: "Wind",
          bus_id: 7,
          max_generation_mw: 80,
          curtailment_cost: 0.1,
          allow_curtailment: true,
          entry_stage_id: 0,
          exit_stage_id: 3,
        },
      ],
    },
    "scenarios/non_controllable_factors.json": {
      non_controllable_factors: [
        { ncs_id: 3, stage_id: 1, block_factors: [{ block_id: 0, factor: 0.5 }] },
      ],
    },
    "system/pumping_stations.json": {
      pumping_stations: [
        {
          id: 6,
          name: "P",
          bus_id: 1,
          source_hydro_id: 4,
          destination_hydro_id: 2,
          consumption_mw_per_m3s: 0.5,
          flow: { min_m3s: 0, max_m3s: 8 },
          entry_stage_id: 0,
          exit_stage_id: 3,
        },
      ],
    },
    "system/energy_contracts.json": {
      contracts: [
        {
          id: 8,
          name: "K",
          bus_id: 7,
          type: "export",
          price_per_mwh: -20,
          limits: { min_mw: 0, max_mw: 15 },
          entry_stage_id: 0,
          exit_stage_id: 3,
        },
      ],
    },
    "constraints/exchange_factors.json": {
      exchange_factors: [
        {
          line_id: 5,
          stage_id: 1,
          block_factors: [{ block_id: 0, direct_factor: 0.5, reverse_factor: 0.25 }],
        },
      ],
    },
    "constraints/generic_constraints.json": {
      constraints: [
        {
          id: 2,
          name: "C",
          description: "a text",
          expression: "hydro_generation(2) + thermal_generation(0)",
          sense: ">=",
          slack: { enabled: true, penalty: 40 },
        },
      ],
    },
    "constraints/generic_constraint_bounds.parquet": columns({
      constraint_id: [2],
      stage_id: [1],
      block_id: [null],
      bound: [1],
    }),
    "scenarios/correlation.json": {
      method: "spectral",
      profiles: {
        default: { correlation_groups: [] },
        wet: {
          correlation_groups: [
            {
              name: "both",
              entities: [
                { type: "inflow", id: 2 },
                { type: "inflow", id: 4 },
              ],
              matrix: [
                [1, 0.5],
                [0.5, 1],
              ],
            },
          ],
        },
      },
      schedule: [{ stage_id: 1, profile_name: "wet" }],
    },
    "scenarios/inflow_ar_coefficients.parquet": columns({
      hydro_id: [2, 2],
      stage_id: [1, 1],
      lag: [2, 1],
      coefficient: [0.25, 0.5],
      residual_std_ratio: [0.8, 0.8],
    }),
    "scenarios/inflow_seasonal_stats.parquet": columns({
      hydro_id: [2, 2, 2, 4, 4, 4, 2, 4],
      stage_id: [0, 1, 2, 0, 1, 2, -1, -1],
      mean_m3s: [10, 20, 30, 40, 50, 60, 5, 6],
      std_m3s: [1, 2, 3, 4, 5, 6, 2, 3],
    }),
  };
}
