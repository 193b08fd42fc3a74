/**
 * One number for each stage and entity. `values` is flat, [stage · entities + entity], and may be moved into shared
 * memory: see {@link moveTables}.
 */
export class StageTable {
  values: Float64Array;
  private readonly entities: number;

  constructor(stages: number, entities: number) {
    this.entities = entities;
    this.values = new Float64Array(stages * entities);
  }

  at(stage: number, entity: number): number {
    return this.values[stage * this.entities + entity] as number;
  }

  set(stage: number, entity: number, value: number): void {
    this.values[stage * this.entities + entity] = value;
  }
}

/** A table for each field. */
export type StageTables<F extends string> = Readonly<Record<F, StageTable>>;

/** How many numbers the tables hold together. */
export function tablesLength(tables: readonly StageTable[]): number {
  return tables.reduce((sum, { values }) => sum + values.length, 0);
}

/**
 * Lets the tables lie in `arena`, one behind the other. The one who fills it copies (`copy`); the others, whose tables
 * hold the same numbers, only look.
 *
 * @example
 * ```ts
 * const tables = studyTables(study);
 * const region = comm.allocateShared(Float64Array, tablesLength(tables));
 * moveTables(tables, region.array, comm.isLeader);
 * ```
 */
export function moveTables(
  tables: readonly StageTable[],
  arena: Float64Array,
  copy: boolean,
): void {
  let offset = 0;
  for (const table of tables) {
    const place = arena.subarray(offset, offset + table.values.length);
    if (copy) place.set(table.values);
    offset += table.values.length;
    table.values = place;
  }
}
