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
 * ```
 */
export class ResultTable<S extends NumberTableSpec> {
  private readonly spec: S;
  private readonly order: RowOrder;
  private readonly capacity: number;
  private readonly values: ReadonlyMap<keyof S, Float64Array>;
  private first = 0;
  private end = 0;
  private entities = 0;
  private blocks = 0;

  /** @param capacity the number of rows of all stages together */
  constructor(spec: S, capacity: number, order: RowOrder, from?: ResultTable<S>) {
    this.spec = spec;
    this.order = order;
    this.capacity = capacity;
    this.values = new Map(
      Object.entries(spec).map(([name, { isNullable }]) => [
        name,
        from?.values.get(name)?.slice() ??
          new Float64Array(capacity).fill(isNullable ? Number.NaN : 0),
      ]),
    );
  }

  /** A table with the same values, of which no row is open yet. */
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
    const values = this.values.get(name) as Float64Array;
    const { first, entities, blocks } = this;
    const isByEntity = this.order === "by entity";
    const perEntity = isByEntity ? blocks : 1;
    const perBlock = isByEntity ? 1 : entities;
    for (let entity = 0; entity < entities; entity++) {
      for (let block = 0; block < blocks; block++) {
        values[first + entity * perEntity + block * perBlock] = value(entity, block);
      }
    }
  }

  columns(): RecordedColumn[] {
    return Object.entries(this.spec).map(([name, { type, isNullable }]) => ({
      name,
      type,
      isNullable,
      data: this.values.get(name) as Float64Array,
    }));
  }
}
