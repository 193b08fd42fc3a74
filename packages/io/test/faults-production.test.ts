/** What can be wrong with the production models of hydro plants. */
import { describe } from "node:test";
import { columns, hydro } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const MODELS = "system/hydro_production_models.json";
const PLANES = "system/fpha_hyperplanes.parquet";

const generation = (fields: object) => ({
  generation: {
    min_turbined_m3s: 0,
    max_turbined_m3s: 1,
    min_generation_mw: 0,
    max_generation_mw: 1,
    ...fields,
  },
});

const withFpha: Changes = {
  "system/hydros.json": { hydros: [hydro(2), hydro(4, generation({ model: "fpha" }))] },
};

const ranges = (...list: readonly object[]): Changes => ({
  [MODELS]: {
    production_models: [
      {
        hydro_id: 4,
        selection_mode: "stage_ranges",
        stage_ranges: list.map((range) => ({
          start_stage_id: 0,
          end_stage_id: null,
          model: "fpha",
          ...((range as { model?: string }).model === undefined && {
            fpha_config: { source: "precomputed" },
          }),
          ...range,
        })),
      },
    ],
  },
});

const planes = (row: Readonly<Record<string, number | null>>): Changes => ({
  [PLANES]: columns(
    Object.fromEntries(
      Object.entries({
        hydro_id: 4,
        plane_id: 0,
        gamma_0: 1,
        gamma_v: 0,
        gamma_q: 1,
        gamma_s: 0,
        ...row,
      }).map(([name, value]) => [name, [value]]),
    ),
  ),
});

const constant = { model: "constant_productivity" };

const faults: readonly Fault[] = [
  ["nothing: planes of all stages", { ...withFpha, ...ranges({}), ...planes({}) }],
  [
    "fpha without an entry",
    withFpha,
    /^error system\/hydros\.json: hydro 4: generation\.model: is fpha, but nothing says where its planes come from; give the plant an entry in system\/hydro_production_models\.json$/,
  ],
  [
    "a stage that no range covers, of a plant without productivity",
    { ...withFpha, ...ranges({ end_stage_id: 0 }), ...planes({}) },
    /^error system\/hydro_production_models\.json: hydro 4: says nothing about stages 1, 2, and the plant has no productivity of its own; /,
  ],
  [
    "a range that ends before it starts, and an override of 0",
    ranges({ start_stage_id: 2, end_stage_id: 1, ...constant, productivity_override: 0 }),
    /hydro 4: stage_ranges\[0\]\.productivity_override: is 0; must be above 0$/,
    /hydro 4: stage_ranges\[0\]\.end_stage_id: is 1, before start_stage_id 2; must not be before/,
  ],
  [
    "an override beside planes",
    { ...ranges({ productivity_override: 2 }), ...planes({}) },
    /stage_ranges\[0\]\.productivity_override: is given beside the model fpha, which has planes; /,
  ],
  [
    "a plant that does not exist, and one with two entries",
    {
      [MODELS]: {
        production_models: [9, 4, 4].map((hydro_id) => ({
          hydro_id,
          selection_mode: "seasonal",
          default_model: "constant_productivity",
          seasons: [],
        })),
      },
    },
    /hydro 9: hydro_id: hydro 9 does not exist; give the id of a plant/,
    /hydro 4: hydro_id: the plant has two entries; keep one of them/,
  ],
  [
    "a model that nobody knows, and no source",
    ranges({ model: "fpa" }, { fpha_config: {} }),
    /hydro 4: stage_ranges\[0\]\.model: is "fpa"; must be one of: .*did you mean "fpha"\?/,
    /hydro 4: stage_ranges\[1\]\.fpha_config\.source: is missing; must be given/,
  ],
  [
    "linearized_head",
    ranges({ model: "linearized_head" }),
    /^warning .*hydro 4: stage_ranges\[0\]\.model: linearized_head is taken as constant_productivity/,
  ],
  [
    "no planes of a stage",
    { ...ranges({}), ...planes({ stage_id: 1 }) },
    /^error system\/fpha_hyperplanes\.parquet: hydro 4: there is no plane for stages 0, 2; give rows/,
  ],
  [
    "planes without sense",
    {
      ...ranges({}),
      ...planes({ gamma_v: -1, gamma_q: 0, gamma_s: 1, kappa: 1.5 }),
    },
    /hydro 4, plane 0: gamma_v: is -1; must not be below 0/,
    /hydro 4, plane 0: gamma_q: is 0; must be above 0/,
    /hydro 4, plane 0: gamma_s: is 1; must not be above 0/,
    /hydro 4, plane 0: kappa: is 1.5; must be above 0 and at most 1/,
  ],
  [
    "planes of nobody and of no stage",
    planes({ hydro_id: 9, stage_id: 8 }),
    /hydro 9, stage 8, plane 0: hydro 9 does not exist; remove the row/,
    /hydro 9, stage 8, plane 0: stage 8 does not exist; remove the row/,
  ],
  [
    "planes that nothing uses",
    planes({}),
    /^warning .*hydro 4: has no effect: the plant has a constant productivity in all stages; /,
  ],
];

describe("production models", () => testFaults(faults));
