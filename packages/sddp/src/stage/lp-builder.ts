import type { LpData } from "@cobre/solver";

/** Collects columns and rows of a linear program one by one. */
export class LpBuilder {
  private readonly cost: number[] = [];
  private readonly columnLower: number[] = [];
  private readonly columnUpper: number[] = [];
  private readonly rowLower: number[] = [];
  private readonly rowUpper: number[] = [];
  private readonly starts: number[] = [0];
  private readonly indices: number[] = [];
  private readonly values: number[] = [];

  get columns(): number {
    return this.cost.length;
  }

  get rows(): number {
    return this.rowLower.length;
  }

  /** Adds a column and returns its index. */
  column(cost: number, lower = 0, upper = Number.POSITIVE_INFINITY): number {
    this.cost.push(cost);
    this.columnLower.push(lower);
    this.columnUpper.push(upper);
    return this.cost.length - 1;
  }

  /** Adds a row of (column, value) pairs and returns its index; columns of index -1 are not there. */
  row(lower: number, upper: number, entries: readonly (readonly [number, number])[]): number {
    for (const [column, value] of entries) {
      if (column < 0 || value === 0) continue;
      this.indices.push(column);
      this.values.push(value);
    }
    this.rowLower.push(lower);
    this.rowUpper.push(upper);
    this.starts.push(this.indices.length);
    return this.rowLower.length - 1;
  }

  build(): LpData {
    return {
      cost: Float64Array.from(this.cost),
      columnLower: Float64Array.from(this.columnLower),
      columnUpper: Float64Array.from(this.columnUpper),
      rows: {
        lower: Float64Array.from(this.rowLower),
        upper: Float64Array.from(this.rowUpper),
        starts: Int32Array.from(this.starts),
        indices: Int32Array.from(this.indices),
        values: Float64Array.from(this.values),
      },
    };
  }
}
