import { BOUND_TYPE, ENTITY_TYPE, STORAGE_BINDING } from "@cobre/io";
import type { Entity, Run, SimulationRun } from "@cobre/study";
import { Refusal } from "../refusal.js";

/** A limit that holds an entity back. */
export interface BindingLimit {
  readonly entity: string;
  readonly kind: "hydro" | "thermal" | "line" | "bus";
  readonly block: number | null;
  /** In words: "storage at its minimum". */
  readonly limit: string;
  readonly value: number;
  readonly unit: string;
}

/** What happened in one stage of one scenario. */
export interface Explanation {
  readonly costs: Readonly<Record<string, number>>;
  readonly futureCost: number;
  readonly binding: readonly BindingLimit[];
  readonly prices: readonly {
    readonly bus: string;
    readonly block: number;
    readonly price: number;
  }[];
  readonly waterValues: readonly {
    readonly hydro: string;
    readonly value: number;
    readonly storageInitial: number;
    readonly storageFinal: number;
    readonly inflow: number;
  }[];
  readonly deficitMwh: number;
}

/** Columns of costs that are sums of others, or to come. */
const SUMS = new Set(["total_cost", "immediate_cost", "future_cost", "hydro_violation_cost"]);
/** Two numbers of a solution that differ by less are the same. */
const CLOSE = 1e-6;

/** Explains a stage of a scenario by what the simulation wrote. */
export async function explainStage(
  run: Run,
  simulation: SimulationRun,
  scenario: number,
  stageId: number,
): Promise<Explanation> {
  if (!simulation.scenarios.includes(scenario)) {
    throw new Refusal(
      `there is no scenario ${scenario}`,
      `The scenarios are ${simulation.scenarios[0]} to ${simulation.scenarios.at(-1)}.`,
    );
  }
  const limits = await limitsOf(run, stageId);
  const entities = await run.entities();
  const rowsOf = async (table: SimulationRun["tables"][number]): Promise<Row[]> => {
    if (!simulation.tables.includes(table)) return [];
    const { rows, columns } = await simulation.table(table, scenario);
    const all = columns as unknown as Readonly<Record<string, ArrayLike<number>>>;
    return Array.from(
      { length: rows },
      (_, row): Row =>
        (name) =>
          all[name]?.[row] ?? Number.NaN,
    ).filter((row) => row("stage_id") === stageId);
  };
  const [cost] = await rowsOf("costs");
  if (cost === undefined) {
    throw new Refusal(
      `there is no stage ${stageId}`,
      "query_results with table costs lists the stages.",
    );
  }
  const { columns: names } = await simulation.table("costs", scenario);
  const costs = Object.keys(names).filter((name) => name.endsWith("_cost") && !SUMS.has(name));
  const hydros = await rowsOf("hydros");
  const buses = await rowsOf("buses");
  return {
    costs: Object.fromEntries(
      costs.flatMap((name) => (cost(name) !== 0 ? [[name.replace(/_cost$/, ""), cost(name)]] : [])),
    ),
    futureCost: cost("future_cost"),
    binding: [
      ...hydros.flatMap((row) =>
        hydroLimits(row, nameIn(entities.hydros, row("hydro_id")), limits),
      ),
      ...(await rowsOf("thermals")).flatMap((row) =>
        thermalLimits(row, nameIn(entities.thermals, row("thermal_id")), limits),
      ),
      ...(await rowsOf("exchanges")).flatMap((row) =>
        lineLimits(row, nameIn(entities.lines, row("line_id")), limits),
      ),
      ...buses.flatMap((row) => deficits(row, nameIn(entities.buses, row("bus_id")))),
    ],
    prices: buses.map((row) => ({
      bus: nameIn(entities.buses, row("bus_id")),
      block: row("block_id"),
      price: row("spot_price"),
    })),
    waterValues: firstBlocks(hydros, "hydro_id").map((row) => ({
      hydro: nameIn(entities.hydros, row("hydro_id")),
      // The dual tells how the cost changes with more water.
      value: 0 - row("water_value_per_hm3"),
      storageInitial: row("storage_initial_hm3"),
      storageFinal: row("storage_final_hm3"),
      inflow: row("inflow_m3s"),
    })),
    deficitMwh: buses.reduce((sum, row) => sum + row("deficit_mwh"), 0),
  };
}

