import { CONVERGENCE, RANK_TIMING, type TableColumns, type TableSpec } from "@cobre/io";
import { type Run, SIMULATION_TABLES, type SimulationTable } from "@cobre/study";
import { Refusal } from "../refusal.js";
import { type Statistic, statisticOf } from "./statistics.js";

/** The tables that can be asked, by name. */
export const QUERY_TABLES = [
  ...(Object.keys(SIMULATION_TABLES) as SimulationTable[]),
  "convergence",
  "rank_timing",
] as const;

export type QueryTable = (typeof QUERY_TABLES)[number];

export const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const;

/** What is asked of a table. */
export interface Query {
  readonly table: QueryTable;
  readonly columns?: readonly string[] | undefined;
  readonly where: readonly {
    readonly column: string;
    readonly is: (typeof OPERATORS)[number];
    readonly value: number;
  }[];
  readonly groupBy: readonly string[];
  readonly statistics: readonly { readonly column: string; readonly of: Statistic }[];
  readonly orderBy?: { readonly column: string; readonly descending: boolean } | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of what was found. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly units: readonly string[];
  readonly rows: readonly (readonly number[])[];
  /** Rows, or groups, before the page was cut. */
  readonly total: number;
}

/** More rows than this are not kept; they have to be grouped. */
const MOST_ROWS = 2_000_000;
const SCENARIO = "scenario_id";

/** The columns of a table, with their units. */
export function columnsOf(
  table: QueryTable,
): Readonly<Record<string, { unit: string; about: string }>> {
  const spec = specOf(table);
  const own = Object.fromEntries(
    Object.entries(spec).map(([name, { unit, about }]) => [name, { unit, about }]),
  );
  if (!isSimulated(table)) return own;
  return { [SCENARIO]: { unit: "", about: "number of the scenario, from 0" }, ...own };
}

/** Answers a query. Rows that do not match are dropped as they are read. */
export async function answer(run: Run, query: Query): Promise<QueryResult> {
  const known = columnsOf(query.table);
  const isGrouped = query.groupBy.length > 0 || query.statistics.length > 0;
  const shown = isGrouped ? [] : (query.columns ?? Object.keys(known));
  const needed = new Set([
    ...shown,
    ...query.where.map(({ column }) => column),
    ...query.groupBy,
    ...query.statistics.map(({ column }) => column),
  ]);
  for (const name of needed) {
    if (Object.hasOwn(known, name)) continue;
    throw new Refusal(
      `the table ${query.table} has no column ${name}`,
      `Its columns are ${Object.keys(known).join(", ")}.`,
    );
  }
  checkWeights(run, query);
  const names = [...needed];
  const matching: number[][] = [];
  const place = (name: string) => names.indexOf(name);
  for await (const { rows, columns } of parts(run, query.table, names)) {
    for (let row = 0; row < rows; row++) {
      const values = names.map((name) => columns[name]?.[row] ?? Number.NaN);
      if (!query.where.every((one) => holds(values[place(one.column)] as number, one))) continue;
      matching.push(values);
      if (matching.length <= MOST_ROWS) continue;
      throw new Refusal(
        "too many rows match",
        "Add filters: one scenario, one stage or one plant.",
      );
    }
  }
  const found = isGrouped
    ? grouped(matching, query, place)
    : matching.map((values) => shown.map((name) => values[place(name)] as number));
  const heads = isGrouped
    ? [
        ...query.groupBy.map((name) => ({ name, unit: known[name]?.unit ?? "" })),
        ...query.statistics.map(({ column, of }) => ({
          name: `${of}_${column}`,
          unit: of === "count" ? "" : (known[column]?.unit ?? ""),
        })),
      ]
    : shown.map((name) => ({ name, unit: known[name]?.unit ?? "" }));
  order(
    found,
    heads.map(({ name }) => name),
    query.orderBy,
  );
  return {
    columns: heads.map(({ name }) => name),
    units: heads.map(({ unit }) => unit),
    rows: found.slice(query.offset, query.offset + query.limit),
    total: found.length,
  };
}

