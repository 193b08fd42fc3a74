import {
  type BusInput,
  CASE_FILES,
  type HydroInput,
  type IssueCollector,
  type LineInput,
  type Ordered,
  type SystemInput,
  type Thermal,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS, type LaterFields } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { leadOf } from "./commitments.js";
import { fillingOf } from "./filling.js";
import { readHead } from "./head.js";
import { readHydroOverrides, readSegments } from "./penalties.js";
import { travelTimeOf } from "./travel-time.js";
import { busesOf } from "./unit-groups.js";

type EntityKind = "bus" | "line" | "thermal" | "hydro";

/** The stages in which an entity exists: from `entry` to the one before `exit`. */
export interface Life {
  readonly file: string;
  readonly entity: string;
  readonly entry: number | undefined;
  readonly exit: number | undefined;
}

/** What one of the four files of `system/` says. Entities that do not exist in all stages are added to `lives`. */
type EntityFile<T> = (root: ObjectReader, issues: IssueCollector, lives: Life[]) => readonly T[];

/** The four files of `system/` that every case has. */
export const ENTITY_FILES = {
  buses: entitiesOf(CASE_FILES.buses, "buses", "bus", readBus),
  lines: entitiesOf(CASE_FILES.lines, "lines", "line", readLine),
  thermals: entitiesOf(CASE_FILES.thermals, "thermals", "thermal", readThermal),
  hydros: entitiesOf(CASE_FILES.hydros, "hydros", "hydro", readHydro),
} as const;

/** Reads the four files of `system/`. Entities that do not exist in all stages are added to `lives`. */
export async function readSystem(
  directory: CaseDirectory,
  issues: IssueCollector,
  lives: Life[],
): Promise<SystemInput | undefined> {
  const read = async <T>(file: string, entities: EntityFile<T>) => {
    const root = await readJson(directory, file, issues);
    return root && entities(root, issues, lives);
  };
  const buses = await read(CASE_FILES.buses, ENTITY_FILES.buses);
  const lines = await read(CASE_FILES.lines, ENTITY_FILES.lines);
  const thermals = await read(CASE_FILES.thermals, ENTITY_FILES.thermals);
  const hydros = await read(CASE_FILES.hydros, ENTITY_FILES.hydros);
  if (buses === undefined || lines === undefined || thermals === undefined || hydros === undefined)
    return undefined;
  return { buses, lines, thermals, hydros };
}

function entitiesOf<T>(
  file: string,
  list: string,
  kind: EntityKind,
  entity: (reader: ObjectReader, issues: IssueCollector) => T,
): EntityFile<T> {
  return (root, issues, lives) => {
    const later: LaterFields = LATER_FIELDS[kind];
    const entities = root.list(list).map((entry) => {
      const name = `${kind} ${entry.raw("id")}`;
      const reader = entry.has("id") ? entry.of(name) : entry;
      const result = { ...entity(reader, issues), ...readStart(reader) };
      if (kind === "bus") {
        reader.refuseLater(later);
        reader.finish();
        return result;
      }
      const life = {
        entryStageId: reader.optionalInteger("entry_stage_id"),
        exitStageId: reader.optionalInteger("exit_stage_id"),
      };
      lives.push({ file, entity: name, entry: life.entryStageId, exit: life.exitStageId });
      reader.refuseLater(later);
      reader.finish();
      return { ...result, ...life };
    });
    root.finish();
    return entities;
  };
}

/** In Cobre 0.18 the date from which an entity operates gives the order of the entities. It commissions nothing. */
export function readStart(entity: ObjectReader): Ordered {
  return entity.isLater ? { operationalStart: entity.day("operational_start_date") } : {};
}

function readBus(bus: ObjectReader): BusInput {
  const segments = bus.optionalList("deficit_segments");
  return {
    id: bus.integer("id"),
    name: bus.text("name"),
    deficitSegments: segments && readSegments(segments),
  };
}

