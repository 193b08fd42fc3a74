import {
  type Basis,
  BasisState,
  type LinearProgram,
  type LpSolution,
  type RowData,
} from "@cobre/solver";
import type { CutPool } from "./cut-pool.js";

/** Where a program keeps its state and its future cost. */
export interface CutColumns {
  readonly theta: number;
  /** The column of each component of the state at the end of the stage. */
  readonly outgoing: Int32Array;
  /** For each component, the index of its column among the known ones, or -1. Without it, none is known. */
  readonly outgoingKnown?: Int32Array;
  /** The index of each component of the state at the start of the stage among the known columns. */
  readonly stateKnown?: Int32Array;
}

const NO_ROW = -1;
const NOT_KNOWN = -1;

/**
 * The cuts that are rows of a program. A cut is known by its slot in the pool, whether it has a row or not. Bases are stored by slot: after
 * the program's own rows, one state for each slot. A cut without a row counts as basic, which is what its row would be if it were added.
 *
 * Components of the state whose columns are known, as past inflows are, have no entries in the rows: what they add is part of the right side. With
 * many lags most of a cut is known, and a row would be several times as long.
 */
export class CutRows {
  /** The number of rows before the cuts. */
  private readonly structural: number;
  private readonly program: LinearProgram;
  private readonly columns: CutColumns;
  /** The components whose columns are not known. */
  private readonly movable: Int32Array;
  /** The components whose columns are known. */
  private readonly held: Int32Array;
  /** For each of these, the index of its column among the known ones. */
  private readonly heldKnown: Int32Array;
  /** The values of all known columns. */
  private readonly known: Float64Array;
  private pool: CutPool | undefined;
  /** Arrays that are used again and again. */
  private lower = new Float64Array(0);
  private upper = new Float64Array(0);
  private whole = new Float64Array(0);
  /** For each cut row, its slot. */
  private slots: Int32Array = new Int32Array(0);
  /** For each slot, its row, or -1. */
  private rows: Int32Array = new Int32Array(0);
  /** Whether every slot has a row, in the order of the slots, so that both kinds of basis are the same. */
  private isPlain = true;

  /** @param known the values of the known columns; {@link settle} is to be called when they have changed */
  constructor(
    program: LinearProgram,
    columns: CutColumns,
    known: Float64Array = new Float64Array(0),
  ) {
    this.program = program;
    this.columns = columns;
    this.structural = program.rows;
    this.known = known;
    const { outgoing, outgoingKnown = outgoing.map(() => NOT_KNOWN) } = columns;
    const all = outgoing.map((_, i) => i);
    this.movable = all.filter((i) => outgoingKnown[i] === NOT_KNOWN);
    this.held = all.filter((i) => outgoingKnown[i] !== NOT_KNOWN);
    this.heldKnown = this.held.map((i) => outgoingKnown[i]);
  }

  /** How many slots have been seen. */
  get seen(): number {
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
    this.pool = pool;
    if (entering.length > 0) this.program.addRows(this.rowsOf(pool, entering));
    this.place(wanted, pool.count);
  }

  /** Brings the right sides up to date with the known values. */
  settle(): void {
    const { pool, slots, held, known, heldKnown } = this;
    if (pool === undefined || held.length === 0 || slots.length === 0) return;
    if (this.upper.length < slots.length) {
      this.lower = new Float64Array(2 * slots.length);
      this.upper = new Float64Array(2 * slots.length).fill(Number.POSITIVE_INFINITY);
    }
    const { lower, upper } = this;
    for (let row = 0; row < slots.length; row++) {
      lower[row] = pool.partialHeight(slots[row], held, known, heldKnown);
    }
    const { length } = slots;
    this.program.setRowBounds(
      this.structural,
      lower.subarray(0, length),
      upper.subarray(0, length),
    );
  }

  /**
   * The reduced costs of a solution as they would be if known columns had entries in the rows. The solution is not changed; the result is valid until
   * the next call.
   */
  reducedCosts(solution: LpSolution): Float64Array {
    const { pool, slots, held, structural } = this;
    const { reducedCosts } = solution;
    if (pool === undefined || held.length === 0 || slots.length === 0) return reducedCosts;
    const { outgoing } = this.columns;
    if (this.whole.length < reducedCosts.length) this.whole = new Float64Array(reducedCosts.length);
    const { whole } = this;
    whole.set(reducedCosts);
    const prices = solution.duals;
    for (let row = 0; row < slots.length; row++) {
      const price = prices[structural + row];
      if (price === 0) continue;
      const values = pool.valuesOf(slots[row]);
      for (const i of held) whole[outgoing[i]] += price * values[1 + i];
    }
    return whole;
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
    return this.structural + this.seen;
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

  /** θ - coefficients · movable state ≥ intercept + coefficients · known state */
  private rowsOf(pool: CutPool, slots: Int32Array): RowData {
    const { movable, held, known, heldKnown } = this;
    const { theta, outgoing } = this.columns;
    const count = slots.length;
    const lower = new Float64Array(count);
    const upper = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const starts = new Int32Array(count + 1);
    const indices = new Int32Array(count * (1 + movable.length));
    const coefficients = new Float64Array(indices.length);
    let length = 0;
    for (let row = 0; row < count; row++) {
      const values = pool.valuesOf(slots[row]);
      lower[row] = pool.partialHeight(slots[row], held, known, heldKnown);
      indices[length] = theta;
      coefficients[length++] = 1;
      for (const i of movable) {
        if (values[1 + i] === 0) continue;
        indices[length] = outgoing[i];
        coefficients[length++] = -values[1 + i];
      }
      starts[row + 1] = length;
    }
    return {
      lower,
      upper,
      starts,
      indices: indices.subarray(0, length),
      values: coefficients.subarray(0, length),
    };
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