/** These are the same however likely the scenarios are. */
const WITHOUT_WEIGHTS: readonly Statistic[] = ["count", "min", "max"];

/** Refuses statistics over scenarios that are not equally likely: they would count all alike. */
function checkWeights({ simulation }: Run, { table, where, groupBy, statistics }: Query): void {
  if (!isSimulated(table) || !simulation?.metadata.isExact) return;
  const isWithin =
    groupBy.includes(SCENARIO) || where.some(({ column, is }) => column === SCENARIO && is === "=");
  if (isWithin || statistics.every(({ of }) => WITHOUT_WEIGHTS.includes(of))) return;
  throw new Refusal(
    "the scenarios of this run are all paths of a tree, which are not equally likely",
    "Group by scenario_id as well, or ask for one scenario. render_chart weighs them by their probabilities.",
  );
}

function specOf(table: QueryTable): TableSpec {
  if (isSimulated(table)) return SIMULATION_TABLES[table];
  return table === "convergence" ? CONVERGENCE : RANK_TIMING;
}

function isSimulated(table: QueryTable): table is SimulationTable {
  return Object.hasOwn(SIMULATION_TABLES, table);
}

interface Part {
  readonly rows: number;
  readonly columns: Readonly<Record<string, ArrayLike<number>>>;
}

async function* parts(run: Run, table: QueryTable, names: readonly string[]): AsyncGenerator<Part> {
  if (!isSimulated(table)) {
    if (run.training === undefined) throw missing(table, "was not trained here");
    const read: Promise<TableColumns<TableSpec>> =
      table === "convergence" ? run.training.convergence() : run.training.rankTiming();
    const { rows, columns } = await read;
    yield { rows, columns: columns as Part["columns"] };
    return;
  }
  const { simulation } = run;
  if (simulation === undefined) throw missing(table, "has no finished simulation");
  if (!simulation.tables.includes(table)) throw missing(table, "has no such entities");
  const own = names.filter((name) => name !== SCENARIO);
  // A column must be read to know the number of rows.
  const read = own.length > 0 ? own : ["stage_id"];
  for await (const part of simulation.scenariosOf(table, read as never[])) {
    const { scenario, rows } = part;
    const columns = part.columns as unknown as Part["columns"];
    yield {
      rows,
      columns: { ...columns, [SCENARIO]: new Float64Array(rows).fill(scenario) },
    };
  }
}

function missing(table: string, why: string): Refusal {
  return new Refusal(
    `there is no table ${table}: the run ${why}`,
    "run_status tells what the run has.",
  );
}

function holds(value: number, { is, value: other }: Query["where"][number]): boolean {
  switch (is) {
    case "=":
      return value === other;
    case "!=":
      return value !== other;
    case "<":
      return value < other;
    case "<=":
      return value <= other;
    case ">":
      return value > other;
    default:
      return value >= other;
  }
}

function grouped(
  rows: readonly (readonly number[])[],
  { groupBy, statistics }: Query,
  place: (name: string) => number,
): number[][] {
  const keys = groupBy.map(place);
  const groups = new Map<string, (readonly number[])[]>();
  for (const row of rows) {
    const key = keys.map((at) => row[at]).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((group) => [
    ...keys.map((at) => group[0]?.[at] as number),
    ...statistics.map(({ column, of }) => {
      const at = place(column);
      return statisticOf(
        of,
        group.map((row) => row[at] as number),
      );
    }),
  ]);
}

function order(rows: number[][], names: readonly string[], by: Query["orderBy"]): void {
  if (by === undefined) return;
  const at = names.indexOf(by.column);
  if (at < 0) {
    throw new Refusal(
      `there is no column ${by.column} to order by`,
      `Choose one of ${names.join(", ")}.`,
    );
  }
  const sign = by.descending ? -1 : 1;
  rows.sort((a, b) => sign * ((a[at] as number) - (b[at] as number)));
}
