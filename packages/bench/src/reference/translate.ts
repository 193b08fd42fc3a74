/**
 * Writes a case of the examples in the format of Cobre 0.18: other names, productivities in a file of their own, one group of units for each
 * plant, past inflows as dated windows, tables as Parquet. It knows what the examples have, and refuses the rest.
 */
import { encodeColumn, RowGroupWriter } from "../../../io/dist/internal.js";
import {
  columnOf,
  type ExampleCase,
  type NumberTable,
  writeFile,
  writeJson,
} from "./example-case.js";

/** It decides only the order of entities; equal dates leave them in the order of their ids. */
const START = { operational_start_date: "2020-01-01" };
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

export interface TranslationSettings {
  readonly iterations: number;
  /** The method of cut selection; none if it is left out. */
  readonly selection?: string | undefined;
}

/** Writes the case into a directory. */
export function translate(
  source: ExampleCase,
  directory: string,
  settings: TranslationSettings,
): void {
  for (const [path, value] of Object.entries(translatedJson(source, settings))) {
    writeJson(directory, path, value);
  }
  for (const [path, table] of Object.entries(translatedTables(source))) {
    writeFile(directory, `${path}.parquet`, encodeParquet(table));
  }
}

function translatedJson(
  source: ExampleCase,
  settings: TranslationSettings,
): Record<string, unknown> {
  const { json } = source;
  const { hydros } = json["system/hydros.json"];
  return {
    "config.json": configOf(json["config.json"], settings),
    "stages.json": stagesOf(source),
    "penalties.json": penaltiesOf(json["penalties.json"]),
    "initial_conditions.json": initialConditionsOf(json),
    "system/buses.json": { buses: json["system/buses.json"].buses.map(dated) },
    "system/lines.json": { lines: json["system/lines.json"].lines.map(dated) },
    "system/thermals.json": { thermals: json["system/thermals.json"].thermals.map(dated) },
    "system/hydros.json": { hydros: hydros.map(hydroOf) },
    "system/hydro_production_models.json": { production_models: hydros.map(productionOf) },
    ...(json["scenarios/load_factors.json"] && {
      "scenarios/load_factors.json": json["scenarios/load_factors.json"],
    }),
    ...(json["scenarios/correlation.json"] && {
      "scenarios/correlation.json": json["scenarios/correlation.json"],
    }),
  };
}

function dated(entity: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...entity, ...START };
}

function configOf(
  { training, modeling }: ExampleCase["json"]["config.json"],
  { iterations, selection }: TranslationSettings,
): Record<string, unknown> {
  const { forward_passes, tree_seed } = training;
  return {
    training: {
      selection: { method: "sampled", forward_passes },
      stopping_rules: [{ type: "iteration_limit", limit: iterations }],
      ...(tree_seed !== undefined && { tree_seed }),
      ...(selection !== undefined && { cut_selection: { selection: { method: selection } } }),
    },
    ...(modeling && { modeling }),
    simulation: { enabled: false },
  };
}

/** Cuts have slopes for the lags only where a stage says so. */
function stagesOf({ json, tables }: ExampleCase): Record<string, unknown> {
  const file = json["stages.json"];
  return {
    ...file,
    pre_study_stages: stagesBefore({ json, tables }),
    season_definitions: {
      cycle_type: "monthly",
      seasons: MONTHS.map((label, id) => ({ id, label, month_start: id + 1 })),
    },
    stages: file.stages.map(({ num_scenarios, ...stage }) => ({
      ...stage,
      num_openings: num_scenarios,
      state_variables: { storage: true, inflow_lags: true },
    })),
  };
}

function penaltiesOf(file: ExampleCase["json"]["penalties.json"]): Record<string, unknown> {
  const { fpha_turbined_cost, ...hydro } = file.hydro;
  // In 0.18 it is paid for every plant, in 0.5 only for those with a production function.
  if (fpha_turbined_cost !== 0) throw new Error("fpha_turbined_cost must be 0 to be translated");
  return { ...file, hydro: { ...hydro, turbined_cost: 0 } };
}

function hydroOf(plant: ExampleCase["json"]["system/hydros.json"]["hydros"][number]) {
  const { bus_id, generation, ...rest } = plant;
  const { productivity_mw_per_m3s: _, ...limits } = generation;
  const { model: __, ...ofGroup } = limits;
  return dated({
    ...rest,
    generation: limits,
    unit_groups: [{ id: 0, name: plant.name, bus_id, ...ofGroup }],
  });
}

