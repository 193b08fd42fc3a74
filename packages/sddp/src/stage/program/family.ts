/** A family of columns: one for each entity and block, or one for each entity. An entity may have none. */
export class Family {
  readonly name: string;
  /** The number of columns per entity. */
  readonly blocks: number;
  /** [entity · blocks + block]; -1 where there is no column. */
  readonly columns: Int32Array;

  constructor(name: string, blocks: number, columns: Int32Array) {
    this.name = name;
    this.blocks = blocks;
    this.columns = columns;
  }

  /** Whether no entity has a column. */
  get isEmpty(): boolean {
    return this.columns.every((column) => column < 0);
  }

  /** The column of an entity in a block, or -1. */
  column(entity: number, block = 0): number {
    return this.columns[entity * this.blocks + block];
  }

  /** The value of an entity in a block: 0 where there is no column. */
  value(primal: Float64Array, entity: number, block = 0): number {
    const column = this.columns[entity * this.blocks + block];
    return column < 0 ? 0 : primal[column];
  }
}

/** A family of rows, one for each entity and block. */
export class RowFamily {
  readonly name: string;
  readonly blocks: number;
  /** The first row. The others follow, entity by entity. */
  readonly first: number;
  readonly count: number;

  constructor(name: string, blocks: number, first: number, count: number) {
    this.name = name;
    this.blocks = blocks;
    this.first = first;
    this.count = count;
  }

  row(entity: number, block = 0): number {
    return this.first + entity * this.blocks + block;
  }
}
