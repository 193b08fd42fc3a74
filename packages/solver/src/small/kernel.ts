import { grown, type SparseRows } from "./sparse-rows.js";

/** A pivot below this is taken for 0. */
const LEAST_PIVOT = 1e-9;
/** A pivot may be this part of the largest one in its column, if its row has fewer entries. */
const PIVOT_THRESHOLD = 0.1;
export const NOWHERE = -1;

/**
 * The kernel of a basis, and its inverse: the rows that are at a bound, restricted to the columns that are basic. There are as many of the
 * one as of the other. All other rows are loose: their slacks are basic, and so they add nothing to the inverse that could not be had from the
 * kernel's. A program with hundreds of cuts has few that are at a bound, so its kernel stays small.
 */
export class Kernel {
  size = 0;
  /** The basic columns, by their positions in the kernel. */
  columns = new Int32Array(0);
  /** The rows at a bound, by their positions. */
  rows = new Int32Array(0);
  /** For each column, its position, or `NOWHERE`. */
  readonly columnPlace: Int32Array;
  /** The inverse: its rows belong to the positions of columns, its columns to the positions of rows. */
  inverse = new Float64Array(0);
  /** From one row of the inverse to the next. */
  stride = 0;
  /** How often the inverse has been changed since it was computed. */
  updates = 0;
  /** By the positions of rows: what has to be solved for. */
  rightSide = new Float64Array(0);
  /** By the positions of rows: a row times the inverse. */
  combination = new Float64Array(0);
  /** By the positions of columns: the inverse times a column. */
  direction = new Float64Array(0);
  private work = new Float64Array(0);
  private entries = new Int32Array(0);
  private rowOf = new Int32Array(0);
  private columnOf = new Int32Array(0);
  private order = new Int32Array(0);
  private nonzeros = new Int32Array(0);

  constructor(columns: number) {
    this.columnPlace = new Int32Array(columns).fill(NOWHERE);
  }

  /** Forgets everything. */
  clear(): void {
    this.size = 0;
    this.columnPlace.fill(NOWHERE);
  }

  /** Puts a column and a row at the next position. The inverse has to be computed after that. */
  push(column: number, row: number): void {
    this.reserve(this.size + 1);
    this.columns[this.size] = column;
    this.rows[this.size] = row;
    this.columnPlace[column] = this.size++;
  }

  /** Computes the inverse by exchanging one column after the other for a row. Returns whether there is one. */
  invert({ starts, indices, values }: SparseRows): boolean {
    const { size, columnPlace, work, entries, rowOf, columnOf } = this;
    work.fill(0, 0, size * size);
    entries.fill(0, 0, size);
    for (let t = 0; t < size; t++) {
      const row = this.rows[t];
      for (let e = starts[row]; e < starts[row + 1]; e++) {
        const s = columnPlace[indices[e]];
        if (s === NOWHERE) continue;
        work[t * size + s] = values[e];
        entries[s]++;
      }
    }
    rowOf.fill(NOWHERE, 0, size);
    columnOf.fill(NOWHERE, 0, size);
    for (const s of this.columnsByEntries()) {
      const t = this.choosePivot(s);
      if (t === NOWHERE) return false;
      rowOf[s] = t;
      columnOf[t] = s;
      this.exchange(t, s);
    }
    const { inverse, stride } = this;
    for (let t = 0; t < size; t++) {
      const at = columnOf[t] * stride;
      for (let s = 0; s < size; s++) inverse[at + rowOf[s]] = work[t * size + s];
    }
    this.updates = 0;
    return true;
  }

  /** Columns with few entries first, because they fill in little. */
  private columnsByEntries(): Int32Array {
    const { size, entries } = this;
    const order = this.order.subarray(0, size);
    for (let i = 0; i < size; i++) {
      let at = i;
      for (; at > 0 && entries[order[at - 1]] > entries[i]; at--) order[at] = order[at - 1];
      order[at] = i;
    }
    return order;
  }

  private choosePivot(s: number): number {
    const { size, work, columnOf } = this;
    let largest = LEAST_PIVOT;
    let chosen = NOWHERE;
    for (let t = 0; t < size; t++) {
      const pivot = Math.abs(work[t * size + s]);
      if (columnOf[t] === NOWHERE && pivot > largest) {
        largest = pivot;
        chosen = t;
      }
    }
    if (chosen === NOWHERE) return NOWHERE;
    let fewest = this.entriesOf(chosen);
    for (let t = 0; t < size; t++) {
      const pivot = Math.abs(work[t * size + s]);
      if (columnOf[t] !== NOWHERE || pivot < PIVOT_THRESHOLD * largest) continue;
      const count = this.entriesOf(t);
      if (count < fewest) {
        fewest = count;
        chosen = t;
      }
    }
    return chosen;
  }

  private entriesOf(t: number): number {
    const { size, work } = this;
    let count = 0;
    for (let s = 0; s < size; s++) if (work[t * size + s] !== 0) count++;
    return count;
  }

