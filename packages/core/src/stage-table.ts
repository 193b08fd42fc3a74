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

/** The total number of values in the tables. */
export function tablesLength(tables: readonly StageTable[]): number {
  return tables.reduce((sum, { values }) => sum + values.length, 0);
}

/**
 * Moves the tables into `arena`, one after the other. With `copy` their values are copied there. Without it the tables only become
 * views of `arena`, which another rank has filled with the same values.
 *
 * @example
 * ```ts
 * const tables = studyTables(study);
 * const region = comm.createSharedRegion(Float64Array, tablesLength(tables));
 * moveTables(tables, region.asMutSlice(), comm.isLeader);
 * region.fence();
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
