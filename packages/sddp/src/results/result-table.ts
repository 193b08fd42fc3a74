import type { NumberColumn, NumberTableSpec } from "@cobre/io";

/** A column of recorded numbers; NaN stands for a missing one. */
export interface RecordedColumn extends NumberColumn {
  readonly data: Float64Array;
}

/** Whether the rows of a stage are listed entity by entity, or block by block. */
export type RowOrder = "by entity" | "by block";

/**
 * A table of results, column by column in typed arrays. The rows of a stage are opened by {@link begin}; then components fill in what they
 * know. What nobody fills in is missing if the column allows that, and else 0.
 *
 * @example
 * ```ts
 * const thermals = new ResultTable(THERMALS, rows, "by block");
 * thermals.begin(plants, blocks);
 * thermals.set("generation_mw", (plant, block) => generation[plant * blocks + block]);
 *
 * const [mw, mwh] = [thermals.column("generation_mw"), thermals.column("generation_mwh")];
 * thermals.each((row, plant, block) => {
 *   mw[row] = generation[plant * blocks + block];
 *   mwh[row] = mw[row] * hours[block];
 * });
 * ```
 */
export class ResultTable<S extends NumberTableSpec> {
  private readonly spec: S;
  private readonly order: RowOrder;
  private readonly capacity: number;
  /** The columns of the table that this one is a copy of. They are shared until something is filled in. */
  private readonly shared: ReadonlyMap<keyof S, Float64Array> | undefined;
  private readonly own: Map<keyof S, Float64Array>;
  private first = 0;
  private end = 0;
  private entities = 0;
  private blocks = 0;

  /** @param capacity the number of rows of all stages together */
  constructor(spec: S, capacity: number, order: RowOrder, from?: ResultTable<S>) {
    this.spec = spec;
    this.order = order;
    this.capacity = capacity;
    this.shared = from?.shared ? new Map([...from.shared, ...from.own]) : from?.own;
    this.own = new Map();
    if (from !== undefined) return;
    for (const [name, { isNullable }] of Object.entries(spec)) {
      this.own.set(name, new Float64Array(capacity).fill(isNullable ? Number.NaN : 0));
    }
  }

  /**
   * A table with the same values, of which no row is open yet. A column that is not filled in stays the very same array, so that whoever
   * writes many copies need not encode it again. Nothing may be filled into this table afterwards.
   */
  copy(): ResultTable<S> {
    return new ResultTable(this.spec, this.capacity, this.order, this);
  }

  /** Opens the rows of a stage: one for each entity and block. */
  begin(entities: number, blocks: number): void {
    this.first = this.end;
    this.entities = entities;
    this.blocks = blocks;
    this.end += entities * blocks;
  }

  /** Fills a column in the rows of the stage. */
  set(name: keyof S, value: (entity: number, block: number) => number): void {
    const values = this.column(name);
    const { first, entities, blocks } = this;
    const [perEntity, perBlock] = this.order === "by entity" ? [blocks, 1] : [1, entities];
    for (let entity = 0; entity < entities; entity++) {
      for (let block = 0; block < blocks; block++) {
        values[first + entity * perEntity + block * perBlock] = value(entity, block);
      }
    }
  }

  /** Fills a column in the only row of the stage. */
  put(name: keyof S, value: number): void {
    this.column(name)[this.first] = value;
  }

  /** Visits the rows of the stage. With {@link column}, it fills several columns at once, which is faster where there are many rows. */
  each(visit: (row: number, entity: number, block: number) => void): void {
    const { first, entities, blocks } = this;
    const [perEntity, perBlock] = this.order === "by entity" ? [blocks, 1] : [1, entities];
    for (let entity = 0; entity < entities; entity++) {
      for (let block = 0; block < blocks; block++) {
        visit(first + entity * perEntity + block * perBlock, entity, block);
      }
    }
  }

  /** The values of a column in all rows, to be filled in. */
  column(name: keyof S): Float64Array {
    return this.own.get(name) ?? this.unshare(name);
  }

  private unshare(name: keyof S): Float64Array {
    const values = new Float64Array(this.shared?.get(name) as Float64Array); // copies it
    this.own.set(name, values);
    return values;
  }

  columns(): RecordedColumn[] {
    return Object.entries(this.spec).map(([name, { type, isNullable }]) => ({
      name,
      type,
      isNullable,
      data: (this.own.get(name) ?? this.shared?.get(name)) as Float64Array,
    }));
  }
}
