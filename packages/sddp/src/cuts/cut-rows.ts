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
  /** For each cut row, its slot. */
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

  /** The slots that have a row, in the order of the rows. */
  get shown(): Int32Array {
    return this.slots;
  }

  /**
   * Makes the rows those of the active cuts of the pool, in the order of their slots, so that the program is the same however it came about.
   * Cuts that leave stay in the pool and can come back.
   */
  follow(pool: CutPool): void {
    this.show(pool, activeSlots(pool));
  }

  /** Makes the rows those of these slots, in this order. */
  show(pool: CutPool, wanted: Int32Array): void {
    // A row is added at the end only: those that would stand before it make room and come back behind it.
    let staying = 0;
    const leaving: number[] = [];
    this.slots.forEach((slot, i) => {
      if (slot === wanted[staying]) staying++;
      else leaving.push(this.structural + i);
    });
    if (leaving.length > 0) this.program.deleteRows(Int32Array.from(leaving));
    const entering = wanted.subarray(staying);
    if (entering.length > 0) this.program.addRows(cutRows(pool, entering, this.columns));
    this.place(wanted, pool.count);
  }

  /** Adds the rows of these slots after the others. */
  append(pool: CutPool, slots: Int32Array): void {
    const all = new Int32Array(this.slots.length + slots.length);
    all.set(this.slots);
    all.set(slots, this.slots.length);
    this.show(pool, all);
  }

  /** Whether the row of a slot would be at a bound in a stored basis. */
  isTight({ rows }: Basis, slot: number): boolean {
    return (rows[this.structural + slot] ?? BasisState.basic) !== BasisState.basic;
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
    if (known === this.rows.length) for (const slot of this.slots) this.rows[slot] = NO_ROW;
    else this.rows = new Int32Array(known).fill(NO_ROW);
    this.slots = slots;
    this.isPlain = slots.length === known;
    for (let i = 0; i < slots.length; i++) {
      this.rows[slots[i]] = this.structural + i;
      if (slots[i] !== i) this.isPlain = false;
    }
  }
}

function activeSlots(pool: CutPool): Int32Array {
  const slots = new Int32Array(pool.active);
  let next = 0;
  for (let slot = 0; slot < pool.count; slot++) if (pool.isActive(slot)) slots[next++] = slot;
  return slots;
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
