import type { Dialect } from "@cobre/core";
import { hydro, stage } from "./case-folder.js";
import { laterHydro, laterStage } from "./later-case.js";

/** A file, what it holds, and what its reader makes of that, as JSON: what is undefined is left out, what is infinite is null. */
export type ReadFile = readonly [file: string, document: object, expected: unknown];

const day = (date: string) => Date.parse(date) / 86_400_000;
const START = { operational_start_date: "2000-01-02" };

const window = (start: string, end: string) => ({ start_date: start, end_date: end });
const [DECEMBER, JANUARY] = ["2024-12-01", "2025-01-01"];
const DAYS = { start: day(DECEMBER), end: day(JANUARY) };
const limits = {
  min_turbined_m3s: 1,
  max_turbined_m3s: 2,
  min_generation_mw: 3,
  max_generation_mw: 4,
};
const groups = [
  { id: 5, name: "old", bus_id: 6, ...limits },
  { id: 7, name: "new", bus_id: 8, ...limits },
];
const unitGroups = groups.map(({ id, name, bus_id: busId }) => ({
  id,
  name,
  busId,
  minTurbinedM3s: 1,
  maxTurbinedM3s: 2,
  minGenerationMw: 3,
  maxGenerationMw: 4,
}));

const postStudy: ReadFile = [
  "post_study_stages.json",
  {
    stages: [{ start_date: JANUARY, duration_hours: 744 }],
    thermal_bounds: [
      { thermal_id: 1, post_study_stage_index: 0, cost_per_mwh: 2, min_mw: 3, max_mw: 4 },
    ],
  },
  {
    stages: [{ start: DAYS.end, hours: 744 }],
    bounds: [{ thermalId: 1, stage: 0, costPerMwh: 2, minMw: 3, maxMw: 4 }],
  },
];

const thermal = (id: number, fields: object) => ({
  id,
  name: `T${id}`,
  bus_id: 2,
  generation: { min_mw: 3, max_mw: 4 },
  cost_per_mwh: 5,
  entry_stage_id: 6,
  exit_stage_id: 7,
  ...fields,
});
const readThermal = (id: number, fields: object) => ({
  id,
  name: `T${id}`,
  busId: 2,
  minGenerationMw: 3,
  maxGenerationMw: 4,
  costPerMwh: 5,
  entryStageId: 6,
  exitStageId: 7,
  ...fields,
});

const graph = {
  type: "finite_horizon",
  annual_discount_rate: 0.25,
  nodes: [
    { id: 0, stage_id: 0, label: "root" },
    { id: 1, stage_id: 1 },
  ],
  transitions: [{ source_id: 0, target_id: 1, probability: 0.5 }],
};
const readGraph = {
  isCyclic: false,
  nodes: [
    { id: 0, stageId: 0, label: "root" },
    { id: 1, stageId: 1 },
  ],
  transitions: [{ sourceId: 0, targetId: 1, probability: 0.5 }],
};
const readStage = {
  id: 0,
  start: DAYS.end,
  end: day("2025-02-01"),
  blocks: [{ id: 0, name: "SINGLE", hours: 1000 }],
  isChronological: false,
  openings: 3,
  riskMeasure: { kind: "expectation" },
};

const windows = {
  past_defluences: [{ hydro_id: 3, ...window(DECEMBER, JANUARY), value_m3s: 4 }],
  past_anticipated_commitments: [{ thermal_id: 5, ...window(DECEMBER, JANUARY), value_mw: 6 }],
};
const readWindows = {
  pastDefluences: [{ id: 3, ...DAYS, value: 4 }],
  pastCommitments: [{ id: 5, ...DAYS, value: 6 }],
};

const readHydro = {
  id: 4,
  name: "H4",
  minStorageHm3: 0,
  maxStorageHm3: 720,
  minOutflowM3s: 0,
  maxOutflowM3s: null,
  minTurbinedM3s: 0,
  maxTurbinedM3s: 1000,
  minGenerationMw: 0,
  maxGenerationMw: 1000,
  busId: 6,
  unitGroups,
  travelTimeHours: 9,
};

const constraint = (id: number, fields: object) => ({
  id,
  name: `C${id}`,
  expression: "e",
  ...fields,
});
const constraints = (sense: object): ReadFile => [
  "constraints/generic_constraints.json",
  {
    constraints: [
      constraint(1, sense),
      constraint(2, { ...sense, slack: { penalty: 3 } }),
      constraint(3, { ...sense, slack: { enabled: false, penalty: 3 } }),
      constraint(4, { ...sense, slack: { enabled: true, penalty: 3 } }),
    ],
  },
  {
    constraints: [1, 2, 3, 4].map((id) =>
      constraint(id, { ...sense, ...(id === 4 && { slackPenalty: 3 }) }),
    ),
    ...(Object.keys(sense).length === 0 && { expressions: [] }),
  },
];