  /** Solves row `t` for column `s` and puts the result into the other rows. */
  private exchange(t: number, s: number): void {
    const { size, work, nonzeros } = this;
    const at = t * size;
    const pivot = work[at + s];
    let count = 0;
    for (let j = 0; j < size; j++) {
      if (j === s || work[at + j] === 0) continue;
      work[at + j] /= -pivot;
      nonzeros[count++] = j;
    }
    for (let i = 0; i < size; i++) {
      const factor = work[i * size + s];
      if (i === t || factor === 0) continue;
      for (let e = 0; e < count; e++) {
        const j = nonzeros[e];
        work[i * size + j] += factor * work[at + j];
      }
      work[i * size + s] = factor / pivot;
    }
    work[at + s] = 1 / pivot;
  }

  /** `column`, to which `direction` belongs, becomes basic instead of the one at position `s`. */
  replaceColumn(s: number, column: number): void {
    const { size, inverse, stride, direction } = this;
    const pivot = direction[s];
    const at = s * stride;
    for (let j = 0; j < size; j++) inverse[at + j] /= pivot;
    for (let i = 0; i < size; i++) if (i !== s) this.addRow(i, at, -direction[i]);
    this.columnPlace[this.columns[s]] = NOWHERE;
    this.columns[s] = column;
    this.columnPlace[column] = s;
    this.updates++;
  }

  /** The column at position `s` is no longer basic, and the row at position `t` is loose. */
  removePair(s: number, t: number): void {
    const { inverse, stride, columns, rows } = this;
    const at = s * stride;
    const pivot = inverse[at + t];
    for (let i = 0; i < this.size; i++) {
      if (i !== s) this.addRow(i, at, -inverse[i * stride + t] / pivot);
    }
    const last = --this.size;
    this.columnPlace[columns[s]] = NOWHERE;
    if (s !== last) {
      inverse.copyWithin(at, last * stride, last * stride + last + 1);
      columns[s] = columns[last];
      this.columnPlace[columns[s]] = s;
    }
    if (t !== last) {
      for (let i = 0; i < last; i++) inverse[i * stride + t] = inverse[i * stride + last];
      rows[t] = rows[last];
    }
    this.updates++;
  }

  /**
   * `column`, to which `direction` belongs, becomes basic, and `row`, to which `combination` belongs, is at a bound. `pivot` is the entry of both less
   * the one times the other.
   */
  addPair(column: number, row: number, pivot: number): void {
    const { direction, combination } = this;
    this.push(column, row);
    const { inverse, stride } = this;
    const last = this.size - 1;
    const at = last * stride;
    for (let j = 0; j < last; j++) inverse[at + j] = -combination[j] / pivot;
    inverse[at + last] = 0;
    for (let i = 0; i < last; i++) {
      this.addRow(i, at, -direction[i]);
      inverse[i * stride + last] = -direction[i] / pivot;
    }
    inverse[at + last] = 1 / pivot;
    this.updates++;
  }

  /** `row`, to which `combination` belongs, is at a bound instead of the one at position `t`, which is loose then. */
  replaceRow(t: number, row: number): void {
    const { size, inverse, stride, combination } = this;
    const pivot = combination[t];
    for (let i = 0; i < size; i++) {
      const at = i * stride;
      const value = inverse[at + t];
      if (value === 0) continue;
      const share = value / pivot;
      for (let j = 0; j < size; j++) inverse[at + j] -= share * combination[j];
      inverse[at + t] = share;
    }
    this.rows[t] = row;
    this.updates++;
  }

  /** Adds `factor` times the row of the inverse at `from` to row `i`. */
  private addRow(i: number, from: number, factor: number): void {
    if (factor === 0) return;
    const { size, inverse, stride } = this;
    const at = i * stride;
    for (let j = 0; j < size; j++) inverse[at + j] += factor * inverse[from + j];
  }

  private reserve(size: number): void {
    if (size <= this.stride) return;
    const stride = Math.max(size, 2 * this.stride, 16);
    const inverse = new Float64Array(stride * stride);
    for (let i = 0; i < this.size; i++) {
      const from = i * this.stride;
      inverse.set(this.inverse.subarray(from, from + this.size), i * stride);
    }
    this.inverse = inverse;
    this.stride = stride;
    this.columns = grown(this.columns, new Int32Array(stride));
    this.rows = grown(this.rows, new Int32Array(stride));
    this.rightSide = new Float64Array(stride);
    this.combination = new Float64Array(stride);
    this.direction = new Float64Array(stride);
    this.work = new Float64Array(stride * stride);
    this.entries = new Int32Array(stride);
    this.rowOf = new Int32Array(stride);
    this.columnOf = new Int32Array(stride);
    this.order = new Int32Array(stride);
    this.nonzeros = new Int32Array(stride);
  }
}