function readLine(line: ObjectReader): LineInput {
  const capacity = line.object("capacity");
  const result = {
    id: line.integer("id"),
    name: line.text("name"),
    sourceBusId: line.integer("source_bus_id"),
    targetBusId: line.integer("target_bus_id"),
    directMw: capacity.number("direct_mw"),
    reverseMw: capacity.number("reverse_mw"),
    exchangeCost: line.optionalNumber("exchange_cost"),
    lossesPercent: line.optionalNumber("losses_percent", { min: 0, max: 100 }),
  };
  capacity.finish();
  return result;
}

function readThermal(thermal: ObjectReader): Thermal {
  const generation = thermal.object("generation");
  const result = {
    id: thermal.integer("id"),
    name: thermal.text("name"),
    busId: thermal.integer("bus_id"),
    minGenerationMw: generation.number("min_mw"),
    maxGenerationMw: generation.number("max_mw"),
    costPerMwh: thermal.number("cost_per_mwh"),
    lead: leadOf(thermal),
  };
  generation.finish();
  return result;
}

function readHydro(hydro: ObjectReader, issues: IssueCollector): HydroInput {
  const reservoir = hydro.object("reservoir");
  const outflow = hydro.object("outflow");
  const generation = hydro.object("generation");
  const overrides = hydro.optionalObject("penalties");
  const id = hydro.integer("id");
  const entity = `hydro ${id}`;
  const model = generation.choice("model", ["constant_productivity", "linearized_head", "fpha"]);
  if (model === "linearized_head") {
    const place = { file: CASE_FILES.hydros, entity, field: "generation.model" };
    issues.warning(
      "schema",
      place,
      "linearized_head is taken as constant_productivity",
      "give fpha where the head matters",
    );
  }
  const diversion = hydro.optionalObject("diversion");
  generation.refuseEarlier({
    productivity_mw_per_m3s: `give it in ${CASE_FILES.productionModels}`,
  });
  const hasProductivity = model !== "fpha" && !hydro.isLater;
  const limits = {
    minTurbinedM3s: generation.number("min_turbined_m3s"),
    maxTurbinedM3s: generation.number("max_turbined_m3s"),
    minGenerationMw: generation.number("min_generation_mw"),
    maxGenerationMw: generation.number("max_generation_mw"),
  };
  const result: HydroInput = {
    id,
    name: hydro.text("name"),
    downstreamId: hydro.optionalInteger("downstream_id"),
    travelTimeHours: travelTimeOf(hydro),
    diversion: diversion && {
      downstreamId: diversion.integer("downstream_id"),
      maxFlowM3s: diversion.number("max_flow_m3s"),
    },
    minStorageHm3: reservoir.number("min_storage_hm3"),
    maxStorageHm3: reservoir.number("max_storage_hm3"),
    minOutflowM3s: outflow.number("min_outflow_m3s"),
    maxOutflowM3s: outflow.optionalNumber("max_outflow_m3s") ?? Number.POSITIVE_INFINITY,
    productivityMwPerM3s: hasProductivity
      ? generation.number("productivity_mw_per_m3s")
      : undefined,
    ...busesOf(hydro),
    ...limits,
    ...readHead(hydro),
    specificProductivity: hydro.isLater
      ? hydro.optionalNumber("specific_productivity_mw_per_m3s_per_m", { min: 0 })
      : undefined,
    evaporation: readEvaporation(hydro.optionalObject("evaporation")),
    filling: fillingOf(hydro),
    penalties: overrides && readHydroOverrides(overrides),
  };
  for (const reader of [reservoir, outflow, generation, diversion]) reader?.finish();
  return result;
}

function readEvaporation(evaporation: ObjectReader | undefined): HydroInput["evaporation"] {
  if (evaporation === undefined) return undefined;
  const result = {
    coefficientsMm: evaporation.numbers("coefficients_mm"),
    referenceVolumesHm3: evaporation.has("reference_volumes_hm3")
      ? evaporation.numbers("reference_volumes_hm3")
      : undefined,
  };
  evaporation.finish();
  return result;
}
