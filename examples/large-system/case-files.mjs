/** The files of the case, by their paths. */
import { AREAS, LINES } from "./areas.mjs";
import { drawHydros } from "./hydros.mjs";
import { correlationOf, drawAutoregressions, drawPastInflows, statisticsOf } from "./inflows.mjs";
import { drawThermals } from "./thermals.mjs";

const FIRST_YEAR = 2025;
/** One day for all, which leaves them in the order of their ids. */
const START = { operational_start_date: "2000-01-01" };
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
/** Parts of a month, and how the load in them compares with its mean. */
const BLOCKS = [
  { name: "peak", part: 0.15, factor: 1.14 },
  { name: "medium", part: 0.5, factor: 1.05 },
  { name: "light", part: 0.35, factor: 0.87 },
];
/** Water alone would not quite do: the rest, and dry years, need the thermal plants. */
const LOAD_PER_WATER = 1.18;
const THERMAL_PER_LOAD = 0.36;
const GROWTH_PER_YEAR = 0.03;

/** How large the system is that the case describes. */
export const FULL_SIZE = {
  hydros: 160,
  thermals: 120,
  stages: 60,
  openings: 20,
  passes: 50,
  order: 6,
  iterations: 10,
  seed: 1,
};

/** All files of a case of this size, as text. The same size and seed give the same bytes. */
export function caseFiles(size) {
  const { hydros, thermals, stages, order, seed } = size;
  const plants = drawHydros(hydros, seed);
  const water = plants.reduce((sum, { productivity, flow }) => sum + productivity * flow, 0);
  const load = LOAD_PER_WATER * water;
  const units = drawThermals(thermals, THERMAL_PER_LOAD * load, seed);
  const months = Array.from({ length: stages }, (_, stage) => monthOf(stage));
  const models = drawAutoregressions(plants, order, seed);
  const json = {
    "config.json": configOf(size),
    "stages.json": stagesOf(months, size.openings),
    "penalties.json": penaltiesOf(load),
    "initial_conditions.json": initialConditionsOf(plants, order, seed),
    "system/buses.json": { buses: AREAS.map(({ name }, id) => ({ id, name, ...START })) },
    "system/lines.json": { lines: LINES.map((line, id) => lineOf(line, id, load)) },
    "system/thermals.json": { thermals: units.map(thermalOf) },
    "system/hydros.json": { hydros: plants.map(hydroOf) },
    "system/hydro_production_models.json": { production_models: plants.map(productionOf) },
    "scenarios/load_factors.json": { load_factors: loadFactorsOf(months) },
    "scenarios/correlation.json": correlationFile(plants),
  };
  return {
    ...Object.fromEntries(
      Object.entries(json).map(([path, value]) => [path, `${JSON.stringify(value, null, 1)}\n`]),
    ),
    "scenarios/load_seasonal_stats.csv": loadTable(months, load),
    "scenarios/inflow_seasonal_stats.csv": inflowTable(plants, months, order),
    "scenarios/inflow_ar_coefficients.csv": autoregressionTable(models, months),
  };
}

function monthOf(stage) {
  const start = new Date(Date.UTC(FIRST_YEAR, stage, 1));
  const end = new Date(Date.UTC(FIRST_YEAR, stage + 1, 1));
  const hours = (end - start) / 3_600_000;
  return { stage, start: dayOf(start), end: dayOf(end), hours, season: start.getUTCMonth() };
}

function dayOf(date) {
  return date.toISOString().slice(0, 10);
}

function configOf({ passes, iterations, seed }) {
  return {
    training: {
      selection: { method: "sampled", forward_passes: passes },
      stopping_rules: [{ type: "iteration_limit", limit: iterations }],
      tree_seed: seed,
    },
    modeling: { inflow_non_negativity: { method: "penalty" } },
    simulation: { enabled: true, selection: { method: "sampled", num_scenarios: 100 } },
    policy: { checkpointing: { enabled: true, interval_iterations: 5 } },
  };
}

function stagesOf(months, openings) {
  return {
    policy_graph: { type: "finite_horizon", annual_discount_rate: 0.08 },
    season_definitions: {
      cycle_type: "monthly",
      seasons: MONTHS.map((label, id) => ({ id, label, month_start: id + 1 })),
    },
    stages: months.map(({ stage, start, end, hours, season }) => ({
      id: stage,
      start_date: start,
      end_date: end,
      season_id: season,
      blocks: BLOCKS.map(({ name, part }, id) => ({ id, name, hours: rounded(part * hours) })),
      num_openings: openings,
      state_variables: { storage: true, inflow_lags: true },
    })),
  };
}

/** Water that makes up for a negative inflow costs more than any deficit, so that nobody buys it to generate. */
function penaltiesOf(load) {
  return {
    bus: {
      deficit_segments: [
        { depth_mw: rounded(0.03 * load), cost: 1800 },
        { depth_mw: null, cost: 6000 },
      ],
      excess_cost: 0.005,
    },
    line: { exchange_cost: 0.5 },
    hydro: {
      spillage_cost: 0.002,
      turbined_cost: 0,
      diversion_cost: 0.01,
      storage_violation_below_cost: 10000,
      filling_target_violation_cost: 10000,
      turbined_violation_below_cost: 500,
      outflow_violation_below_cost: 500,
      outflow_violation_above_cost: 500,
      generation_violation_below_cost: 1000,
      evaporation_violation_cost: 1000,
      water_withdrawal_violation_cost: 1000,
      inflow_nonnegativity_cost: 50000,
    },
    non_controllable_source: { curtailment_cost: 0.001 },
  };
}

