import type { RowData } from "../linear-program.js";

/**
 * The rows of a program, in arrays that have room for more. Entries of a row follow each other: first those of columns that can move, then those of
 * columns that are fixed. The latter matter once a solve, not once an iteration.
 */
export class SparseRows {
  count = 0;
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  /** Where the entries of each row begin, and where those of the last row end. */
  starts = new Int32Array(1);
  /** Where the entries of fixed columns begin in each row. */
  mids = new Int32Array(0);
  indices = new Int32Array(0);
  values = new Float64Array(0);

  /** Whether each column is fixed, in the eyes of whoever owns the rows. */
  private readonly isFixed: Uint8Array;

  constructor(rows: RowData, isFixed: Uint8Array) {
    this.isFixed = isFixed;
    this.add(rows);
  }

  /** Adds rows after the others. */
  add(rows: RowData): void {
    const { count } = this;
    const entries = this.starts[count];
    this.reserve(count + rows.lower.length, entries + rows.indices.length);
    this.lower.set(rows.lower, count);
    this.upper.set(rows.upper, count);
    this.indices.set(rows.indices, entries);
    this.values.set(rows.values, entries);
    for (let i = 0; i < rows.lower.length; i++) {
      this.starts[count + i + 1] = entries + rows.starts[i + 1];
    }
    this.count += rows.lower.length;
    this.divide(count);
  }

  /**
   * Sorts the entries of the rows from `first` on: those that can move, then those that are fixed, each by column. So the order in which they are
   * added up does not depend on what was fixed before.
   */
  divide(first = 0): void {
    const { starts, mids, indices, values, isFixed } = this;
    for (let row = first; row < this.count; row++) {
      const start = starts[row];
      let movable = 0;
      for (let e = start; e < starts[row + 1]; e++) {
        const column = indices[e];
        const value = values[e];
        const fixed = isFixed[column];
        if (fixed === 0) movable++;
        let at = e;
        for (; at > start; at--) {
          const before = indices[at - 1];
          if (isFixed[before] < fixed || (isFixed[before] === fixed && before < column)) break;
          indices[at] = before;
          values[at] = values[at - 1];
        }
        indices[at] = column;
        values[at] = value;
      }
      mids[row] = start + movable;
    }
  }

  /** Removes rows, whose indices increase. The rows after them move up. */
  remove(removed: Int32Array): void {
    const { lower, upper, starts, mids, indices, values } = this;
    let next = 0;
    let kept = removed.length === 0 ? this.count : removed[0];
    let entries = starts[kept];
    for (let row = kept; row < this.count; row++) {
      if (row === removed[next]) {
        next++;
        continue;
      }
      const [from, to] = [starts[row], starts[row + 1]];
      indices.copyWithin(entries, from, to);
      values.copyWithin(entries, from, to);
      lower[kept] = lower[row];
      upper[kept] = upper[row];
      mids[kept] = entries + mids[row] - from;
      entries += to - from;
      starts[++kept] = entries;
    }
    this.count = kept;
  }

  /** A copy. The columns of each row increase. */
  data(): RowData {
    const { count, starts } = this;
    const indices = this.indices.slice(0, starts[count]);
    const values = new Float64Array(starts[count]);
    const byColumn = new Map<number, number>();
    for (let row = 0; row < count; row++) {
      for (let e = starts[row]; e < starts[row + 1]; e++) {
        byColumn.set(this.indices[e], this.values[e]);
      }
      const columns = indices.subarray(starts[row], starts[row + 1]).sort();
      columns.forEach((column, i) => {
        values[starts[row] + i] = byColumn.get(column) as number;
      });
    }
    return {
      lower: this.lower.slice(0, count),
      upper: this.upper.slice(0, count),
      starts: starts.slice(0, count + 1),
      indices,
      values,
    };
  }

  private reserve(rows: number, entries: number): void {
    if (rows > this.lower.length) {
      const room = Math.max(rows, 2 * this.lower.length);
      this.lower = grown(this.lower, new Float64Array(room));
      this.upper = grown(this.upper, new Float64Array(room));
      this.starts = grown(this.starts, new Int32Array(room + 1));
      this.mids = grown(this.mids, new Int32Array(room));
    }
    if (entries > this.indices.length) {
      const room = Math.max(entries, 2 * this.indices.length);
      this.indices = grown(this.indices, new Int32Array(room));
      this.values = grown(this.values, new Float64Array(room));
    }
  }
}

/** `larger`, which begins with what `array` holds. */
export function grown<A extends Float64Array | Int32Array | Uint8Array>(array: A, larger: A): A {
  larger.set(array);
  return larger;
}
