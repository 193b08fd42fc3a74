import { type Basis, BasisState, type LinearProgram, type RowData } from "@cobre/solver";
import type { CutPool } from "./cut-pool.js";

/** Where a program keeps its state and its future cost. */
export interface CutColumns {
  readonly theta: number;
  /** The column of each component of the state at the end of the stage. */
  readonly outgoing: Int32Array;
}

const NO_ROW = -1;

/**
 * The cuts that are rows of a program. A cut is known by its slot in the pool, whether it has a row or not. Bases are stored by slot: after
 * the program's own rows, one state for each slot. A cut without a row counts as basic, which is what its row would be if it were added.
 */
export class CutRows {
  /** The number of rows before the cuts. */
  private readonly structural: number;
  private readonly program: LinearProgram;
  private readonly columns: CutColumns;
  /** For each cut row, its slot, in the order of the rows. */
  private slots: Int32Array = new Int32Array(0);
  /** For each slot, its row, or -1. */
  private rows: Int32Array = new Int32Array(0);
  /** Whether every slot has a row, in the order of the slots, so that both kinds of basis are the same. */
  private isPlain = true;

  constructor(program: LinearProgram, columns: CutColumns) {
    this.program = program;
    this.columns = columns;
    this.structural = program.rows;
  }

  /** How many slots have been seen. */
  get known(): number {
    return this.rows.length;
  }

  /** How many cuts have a row. */
  get active(): number {
    return this.slots.length;
  }

  isActive(slot: number): boolean {
    return (this.rows[slot] ?? NO_ROW) !== NO_ROW;
  }

  /** Adds rows for the slots of the pool that have not been seen yet. */
  addNew(pool: CutPool): void {
    const first = this.known;
    if (first === pool.count) return;
    this.show(
      pool,
      Int32Array.from({ length: pool.count - first }, (_, i) => first + i),
    );
  }

  /** Adds rows for cuts that have none. */
  show(pool: CutPool, slots: Int32Array): void {
    const absent = slots.filter((slot) => !this.isActive(slot));
    if (absent.length === 0) return;
    this.program.addRows(cutRows(pool, absent, this.columns));
    const all = new Int32Array(this.slots.length + absent.length);
    all.set(this.slots);
    all.set(absent, this.slots.length);
    this.place(all, Math.max(this.known, pool.count));
  }

  /** Removes the rows of cuts. The cuts stay in the pool and can be shown again. */
  hide(slots: Int32Array): void {
    const leaving = new Set(slots.filter((slot) => this.isActive(slot)));
    if (leaving.size === 0) return;
    const rows = Int32Array.from(leaving, (slot) => this.rows[slot]).sort();
    this.program.deleteRows(rows);
    this.place(
      this.slots.filter((slot) => !leaving.has(slot)),
      this.known,
    );
  }

  /** The names of the cut rows, in the order of the rows. */
  names(): string[] {
    return Array.from(this.slots, (slot) => `cut_${slot}`);
  }

  /** The number of row states in a stored basis. */
  get storedRows(): number {
    return this.structural + this.known;
  }

  /** A basis of the program as it is stored: by slot. */
  stored({ columns, rows }: Basis): Basis {
    if (this.isPlain) return { columns, rows };
    const bySlot = new Uint8Array(this.storedRows).fill(BasisState.basic);
    bySlot.set(rows.subarray(0, this.structural));
    this.slots.forEach((slot, i) => {
      bySlot[this.structural + slot] = rows[this.structural + i];
    });
    return { columns, rows: bySlot };
  }

  /** A stored basis as the program takes it: by row. Slots that the basis does not know are basic. */
  forProgram({ columns, rows }: Basis): Basis {
    if (this.isPlain) return { columns, rows };
    const byRow = new Uint8Array(this.structural + this.active).fill(BasisState.basic);
    byRow.set(rows.subarray(0, this.structural));
    this.slots.forEach((slot, i) => {
      byRow[this.structural + i] = rows[this.structural + slot] ?? BasisState.basic;
    });
    return { columns, rows: byRow };
  }

  private place(slots: Int32Array, known: number): void {
    this.slots = slots;
    this.rows = new Int32Array(known).fill(NO_ROW);
    this.isPlain = slots.length === known;
    slots.forEach((slot, i) => {
      this.rows[slot] = this.structural + i;
      if (slot !== i) this.isPlain = false;
    });
  }
}

/** θ - coefficients · state ≥ intercept */
function cutRows(pool: CutPool, slots: Int32Array, { theta, outgoing }: CutColumns): RowData {
  const width = 1 + pool.dimension;
  const count = slots.length;
  const lower = new Float64Array(count);
  const upper = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const starts = new Int32Array(count + 1);
  const indices = new Int32Array(count * width);
  const values = new Float64Array(count * width);
  let length = 0;
  slots.forEach((slot, row) => {
    lower[row] = pool.intercept(slot);
    indices[length] = theta;
    values[length++] = 1;
    for (let i = 0; i < pool.dimension; i++) {
      const coefficient = pool.coefficient(slot, i);
      if (coefficient === 0) continue;
      indices[length] = outgoing[i];
      values[length++] = -coefficient;
    }
    starts[row + 1] = length;
  });
  return {
    lower,
    upper,
    starts,
    indices: indices.subarray(0, length),
    values: values.subarray(0, length),
  };
}
