/** A case of the examples as its files say it, so that it can be changed a little and written for either program. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Fields = Readonly<Record<string, unknown>>;

/** Rows of numbers, in the order of the columns. */
export interface NumberTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

export interface StageFields extends Fields {
  readonly id: number;
  readonly start_date: string;
  readonly season_id: number;
  readonly num_openings: number;
}

export interface ExampleCase {
  readonly json: {
    readonly "config.json": {
      readonly training: Fields & { readonly selection: Fields; readonly tree_seed?: number };
      readonly modeling?: Fields;
    };
    readonly "stages.json": Fields & { readonly stages: readonly StageFields[] };
    readonly "penalties.json": Fields & {
      readonly bus: { readonly deficit_segments: readonly { readonly cost: number }[] };
      readonly hydro: Fields;
    };
    readonly "initial_conditions.json": Fields;
    readonly "system/buses.json": Fields;
    readonly "system/lines.json": Fields;
    readonly "system/thermals.json": Fields;
    readonly "system/hydros.json": Fields;
    readonly "system/hydro_production_models.json": Fields;
    readonly "scenarios/load_factors.json"?: {
      readonly load_factors: readonly (Fields & { readonly stage_id: number })[];
    };
    readonly "scenarios/correlation.json"?: Fields;
  };
  /** By their paths without `.csv`. */
  readonly tables: Readonly<Record<string, NumberTable>>;
}

/** What is known here. A case with other files would lose them, so it is refused. */
const JSON_FILES = [
  "config.json",
  "stages.json",
  "penalties.json",
  "initial_conditions.json",
  "system/buses.json",
  "system/lines.json",
  "system/thermals.json",
  "system/hydros.json",
  "system/hydro_production_models.json",
  "scenarios/load_factors.json",
  "scenarios/correlation.json",
];
const TABLES = [
  "scenarios/load_seasonal_stats",
  "scenarios/inflow_seasonal_stats",
  "scenarios/inflow_ar_coefficients",
];

/** Reads a case directory of the examples. */
export function readExample(directory: string): ExampleCase {
  const json: Record<string, unknown> = {};
  const tables: Record<string, NumberTable> = {};
  for (const path of filesBelow(directory)) {
    const text = () => readFileSync(join(directory, path), "utf8");
    if (path.startsWith("schemas/")) continue;
    if (JSON_FILES.includes(path)) json[path] = withoutSchema(JSON.parse(text()));
    else if (path.endsWith(".csv") && TABLES.includes(path.slice(0, -4)))
      tables[path.slice(0, -4)] = parseTable(text());
    else throw new Error(`${path} of ${directory} is a file that the benchmark does not know`);
  }
  return { json: json as unknown as ExampleCase["json"], tables };
}

/** Writes a case directory like those of the examples, with tables as CSV. */
export function writeExample(source: ExampleCase, directory: string): void {
  for (const [path, value] of Object.entries(source.json)) writeJson(directory, path, value);
  for (const [path, { columns, rows }] of Object.entries(source.tables)) {
    const lines = [columns, ...rows].map((cells) => cells.join(","));
    writeFile(directory, `${path}.csv`, `${lines.join("\n")}\n`);
  }
}

export function writeJson(directory: string, path: string, value: unknown): void {
  writeFile(directory, path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file of a case, and the folders it is in. */
export function writeFile(directory: string, path: string, content: string | Uint8Array): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** The values of a column. */
export function columnOf({ columns, rows }: NumberTable, name: string): number[] {
  const at = columns.indexOf(name);
  return rows.map((row) => row[at] ?? Number.NaN);
}

function filesBelow(directory: string, prefix = ""): string[] {
  return readdirSync(join(directory, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory() ? filesBelow(directory, `${path}/`) : [path];
  });
}

function withoutSchema(value: Fields): Fields {
  const { $schema: _, ...rest } = value;
  return rest;
}

function parseTable(text: string): NumberTable {
  const [header = "", ...lines] = text.trim().split("\n");
  return {
    columns: header.split(","),
    rows: lines.map((line) => line.split(",").map(Number)),
  };
}