/** The values of a row, by column. */
type Row = (name: string) => number;
type LimitOf = (
  type: keyof typeof BOUND_TYPE,
  kind: keyof typeof ENTITY_TYPE,
  id: number,
) => number;

function hydroLimits(row: Row, entity: string, limit: LimitOf): BindingLimit[] {
  const id = row("hydro_id");
  const of = (type: keyof typeof BOUND_TYPE) => limit(type, "hydro", id);
  const at = { entity, kind: "hydro" as const, block: row("block_id") };
  const code = row("storage_binding_code");
  const storage = { ...at, block: null, value: row("storage_final_hm3"), unit: "hm3" };
  const turbined = { ...at, value: row("turbined_m3s"), unit: "m3/s" };
  const generation = { ...at, value: row("generation_mw"), unit: "MW" };
  const outflow = { ...at, value: row("outflow_m3s"), unit: "m3/s" };
  const { at_minimum, at_maximum, both } = STORAGE_BINDING;
  // Values of a stage are repeated in the row of every block.
  const isFirst = row("block_id") === 0 || Number.isNaN(row("block_id"));
  return [
    ...(isFirst && (code === at_minimum || code === both)
      ? [{ ...storage, limit: "storage at its minimum" }]
      : []),
    ...(isFirst && (code === at_maximum || code === both)
      ? [{ ...storage, limit: "storage at its maximum" }]
      : []),
    ...reached(turbined, "turbined flow", of("turbined_min"), of("turbined_max")),
    ...reached(generation, "generation", of("generation_min"), of("generation_max")),
    ...reached(outflow, "outflow", of("outflow_min"), of("outflow_max")),
  ];
}

function thermalLimits(row: Row, entity: string, limit: LimitOf): BindingLimit[] {
  const id = row("thermal_id");
  const at = { entity, kind: "thermal" as const, block: row("block_id"), unit: "MW" };
  const value = row("generation_mw");
  const of = (type: keyof typeof BOUND_TYPE) => limit(type, "thermal", id);
  return reached({ ...at, value }, "generation", of("generation_min"), of("generation_max"));
}

function lineLimits(row: Row, entity: string, limit: LimitOf): BindingLimit[] {
  const id = row("line_id");
  const at = { entity, kind: "line" as const, block: row("block_id"), unit: "MW" };
  const value = row("net_flow_mw");
  const of = (type: keyof typeof BOUND_TYPE) => limit(type, "line", id);
  return reached({ ...at, value }, "flow", of("flow_min"), of("flow_max"));
}

function deficits(row: Row, entity: string): BindingLimit[] {
  const value = row("deficit_mw");
  if (!(value > CLOSE)) return [];
  const at = { entity, kind: "bus" as const, block: row("block_id"), unit: "MW" };
  return [{ ...at, limit: "load that is not met", value }];
}

/** A minimum of 0 that is reached is no news: a plant is off, a line is idle. */
function reached(
  at: Omit<BindingLimit, "limit">,
  what: string,
  min: number,
  max: number,
): BindingLimit[] {
  const isAt = (limit: number) =>
    Math.abs(at.value - limit) <= CLOSE * Math.max(1, Math.abs(limit));
  return [
    ...(min !== 0 && isAt(min) ? [{ ...at, limit: `${what} at its minimum` }] : []),
    ...(isAt(max) ? [{ ...at, limit: `${what} at its maximum` }] : []),
  ];
}

/** The bounds of a stage; NaN where there is none. */
async function limitsOf(run: Run, stageId: number): Promise<LimitOf> {
  const { rows, columns } = await run.bounds();
  const found = new Map<string, number>();
  for (let row = 0; row < rows; row++) {
    if (columns.stage_id[row] !== stageId) continue;
    const key = [
      columns.entity_type_code[row],
      columns.entity_id[row],
      columns.bound_type_code[row],
    ];
    found.set(key.join(), columns.bound_value[row] as number);
  }
  return (type, kind, id) =>
    found.get([ENTITY_TYPE[kind], id, BOUND_TYPE[type]].join()) ?? Number.NaN;
}

function nameIn(entities: readonly Entity[], id: number): string {
  return entities.find((one) => one.id === id)?.name ?? String(id);
}

function firstBlocks(rows: readonly Row[], column: string): Row[] {
  const seen = new Set<number>();
  return rows.filter((row) => {
    const isNew = !seen.has(row(column));
    seen.add(row(column));
    return isNew;
  });
}
