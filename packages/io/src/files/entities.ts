import {
  type BusInput,
  CASE_FILES,
  type HydroInput,
  type IssueCollector,
  type LineInput,
  type SystemInput,
  type Thermal,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { unsupported } from "../unsupported.js";
import { readHydroOverrides, readSegments } from "./penalties.js";

/** Reads the four files of `system/` that every case has. */
export async function readSystem(
  directory: string,
  issues: IssueCollector,
): Promise<SystemInput | undefined> {
  const read = <T>(file: string, list: string, kind: string, entity: (reader: ObjectReader) => T) =>
    readEntities(directory, file, list, kind, entity, issues);
  const buses = await read(CASE_FILES.buses, "buses", "bus", readBus);
  const lines = await read(CASE_FILES.lines, "lines", "line", (line) => readLine(line, issues));
  const thermals = await read(CASE_FILES.thermals, "thermals", "thermal", (thermal) =>
    readThermal(thermal, issues),
  );
  const hydros = await read(CASE_FILES.hydros, "hydros", "hydro", (hydro) =>
    readHydro(hydro, issues),
  );
  if (buses === undefined || lines === undefined || thermals === undefined || hydros === undefined)
    return undefined;
  return { buses, lines, thermals, hydros };
}

async function readEntities<T>(
  directory: string,
  file: string,
  list: string,
  kind: string,
  entity: (reader: ObjectReader) => T,
  issues: IssueCollector,
): Promise<readonly T[] | undefined> {
  const root = await readJson(directory, file, issues);
  if (root === undefined) return undefined;
  const entities = root.list(list).map((entry) => {
    const reader = entry.has("id") ? entry.of(`${kind} ${entry.raw("id")}`) : entry;
    const result = entity(reader);
    reader.finish();
    return result;
  });
  root.finish();
  return entities;
}

function readBus(bus: ObjectReader): BusInput {
  const segments = bus.optionalList("deficit_segments");
  return {
    id: bus.integer("id"),
    name: bus.text("name"),
    deficitSegments: segments && readSegments(segments),
  };
}

function readLine(line: ObjectReader, issues: IssueCollector): LineInput {
  const capacity = line.object("capacity");
  const result = {
    id: line.integer("id"),
    name: line.text("name"),
    sourceBusId: line.integer("source_bus_id"),
    targetBusId: line.integer("target_bus_id"),
    directMw: capacity.number("direct_mw"),
    reverseMw: capacity.number("reverse_mw"),
    exchangeCost: line.optionalNumber("exchange_cost"),
  };
  if ((line.optionalNumber("losses_percent", { min: 0 }) ?? 0) > 0) {
    const place = { file: CASE_FILES.lines, entity: `line ${result.id}`, field: "losses_percent" };
    issues.warning("schema", place, "losses are not modelled", "the flow arrives as it left");
  }
  checkLife(line, CASE_FILES.lines, `line ${result.id}`, issues);
  capacity.finish();
  return result;
}

function readThermal(thermal: ObjectReader, issues: IssueCollector): Thermal {
  const generation = thermal.object("generation");
  const result = {
    id: thermal.integer("id"),
    name: thermal.text("name"),
    busId: thermal.integer("bus_id"),
    minGenerationMw: generation.number("min_mw"),
    maxGenerationMw: generation.number("max_mw"),
    costPerMwh: thermal.number("cost_per_mwh"),
  };
  if (thermal.has("gnl_config")) {
    unsupported(
      issues,
      CASE_FILES.thermals,
      "gnl_config",
      "dispatch decided stages ahead",
      `thermal ${result.id}`,
    );
  }
  checkLife(thermal, CASE_FILES.thermals, `thermal ${result.id}`, issues);
  generation.finish();
  return result;
}

const HYDRO_FEATURES = {
  evaporation: "evaporation",
  diversion: "a diversion channel",
  filling: "the filling of a reservoir",
};

function readHydro(hydro: ObjectReader, issues: IssueCollector): HydroInput {
  const reservoir = hydro.object("reservoir");
  const outflow = hydro.object("outflow");
  const generation = hydro.object("generation");
  const overrides = hydro.optionalObject("penalties");
  const id = hydro.integer("id");
  const entity = `hydro ${id}`;
  const model = generation.choice("model", ["constant_productivity", "linearized_head", "fpha"]);
  if (model === "fpha")
    unsupported(
      issues,
      CASE_FILES.hydros,
      "generation.model",
      "the production function fpha",
      entity,
    );
  if (model === "linearized_head") {
    const place = { file: CASE_FILES.hydros, entity, field: "generation.model" };
    issues.warning(
      "schema",
      place,
      "linearized_head is taken as constant_productivity",
      "give fpha where the head matters",
    );
  }
  for (const [field, what] of Object.entries(HYDRO_FEATURES)) {
    if (hydro.has(field)) unsupported(issues, CASE_FILES.hydros, field, what, entity);
  }
  const result: HydroInput = {
    id,
    name: hydro.text("name"),
    busId: hydro.integer("bus_id"),
    downstreamId: hydro.optionalInteger("downstream_id"),
    minStorageHm3: reservoir.number("min_storage_hm3"),
    maxStorageHm3: reservoir.number("max_storage_hm3"),
    minOutflowM3s: outflow.number("min_outflow_m3s"),
    maxOutflowM3s: outflow.optionalNumber("max_outflow_m3s") ?? Number.POSITIVE_INFINITY,
    productivityMwPerM3s: model === "fpha" ? 1 : generation.number("productivity_mw_per_m3s"),
    minTurbinedM3s: generation.number("min_turbined_m3s"),
    maxTurbinedM3s: generation.number("max_turbined_m3s"),
    minGenerationMw: generation.number("min_generation_mw"),
    maxGenerationMw: generation.number("max_generation_mw"),
    penalties: overrides && readHydroOverrides(overrides),
  };
  // They shape fpha planes only.
  hydro.ignore("tailrace", "hydraulic_losses", "efficiency");
  checkLife(hydro, CASE_FILES.hydros, entity, issues);
  for (const reader of [reservoir, outflow, generation]) reader.finish();
  return result;
}

function checkLife(
  reader: ObjectReader,
  file: string,
  entity: string,
  issues: IssueCollector,
): void {
  for (const field of ["entry_stage_id", "exit_stage_id"]) {
    if (reader.optionalInteger(field) === undefined) continue;
    issues.warning(
      "schema",
      { file, entity, field },
      "has no effect",
      "set the bounds of the stages without it to 0",
    );
  }
}