function productionOf({
  id,
  generation,
}: ExampleCase["json"]["system/hydros.json"]["hydros"][number]) {
  const { model, productivity_mw_per_m3s } = generation;
  if (model !== "constant_productivity")
    throw new Error(`hydro ${id}: the translation does not know the model ${model}`);
  const range = { start_stage_id: 0, end_stage_id: null, model, productivity_mw_per_m3s };
  return { hydro_id: id, selection_mode: "stage_ranges", stage_ranges: [range] };
}

/**
 * The months before the study whose statistics lags need. Where a stage of the study has the season of such a month, its statistics are taken, and a declared
 * month would change the model of the whole season.
 */
function stagesBefore({ json, tables }: ExampleCase) {
  const { stages } = json["stages.json"];
  const dayOf = monthsBefore(stages);
  const ids = Object.values(tables).flatMap((table) => columnOf(table, "stage_id"));
  const seasons = new Set(stages.map(({ season_id }) => season_id));
  return [...new Set(ids.filter((id) => id < 0))]
    .sort((a, b) => a - b)
    .map((id) => {
      const start_date = dayOf(-id);
      const season_id = Number(start_date.slice(5, 7)) - 1;
      return { id, start_date, end_date: dayOf(-id - 1), season_id };
    })
    .filter(({ season_id }) => !seasons.has(season_id));
}

/** The day on which the month so many months before the study starts. */
function monthsBefore(stages: ExampleCase["json"]["stages.json"]["stages"]) {
  const first = stages[0]?.start_date ?? "";
  const [, year, month] = /^(\d{4})-(\d{2})-01$/.exec(first) ?? [];
  if (month === undefined) throw new Error(`the first stage starts on ${first}, not with a month`);
  return (months: number): string =>
    new Date(Date.UTC(Number(year), Number(month) - 1 - months, 1)).toISOString().slice(0, 10);
}

/** The inflow of each month before the first stage, as a window of days. */
function initialConditionsOf(json: ExampleCase["json"]): Record<string, unknown> {
  const { past_inflows = [], ...rest } = json["initial_conditions.json"];
  const dayOf = monthsBefore(json["stages.json"].stages);
  const recent_observations = past_inflows.flatMap(({ hydro_id, values_m3s }) =>
    values_m3s.map((value_m3s, i) => ({
      hydro_id,
      start_date: dayOf(i + 1),
      end_date: dayOf(i),
      value_m3s,
    })),
  );
  return { ...rest, recent_observations };
}

/** The rows of all stages that are declared. Every bus needs a load. */
function translatedTables(source: ExampleCase): Record<string, NumberTable> {
  const { json } = source;
  const declared = new Set(
    [...stagesBefore(source), ...json["stages.json"].stages].map(({ id }) => id),
  );
  const tables = Object.entries(source.tables).map(([path, table]) => {
    const stage = table.columns.indexOf("stage_id");
    const rows = table.rows.filter((row) => declared.has(row[stage] ?? 0));
    if (path !== "scenarios/load_seasonal_stats") return [path, { ...table, rows }];
    const known = new Set(columnOf(table, "bus_id"));
    const without = json["system/buses.json"].buses.filter(({ id }) => !known.has(id));
    const empty = without.flatMap(({ id }) =>
      json["stages.json"].stages.map((of) =>
        table.columns.map((name) => ({ bus_id: id, stage_id: of.id })[name] ?? 0),
      ),
    );
    return [path, { ...table, rows: [...rows, ...empty] }];
  });
  return Object.fromEntries(tables);
}

/** Without compression: the Rust program is built without Snappy. */
function encodeParquet(table: NumberTable): Uint8Array {
  const columns = table.columns.map((name) => {
    const type = /_id$|^lag$/.test(name) ? ("INT32" as const) : ("DOUBLE" as const);
    return { name, type, values: Float64Array.from(columnOf(table, name)) };
  });
  const writer = new RowGroupWriter([
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, type, repetition_type: "REQUIRED" as const })),
  ]);
  // One column at a time, since they share memory; what the writer returns is valid until it is called again.
  const encoded = (function* () {
    for (const { type, values } of columns) yield encodeColumn(values, type, false);
  })();
  const rows = Buffer.from(writer.add(table.rows.length, encoded));
  return Buffer.concat([rows, writer.finish()]);
}