/** What is in the files of a case, but not in those of the full one or of the one for Cobre 0.18. */
export const MORE_FILES: Readonly<Record<Dialect, readonly ReadFile[]>> = {
  "0.5": [
    constraints({ sense: "==" }),
    [
      "config.json",
      {
        training: {
          selection: { method: "enumerated" },
          stopping_rules: [{ type: "iteration_limit", limit: 1 }],
        },
      },
      undefined,
    ],
    postStudy,
    [
      "system/thermals.json",
      {
        thermals: [
          thermal(0, { gnl_config: { lag_stages: 8 } }),
          thermal(1, { anticipated_config: { lead_stages: 9 } }),
          thermal(2, { anticipated_config: { lead_time_hours: 10 } }),
        ],
      },
      [
        readThermal(0, { lead: { stages: 8 } }),
        readThermal(1, { lead: { stages: 9 } }),
        readThermal(2, { lead: { hours: 10 } }),
      ],
    ],
    [
      "initial_conditions.json",
      { storage: [{ hydro_id: 1, value_hm3: 2 }], ...windows },
      {
        storage: [{ hydroId: 1, valueHm3: 2 }],
        fillingStorage: [],
        pastInflows: [],
        ...readWindows,
      },
    ],
    [
      "stages.json",
      { policy_graph: graph, stages: [stage(0)] },
      {
        stages: [readStage],
        preStudyStages: [],
        discounting: { annualRate: 0.25, overrides: [] },
        graph: readGraph,
      },
    ],
    [
      "system/hydros.json",
      {
        hydros: [
          hydro(4, {
            bus_id: null,
            unit_groups: groups,
            travel_time_hours: 9,
            filling: { start_stage_id: 1, filling_inflow_m3s: 2 },
          }),
        ],
      },
      [
        {
          ...readHydro,
          productivityMwPerM3s: 1,
          filling: { startStageId: 1, minRateM3s: 0, inflowM3s: 2 },
        },
      ],
    ],
  ],
  "0.18": [
    constraints({}),
    [
      "config.json",
      {
        training: {
          selection: { method: "enumerated" },
          stopping_rules: [{ type: "iteration_limit", limit: 1 }],
          cut_selection: {},
          scenario_source: {
            seed: 42,
            inflow: { scheme: "in_sample" },
            load: { scheme: "in_sample" },
            ncs: { scheme: "in_sample" },
            openings: { source: "file" },
          },
        },
        simulation: { scenario_source: { inflow: { scheme: "in_sample" } } },
        policy: { boundary: { path: "b", strict: true } },
        upper_bound_evaluation: { enabled: false },
      },
      undefined,
    ],
    postStudy,
    [
      "system/thermals.json",
      {
        thermals: [
          thermal(1, { ...START, anticipated_config: { lead_stages: 9 } }),
          thermal(2, { ...START, anticipated_config: { lead_time_hours: 10 } }),
        ],
      },
      [
        readThermal(1, { lead: { stages: 9 }, operationalStart: day("2000-01-02") }),
        readThermal(2, { lead: { hours: 10 }, operationalStart: day("2000-01-02") }),
      ],
    ],
    [
      "initial_conditions.json",
      {
        storage: [],
        filling_storage: [{ hydro_id: 1, value_hm3: 2 }],
        recent_observations: [{ hydro_id: 7, ...window(DECEMBER, JANUARY), value_m3s: 8 }],
        ...windows,
      },
      {
        storage: [],
        fillingStorage: [{ hydroId: 1, valueHm3: 2 }],
        observations: [{ hydroId: 7, ...DAYS, valueM3s: 8 }],
        ...readWindows,
      },
    ],
    [
      "stages.json",
      {
        policy_graph: graph,
        pre_study_stages: [{ id: -1, ...window(DECEMBER, JANUARY), season_id: 11 }],
        season_definitions: {
          cycle_type: "custom",
          seasons: [
            { id: 0, month_start: 1, day_start: 1, month_end: 6, day_end: 30, label: "first" },
            { id: 1, month_start: 7, label: "second" },
          ],
        },
        stages: [
          laterStage(0, {
            annual_discount_rate_override: 0.125,
            state_variables: { storage: true, inflow_lags: true },
            risk_measure: { cvar: { alpha: 0.5, lambda: 0.25 } },
          }),
          laterStage(1, { season_id: 1, block_mode: "chronological" }),
        ],
      },
      {
        stages: [
          {
            ...readStage,
            seasonId: 0,
            asksForLags: true,
            riskMeasure: { kind: "cvar", alpha: 0.5, lambda: 0.25 },
          },
          {
            ...readStage,
            id: 1,
            start: day("2025-02-01"),
            end: day("2025-03-01"),
            seasonId: 1,
            asksForLags: false,
            isChronological: true,
          },
        ],
        preStudyStages: [{ id: -1, ...DAYS, seasonId: 11 }],
        seasons: {
          cycle: "custom",
          seasons: [
            { id: 0, monthStart: 1, dayStart: 1, monthEnd: 6, dayEnd: 30 },
            { id: 1, monthStart: 7 },
          ],
        },
        discounting: { annualRate: 0.25, overrides: [{ sourceStageId: 0, annualRate: 0.125 }] },
        graph: readGraph,
      },
    ],
    [
      "system/hydros.json",
      {
        hydros: [
          laterHydro(4, {
            ...START,
            unit_groups: groups,
            travel_time_hours: 9,
            specific_productivity_mw_per_m3s_per_m: 1,
            downstream_id: 2,
            diversion: { downstream_id: 3, max_flow_m3s: 5 },
            outflow: { min_outflow_m3s: 1, max_outflow_m3s: 2 },
            filling: { start_stage_id: 1, filling_min_rate_m3s: 2 },
            tailrace: {
              type: "piecewise",
              points: [
                { outflow_m3s: 8, height_m: 2 },
                { outflow_m3s: 3, height_m: 1 },
              ],
            },
            hydraulic_losses: { type: "constant", value_m: 1 },
            efficiency: { type: "constant", value: 0.75 },
            evaporation: { coefficients_mm: [1], reference_volumes_hm3: [2] },
            penalties: { turbined_cost: 3 },
          }),
        ],
      },
      [
        {
          ...readHydro,
          operationalStart: day("2000-01-02"),
          downstreamId: 2,
          diversion: { downstreamId: 3, maxFlowM3s: 5 },
          minOutflowM3s: 1,
          maxOutflowM3s: 2,
          filling: { startStageId: 1, minRateM3s: 2 },
          tailrace: {
            type: "piecewise",
            points: [
              { outflowM3s: 3, heightM: 1 },
              { outflowM3s: 8, heightM: 2 },
            ],
          },
          hydraulicLosses: { type: "constant", value: 1 },
          efficiency: 0.75,
          evaporation: { coefficientsMm: [1], referenceVolumesHm3: [2] },
          penalties: { fphaTurbinedCost: 3 },
          specificProductivity: 1,
        },
      ],
    ],
    [
      "system/hydro_production_models.json",
      {
        production_models: [
          {
            hydro_id: 1,
            selection_mode: "seasonal",
            default_model: "fpha",
            seasons: [
              {
                season_id: 0,
                model: "fpha",
                fpha_config: {
                  source: "computed",
                  volume_discretization_points: 2,
                  turbine_discretization_points: 3,
                  spillage_discretization_points: 4,
                  max_planes_per_hydro: 5,
                  fitting_window: { volume_min_percentile: 0.25, volume_max_hm3: 6 },
                },
                reference_volume: { volume_hm3: 7 },
              },
            ],
          },
          {
            hydro_id: 2,
            selection_mode: "stage_ranges",
            stage_ranges: [
              {
                start_stage_id: 0,
                end_stage_id: 1,
                model: "constant_productivity",
                productivity_mw_per_m3s: 8,
                reference_volume: { percentile: 0.5 },
              },
            ],
          },
        ],
      },
      [
        {
          hydroId: 1,
          ranges: [],
          seasons: {
            otherwise: { model: "fpha" },
            list: [
              {
                seasonId: 0,
                model: "fpha",
                fpha: {
                  source: "computed",
                  volumePoints: 2,
                  turbinePoints: 3,
                  spillagePoints: 4,
                  maxPlanes: 5,
                  window: { minShare: 0.25, maxHm3: 6 },
                },
                referenceVolume: { volumeHm3: 7 },
              },
            ],
          },
        },
        {
          hydroId: 2,
          ranges: [
            {
              startStageId: 0,
              endStageId: 1,
              model: "constant_productivity",
              productivity: 8,
              referenceVolume: { share: 0.5 },
            },
          ],
        },
      ],
    ],
  ],
};
