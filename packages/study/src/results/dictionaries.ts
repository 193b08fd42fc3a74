import { ENTITY_TYPE, OUTPUT_FILES } from "@cobre/io";
import { RunError } from "./run-error.js";
import type { RunFiles } from "./run-files.js";

/** A plant, bus or line of the case. */
export interface Entity {
  readonly id: number;
  readonly name: string;
  /** `undefined` for a line, which has two. */
  readonly busId: number | undefined;
}

/** The entities of the case, each kind in the order of the case. */
export interface Entities {
  readonly hydros: readonly Entity[];
  readonly thermals: readonly Entity[];
  readonly buses: readonly Entity[];
  readonly lines: readonly Entity[];
  readonly nonControllables: readonly Entity[];
  readonly pumpingStations: readonly Entity[];
  readonly contracts: readonly Entity[];
}

/** A stage, with its dates if the run has written them. */
export interface StageEntry {
  readonly id: number;
  /** `YYYY-MM-DD` */
  readonly start: string | undefined;
  /** The day after the last one. */
  readonly end: string | undefined;
  readonly blocks: readonly BlockEntry[];
}

export interface BlockEntry {
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

/** A component of a state, as cuts and visited states have them. */
export interface StateEntry {
  readonly type: "storage" | "inflow_lag" | "in_transit" | "commitment";
  /** The plant; `undefined` if it is a thermal one. */
  readonly hydroId?: number;
  readonly thermalId?: number;
  /** How many stages ago; `undefined` unless it is an inflow. */
  readonly lag: number | undefined;
  /** Of water on its way and of commitments: how many stages later it arrives or is delivered. */
  readonly ahead?: number;
  readonly unit: string;
}

const STATE_TYPES = ["storage", "inflow_lag", "in_transit", "commitment"] as const;

const COLUMNS = ["entity_type_code", "entity_id", "name", "bus_id", "system_id"];

/** `dictionaries/entities.csv` */
export async function readEntities(files: RunFiles): Promise<Entities> {
  const path = files.path(OUTPUT_FILES.entities);
  const [header = [], ...rows] = parseCsv(await files.text(OUTPUT_FILES.entities));
  if (header.join() !== COLUMNS.join() || rows.some((row) => row.length !== COLUMNS.length)) {
    const columns = COLUMNS.join(", ");
    throw new RunError(
      "Damaged",
      path,
      `${path} has not the columns ${columns}; run the case again`,
    );
  }
  const ofType = (code: number): Entity[] =>
    rows
      .filter(([type]) => Number(type) === code)
      .map(([, id, name = "", bus]) => ({
        id: Number(id),
        name,
        busId: Number(bus) < 0 ? undefined : Number(bus),
      }));
  return {
    hydros: ofType(ENTITY_TYPE.hydro),
    thermals: ofType(ENTITY_TYPE.thermal),
    buses: ofType(ENTITY_TYPE.bus),
    lines: ofType(ENTITY_TYPE.line),
    nonControllables: ofType(ENTITY_TYPE.non_controllable),
    pumpingStations: ofType(ENTITY_TYPE.pumping_station),
    contracts: ofType(ENTITY_TYPE.contract),
  };
}

/** `dictionaries/stages.json` */
export async function readStages(files: RunFiles): Promise<StageEntry[]> {
  const fields = await files.json(OUTPUT_FILES.stages);
  return fields.list("stages").map((stage) => ({
    id: stage.number("stage_id"),
    start: stage.text("start_date"),
    end: stage.text("end_date"),
    blocks: stage.list("blocks").map((block) => ({
      id: block.number("block_id"),
      name: block.text("name"),
      hours: block.number("hours"),
    })),
  }));
}

/** `dictionaries/state_dictionary.json` */
export async function readStateEntries(files: RunFiles): Promise<StateEntry[]> {
  const fields = await files.json(OUTPUT_FILES.stateDictionary);
  return fields.list("state_variables").map((entry) => {
    const type = STATE_TYPES.find((known) => known === entry.text("type")) ?? "storage";
    const isAhead = type === "in_transit" || type === "commitment";
    const id = entry.number("entity_id");
    return {
      type,
      ...(type === "commitment" ? { thermalId: id } : { hydroId: id }),
      lag: type === "inflow_lag" ? entry.number("lag_index") : undefined,
      ...(isAhead && { ahead: entry.number("stages_ahead") }),
      unit: entry.text("unit"),
    };
  });
}

/** The cells of a CSV file, whose cells may be quoted. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (end === "" && plain === "" && quoted === undefined && row.length === 0) break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
    if (end === "") break;
  }
  return rows;
}
