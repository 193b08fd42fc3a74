/** The written tables of a path, and how their values are compared with what they must be. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type OutputCell, readOutputTable } from "@cobre/io";

/** What is rounded, relative to the larger number: values computed from each other. */
export const ROUNDED = 1e-9;
/** What the solver leaves: rows and bounds hold up to its tolerance. */
export const SOLVED = 1e-6;

/** How far rounding alone can move the slope that a difference of costs gives. A solved program repeats its cost to about 2e-12. */
export function roundingOf(cost: number, step: number): number {
  return (1e-11 * Math.abs(cost)) / step;
}

/** The columns that name a row. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  costs: ["stage_id"],
  hydros: ["stage_id", "block_id", "hydro_id"],
  thermals: ["stage_id", "block_id", "thermal_id"],
  buses: ["stage_id", "block_id", "bus_id"],
  exchanges: ["stage_id", "block_id", "line_id"],
  inflow_lags: ["stage_id", "hydro_id", "lag_index"],
};

/** A row of a table. Whatever is wrong with it is told with its place. */
export class Row {
  private readonly place: string;
  private readonly cells: Readonly<Record<string, OutputCell>>;

  constructor(place: string, cells: Readonly<Record<string, OutputCell>>) {
    this.place = place;
    this.cells = cells;
  }

  get columns(): string[] {
    return Object.keys(this.cells);
  }

  /** A number of the row. */
  get(column: string): number {
    const cell = this.cells[column];
    if (typeof cell !== "number" || !Number.isFinite(cell))
      this.fail(column, String(cell), "a number");
    return Number(cell);
  }

  /** The column has this value. */
  equals(column: string, expected: number, tolerance: number, why: string): void {
    const value = this.get(column);
    const scale = Math.max(1, Math.abs(value), Math.abs(expected));
    if (!(Math.abs(value - expected) <= tolerance * scale)) {
      this.fail(column, String(value), `${expected} (${why})`);
    }
  }

  /** The column is not below `low` and not above `high`. */
  isBetween(column: string, low: number, high: number, tolerance: number, why: string): void {
    const value = this.get(column);
    const reach = (bound: number) => tolerance * Math.max(1, Math.abs(bound), Math.abs(value));
    if (value < low - reach(low) || value > high + reach(high)) {
      this.fail(column, String(value), `${low} to ${high} (${why})`);
    }
  }

  /** Nothing is in the column. */
  isNull(column: string): void {
    if (this.cells[column] !== null) this.fail(column, String(this.cells[column]), "null");
  }

  fail(column: string, value: string, expected: string): never {
    throw new Error(`${this.place}, ${column}: ${value}, must be ${expected}`);
  }
}

/** A table of one path. */
export class PathTable {
  readonly name: string;
  private readonly rows = new Map<string, Row>();
  private readonly path: string;

  constructor(name: string, path: string, rows: readonly Readonly<Record<string, OutputCell>>[]) {
    this.name = name;
    this.path = path;
    const keys = KEYS[name] ?? [];
    for (const cells of rows) {
      const values = keys.map((key) => Number(cells[key]));
      const at = keys.map((key, i) => `${key} ${values[i]}`).join(", ");
      const key = values.join();
      if (this.rows.has(key)) throw new Error(`${path}, ${name}: two rows for ${at}`);
      this.rows.set(key, new Row(`${path}, ${name}, ${at}`, cells));
    }
  }

  get count(): number {
    return this.rows.size;
  }

  /** The row that has these values in the columns that name rows. */
  at(...key: readonly number[]): Row {
    const row = this.rows.get(key.join());
    if (row === undefined) throw new Error(`${this.path}, ${this.name}: no row for ${key.join()}`);
    return row;
  }

  /** As many rows as there must be. */
  hasRows(count: number): void {
    if (this.count !== count) {
      throw new Error(`${this.path}, ${this.name}: ${this.count} rows, must be ${count}`);
    }
  }
}

/** The tables of a path by name; one without entities is not written. */
export interface PathTables {
  /** For messages: the seed of the system and the number of the path. */
  readonly path: string;
  readonly costs: PathTable;
  readonly hydros: PathTable;
  readonly thermals: PathTable;
  readonly buses: PathTable;
  readonly exchanges: PathTable;
  readonly inflow_lags: PathTable;
}

/** Reads what a simulation wrote. */
export async function readPath(
  directory: string,
  scenario: number,
  path: string,
): Promise<PathTables> {
  const there = readdirSync(join(directory, "simulation"));
  const unknown = there.filter((name) => KEYS[name] === undefined);
  if (unknown.length > 0) throw new Error(`${path}: no test knows the table ${unknown.join()}`);
  const read = async (name: string) => {
    if (!there.includes(name)) return new PathTable(name, path, []);
    const folder = join(directory, "simulation", name);
    const [file = ""] = readdirSync(folder); // small enough for one
    const rows = (await readOutputTable(join(folder, file)))
      .filter((row) => row.scenario_id === scenario)
      .map(({ scenario_id: _, ...row }) => row);
    return new PathTable(name, path, rows);
  };
  return {
    path,
    costs: await read("costs"),
    hydros: await read("hydros"),
    thermals: await read("thermals"),
    buses: await read("buses"),
    exchanges: await read("exchanges"),
    inflow_lags: await read("inflow_lags"),
  };
}
