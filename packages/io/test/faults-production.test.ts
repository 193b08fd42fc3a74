/** What can be wrong with the production models of hydro plants. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hasHydroModels, OutputDirectory, writeHydroModels } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { columns, hydro, withCase } from "./case-folder.js";
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
    /hydro 9, stage 8, plane 0: hydro_id: hydro 9 does not exist; remove the row/,
    /hydro 9, stage 8, plane 0: stage_id: stage 8 does not exist; remove the row/,
  ],
  [
    "planes that nothing uses",
    planes({}),
    /^warning .*hydro 4: has no effect: no stage of the plant uses given planes; /,
  ],
];

const fitted = (config: object): Changes =>
  ranges({ fpha_config: { source: "computed", ...config } });

const head = {
  tailrace: { type: "piecewise", points: [{ outflow_m3s: 0, height_m: 5 }] },
  hydraulic_losses: { type: "constant", value_m: 1 },
  efficiency: { type: "constant", value: 0.9 },
};

const withHead = (fields: object): Changes => ({
  "system/hydros.json": { hydros: [hydro(2), hydro(4, { ...head, ...fields })] },
});

const geometry = (height_m: readonly number[]): Changes => ({
  "system/hydro_geometry.parquet": columns({
    hydro_id: height_m.map(() => 4),
    volume_hm3: height_m.map((_, i) => 100 * i),
    height_m,
    area_km2: height_m.map(() => 0),
  }),
});

const fits: readonly Fault[] = [
  ["nothing: planes that can be fitted", { ...fitted({}), ...withHead({}), ...geometry([9, 12]) }],
  [
    "levels below a plant that a fit would have to follow",
    {
      ...fitted({}),
      ...withHead({}),
      ...geometry([9, 12]),
      "system/tailrace_curves.parquet": columns({ hydro_id: [4] }),
    },
    /^error system\/tailrace_curves\.parquet: asks for planes fitted to levels that depend on the plant downstream; this version cannot do that yet/,
  ],
  [
    "everything missing for a fit",
    fitted({}),
    /^error system\/hydro_geometry\.parquet: hydro 4: there is no row; fitted planes need/,
    /hydro 4: tailrace: is missing; planes are fitted from tailrace, hydraulic_losses and efficiency/,
    /hydro 4: hydraulic_losses: is missing/,
    /hydro 4: efficiency: is missing/,
  ],
  [
    "a plant without head",
    { ...fitted({}), ...withHead({}), ...geometry([1, 2]) },
    /hydro 4: has no head that could generate, so that no planes can be fitted; check its tailrace/,
  ],
  [
    "a window without width, and two ways to say where it ends",
    {
      ...fitted({ fitting_window: { volume_min_hm3: 100, volume_min_percentile: 0.5 } }),
      ...withHead({}),
      ...geometry([9, 12]),
    },
    /fpha_config\.fitting_window\.volume_min_percentile: is given beside volume_min_hm3; keep one/,
  ],
  [
    "a window beyond the volumes",
    {
      ...fitted({ fitting_window: { volume_min_hm3: 100 } }),
      ...withHead({}),
      ...geometry([9, 12]),
    },
    /hydro 4: fitting_window: goes from 100 to 100 hm3; leave a range within the volumes/,
  ],
  [
    "one point, no plane, an efficiency above 1, an unknown tailrace",
    {
      ...fitted({ volume_discretization_points: 1, max_planes_per_hydro: 0 }),
      ...withHead({ efficiency: { type: "constant", value: 1.5 }, tailrace: { type: "tab" } }),
      ...geometry([9, 12]),
    },
    /hydro 4: tailrace\.type: is "tab"; must be one of: polynomial, piecewise/,
    /hydro 4: tailrace\.coefficients: is missing/,
    /hydro 4: efficiency\.value: is 1\.5; must be between 0 and 1/,
    /volume_discretization_points: is 1; must be between 2 and 50/,
    /max_planes_per_hydro: is 0; must be at least 1/,
  ],
  [
    "a tailrace with two heights at a flow",
    {
      ...fitted({}),
      ...withHead({
        tailrace: {
          type: "piecewise",
          points: [
            { outflow_m3s: 3, height_m: 5 },
            { outflow_m3s: 3, height_m: 6 },
          ],
        },
      }),
      ...geometry([9, 12]),
    },
    /hydro 4: tailrace\.points: has two points at 3 m3\/s; keep one of them/,
  ],
];

describe("production models", () => {
  testFaults(faults);
  testFaults(fits);

  it("that were fitted can be used as given ones", async () => {
    const changes = { ...fitted({}), ...withHead({}), ...geometry([9, 12]) };
    await withCase(changes, async (directory) => {
      const { case: found } = await validateCase(directory);
      assert.ok(found !== undefined && hasHydroModels(found.study));
      const output = new OutputDirectory(join(directory, "output"));
      writeHydroModels(output, found.study);
      cpSync(
        join(directory, "output/hydro_models/fpha_hyperplanes.parquet"),
        join(directory, "system/fpha_hyperplanes.parquet"),
      );
      const given = JSON.stringify((ranges({}) as Record<string, object>)[MODELS]);
      writeFileSync(join(directory, MODELS), given);
      const again = await validateCase(directory);
      assert.deepEqual(again.case?.study.production.planes, found.study.production.planes);
      assert.equal(again.case && hasHydroModels(again.case.study), false);
    });
  });
});