function initialConditionsOf(plants, order, seed) {
  const past = drawPastInflows(plants, order, 0, seed);
  return {
    storage: plants.map(({ id, minStorage, usableStorage, fill }) => ({
      hydro_id: id,
      value_hm3: rounded(minStorage + fill * usableStorage),
    })),
    filling_storage: [],
    recent_observations: plants.flatMap(({ id }, i) =>
      past[i].map((value, lag) => ({
        hydro_id: id,
        ...monthBefore(lag),
        value_m3s: rounded(value),
      })),
    ),
  };
}

/** The days of a month before the study; 0 is the last one. */
function monthBefore(lag) {
  const { start, end } = monthOf(-1 - lag);
  return { start_date: start, end_date: end };
}

function lineOf({ from, to, direct, reverse }, id, load) {
  return {
    id,
    name: `${AREAS[from].name} - ${AREAS[to].name}`,
    ...START,
    source_bus_id: from,
    target_bus_id: to,
    capacity: { direct_mw: rounded(direct * load), reverse_mw: rounded(reverse * load) },
  };
}

function thermalOf({ id, name, area, mw, least, cost }) {
  return {
    id,
    name,
    ...START,
    bus_id: area,
    generation: { min_mw: rounded(least * mw), max_mw: rounded(mw) },
    cost_per_mwh: rounded(cost),
  };
}

function hydroOf(plant) {
  const { id, name, area, downstream, productivity, maxTurbined, minOutflow } = plant;
  const limits = {
    min_turbined_m3s: 0,
    max_turbined_m3s: rounded(maxTurbined),
    min_generation_mw: 0,
    max_generation_mw: rounded(productivity * maxTurbined),
  };
  return {
    id,
    name,
    ...START,
    downstream_id: downstream,
    reservoir: {
      min_storage_hm3: rounded(plant.minStorage),
      max_storage_hm3: rounded(plant.minStorage + plant.usableStorage),
    },
    outflow: { min_outflow_m3s: rounded(minOutflow), max_outflow_m3s: null },
    generation: { model: "constant_productivity", ...limits },
    unit_groups: [{ id: 0, name, bus_id: area, ...limits }],
  };
}

function productionOf({ id, productivity }) {
  const range = {
    start_stage_id: 0,
    end_stage_id: null,
    model: "constant_productivity",
    productivity_mw_per_m3s: rounded(productivity),
  };
  return { hydro_id: id, selection_mode: "stage_ranges", stage_ranges: [range] };
}

function loadFactorsOf(months) {
  const block_factors = BLOCKS.map(({ factor }, block_id) => ({ block_id, factor }));
  return AREAS.flatMap((_, bus_id) =>
    months.map(({ stage }) => ({ bus_id, stage_id: stage, block_factors })),
  );
}

function correlationFile(plants) {
  const entities = plants.map(({ id }) => ({ type: "inflow", id }));
  const matrix = plants.map((a) => plants.map((b) => correlationOf(a, b)));
  const correlation_groups = [{ name: "inflows", entities, matrix }];
  return { method: "spectral", profiles: { default: { correlation_groups } } };
}

/** More is used in the hot months, and more every year. */
function loadTable(months, load) {
  const rows = AREAS.flatMap((area, bus) =>
    months.map(({ stage, season }) => {
      const growth = (1 + GROWTH_PER_YEAR) ** (stage / 12);
      const heat = 1 + 0.04 * Math.cos((2 * Math.PI * (season - 1)) / 12);
      return [bus, stage, rounded(area.load * load * growth * heat), 0];
    }),
  );
  return table("bus_id,stage_id,mean_mw,std_mw", rows);
}

/** Of a study that is shorter than a year also the months before it that the lags reach. */
function inflowTable(plants, months, order) {
  const before = months.length < 12 ? Array.from({ length: order }, (_, i) => i - order) : [];
  const rows = plants.flatMap((plant) =>
    [...before, ...months.map(({ stage }) => stage)].map((stage) => {
      const { mean, std } = statisticsOf(plant, ((stage % 12) + 12) % 12);
      return [plant.id, stage, rounded(mean), rounded(std)];
    }),
  );
  return table("hydro_id,stage_id,mean_m3s,std_m3s", rows);
}

function autoregressionTable(models, months) {
  const rows = models.flatMap((coefficients, id) =>
    months.flatMap(({ stage }) => coefficients.map((value, i) => [id, stage, i + 1, value])),
  );
  return table("hydro_id,stage_id,lag,coefficient", rows);
}

function table(header, rows) {
  return `${[header, ...rows.map((row) => row.join(","))].join("\n")}\n`;
}

/** To six digits, which files are easier to read with. */
function rounded(value) {
  return Number(value.toPrecision(6));
}
