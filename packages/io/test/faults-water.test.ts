/** What can be wrong with evaporation, geometry and withdrawal of hydro plants. */
import { describe } from "node:test";
import { columns, hydro, stage } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const months = (value: number) => Array.from({ length: 12 }, () => value);

const evaporating = (evaporation: object): Changes => ({
  "system/hydros.json": { hydros: [hydro(2), hydro(4, { evaporation })] },
});

const seasons: Changes = {
  "stages.json": {
    policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 },
    stages: [0, 1, 2].map((id) => stage(id, { season_id: id })),
  },
};

const geometry = (rows: Readonly<Record<string, readonly number[]>>): Changes => ({
  "system/hydro_geometry.parquet": columns({
    hydro_id: [4, 4],
    volume_hm3: [0, 100],
    height_m: [1, 2],
    area_km2: [0, 10],
    ...rows,
  }),
});

const good = { ...evaporating({ coefficients_mm: months(36) }), ...seasons, ...geometry({}) };

const bounds = (values: Readonly<Record<string, readonly number[]>>): Changes => ({
  "constraints/hydro_bounds.parquet": columns({ hydro_id: [2], stage_id: [0], ...values }),
});

const faults: readonly Fault[] = [
  ["nothing: evaporation with all it needs", good],
  ["nothing: water that is returned", bounds({ water_withdrawal_m3s: [-3] })],
  [
    "evaporation of stages without a month",
    { ...good, "stages.json": undefined, ...withSeason(undefined, 12) },
    /stages\.json: stage 0: season_id: is missing; evaporation goes by months/,
    /stages\.json: stage 1: season_id: is missing/,
    /stages\.json: stage 2: season_id: is 12; evaporation goes by months/,
  ],
  [
    "too few months, and volumes that the reservoir does not have",
    {
      ...good,
      ...evaporating({ coefficients_mm: [1], reference_volumes_hm3: [...months(5).slice(1), 721] }),
    },
    /hydro 4: evaporation\.coefficients_mm: has 1 values; give 12, from January to December/,
    /hydro 4: evaporation\.reference_volumes_hm3\[11\]: is 721; must be between 0 and 720/,
  ],
  [
    "evaporation without geometry",
    { ...good, "system/hydro_geometry.parquet": undefined },
    /^error system\/hydro_geometry\.parquet: hydro 4: area_km2: there is no row for the plant; /,
  ],
  [
    "evaporation from no area",
    { ...good, ...geometry({ area_km2: [0, 0] }) },
    /^error system\/hydro_geometry\.parquet: hydro 4: area_km2: is 0 everywhere; /,
  ],
  [
    "a geometry that falls",
    { ...good, ...geometry({ height_m: [3, 2], area_km2: [5, 4] }) },
    /hydro 4: height_m: falls from 3 to 2 at 100 hm3; it must not fall while the volume rises/,
    /hydro 4: area_km2: falls from 5 to 4 at 100 hm3/,
  ],
  [
    "a geometry of nobody, and one that nothing uses",
    geometry({ hydro_id: [9, 4] }),
    /hydro 9: hydro_id: hydro 9 does not exist; remove its rows/,
    /^warning .*hydro 9: has no effect/,
    /^warning .*hydro 4: has no effect: the plant has neither evaporation nor fpha fitted to it/,
  ],
  [
    "bounds that contradict each other",
    bounds({ min_spillage_m3s: [3], max_spillage_m3s: [2] }),
    /hydro 2, stage 0: max_spillage_m3s: leaves min_spillage_m3s 3 above max_spillage_m3s 2/,
  ],
  [
    "a diversion that does not exist",
    bounds({ min_diversion_m3s: [1], max_diversion_m3s: [2] }),
    /hydro 2, stage 0: min_diversion_m3s: the plant has no diversion; leave the cell empty/,
    /hydro 2, stage 0: max_diversion_m3s: the plant has no diversion/,
  ],
];

function withSeason(...ids: readonly (number | undefined)[]): Changes {
  return {
    "stages.json": {
      policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 },
      stages: [0, 1, 2].map((id) => stage(id, { season_id: id === 2 ? ids[1] : ids[0] })),
    },
  };
}

describe("evaporation, geometry and withdrawal", () => testFaults(faults));
