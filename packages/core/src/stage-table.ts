/** A value of a single block. */
export interface BlockValue {
  readonly stage: number;
  readonly entity: number;
  readonly block: number;
  readonly value: number;
}

/**
 * One number for each stage and entity, and others for single blocks, of which there are few. `values` is flat, [stage · entities + entity], and may be moved into shared
 * memory: see {@link moveTables}.
 */
export class StageTable {
  values: Float64Array;
  private readonly entities: number;
  private readonly blocks = new Map<string, BlockValue>();

  constructor(stages: number, entities: number) {
    this.entities = entities;
    this.values = new Float64Array(stages * entities);
  }

  /** The value of a stage, or of a block of it. */
  at(stage: number, entity: number, block?: number): number {
    if (block !== undefined && this.blocks.size > 0) {
      const own = this.blocks.get(keyOf(stage, entity, block));
      if (own !== undefined) return own.value;
    }
    return this.values[stage * this.entities + entity] as number;
  }

  set(stage: number, entity: number, value: number): void {
    this.values[stage * this.entities + entity] = value;
  }

  setBlock(stage: number, entity: number, block: number, value: number): void {
    this.blocks.set(keyOf(stage, entity, block), { stage, entity, block, value });
  }

  /** Whether a block has a value of its own. */
  hasBlock(stage: number, entity: number, block: number): boolean {
    return this.blocks.has(keyOf(stage, entity, block));
  }

  /** Sets a stage and all its blocks. */
  setAll(stage: number, entity: number, value: number): void {
    this.set(stage, entity, value);
    for (const [key, own] of this.blocks) {
      if (own.stage === stage && own.entity === entity) this.blocks.delete(key);
    }
  }

  /** The values of an entity in single blocks of a stage. */
  blockValues(stage: number, entity: number): readonly BlockValue[] {
    return [...this.blocks.values()]
      .filter((own) => own.stage === stage && own.entity === entity)
      .sort((a, b) => a.block - b.block);
  }
}

function keyOf(stage: number, entity: number, block: number): string {
  return `${stage} ${entity} ${block}`;
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
