import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";

/** What a file of a case holds: an object is written as JSON, columns as Parquet, a text or bytes as they are. */
export type FileContent = object | Columns | string | Uint8Array | undefined;

export class Columns {
  readonly columns: readonly ColumnSource[];
  constructor(columns: readonly ColumnSource[]) {
    this.columns = columns;
  }
}

/** Columns of a Parquet file: names that end in `_id`, `lag` or `_index` hold integers, the others doubles. */
export function columns(data: Readonly<Record<string, readonly (number | null)[]>>): Columns {
  return new Columns(
    Object.entries(data).map(([name, values]) => ({
      name,
      data: [...values],
      type: /(_id|lag|_index)$/.test(name) ? "INT32" : "DOUBLE",
      nullable: values.includes(null),
    })),
  );
}

export function parquetBytes(content: Columns): Uint8Array {
  const columnData = [...content.columns];
  return new Uint8Array(parquetWriteBuffer({ columnData, codec: "UNCOMPRESSED" }));
}

export const hydroPenalties = {
  spillage_cost: 0.01,
  fpha_turbined_cost: 0.05,
  diversion_cost: 0.1,
  storage_violation_below_cost: 10000,
  filling_target_violation_cost: 50000,
  turbined_violation_below_cost: 500,
  outflow_violation_below_cost: 500,
  outflow_violation_above_cost: 500,
  generation_violation_below_cost: 1000,
  evaporation_violation_cost: 5000,
  water_withdrawal_violation_cost: 1000,
};

export function hydro(id: number, fields: object = {}): object {
  return {
    id,
    name: `H${id}`,
    bus_id: 1,
    downstream_id: null,
    reservoir: { min_storage_hm3: 0, max_storage_hm3: 720 },
    outflow: { min_outflow_m3s: 0, max_outflow_m3s: null },
    generation: {
      model: "constant_productivity",
      productivity_mw_per_m3s: 1,
      min_turbined_m3s: 0,
      max_turbined_m3s: 1000,
      min_generation_mw: 0,
      max_generation_mw: 1000,
    },
    ...fields,
  };
}

export function stage(id: number, fields: object = {}): object {
  const months = ["01", "02", "03", "04"];
  return {
    id,
    start_date: `2025-${months[id]}-01`,
    end_date: `2025-${months[id + 1]}-01`,
    blocks: [{ id: 0, name: "SINGLE", hours: 1000 }],
    num_scenarios: 3,
    ...fields,
  };
}

/** A case without faults: one bus, one thermal, two plants in a cascade, three stages of three openings. */
export function goodCase(): Record<string, FileContent> {
  return {
    "config.json": {
      training: {
        forward_passes: 2,
        stopping_rules: [{ type: "iteration_limit", limit: 20 }],
      },
    },
    "penalties.json": {
      bus: { deficit_segments: [{ depth_mw: null, cost: 1000 }], excess_cost: 100 },
      line: { exchange_cost: 2 },
      hydro: hydroPenalties,
      non_controllable_source: { curtailment_cost: 0.005 },
    },
    "stages.json": {
      policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 },
      stages: [stage(1), stage(0), stage(2)],
    },
    "initial_conditions.json": {
      storage: [
        { hydro_id: 4, value_hm3: 700 },
        { hydro_id: 2, value_hm3: 100 },
      ],
      filling_storage: [],
    },
    "system/buses.json": { buses: [{ id: 1, name: "B" }] },
    "system/lines.json": { lines: [] },
    "system/thermals.json": {
      thermals: [
        { id: 0, name: "T", bus_id: 1, generation: { min_mw: 0, max_mw: 1000 }, cost_per_mwh: 50 },
      ],
    },
    "system/hydros.json": { hydros: [hydro(4), hydro(2, { downstream_id: 4 })] },
    "scenarios/inflow_seasonal_stats.parquet": columns({
      hydro_id: [2, 2, 2, 4, 4, 4],
      stage_id: [0, 1, 2, 0, 1, 2],
      mean_m3s: [10, 20, 30, 40, 50, 60],
      std_m3s: [1, 2, 3, 4, 5, 6],
    }),
    "scenarios/load_seasonal_stats.parquet": columns({
      bus_id: [1, 1, 1],
      stage_id: [0, 1, 2],
      mean_mw: [150, 150, 150],
      std_mw: [0, 5, 0],
    }),
  };
}

/** Writes the good case with `changes` (undefined: the file is not written), and removes it after the test. */
export async function withCase(
  changes: Readonly<Record<string, FileContent>>,
  test: (directory: string) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "cobre-case-"));
  try {
    for (const [file, content] of Object.entries({ ...goodCase(), ...changes })) {
      if (content === undefined) continue;
      const path = join(directory, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytesOf(content));
    }
    await test(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function bytesOf(content: Exclude<FileContent, undefined>): string | Uint8Array {
  if (content instanceof Columns) return parquetBytes(content);
  if (typeof content === "string" || content instanceof Uint8Array) return content;
  return JSON.stringify(content);
}
