import { BasisState, type LpData, type RowData } from "../linear-program.js";
import { Kernel } from "./kernel.js";
import { grown, SparseRows } from "./sparse-rows.js";

/** A program can grow by rows. Beyond this size its kernel has no inverse here. */
const LARGEST_KERNEL = 400;

/** A small program with its basis, and the values that belong to the basis. */
export class WorkingProgram {
  readonly columns: number;
  readonly rows: SparseRows;
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The state of each column in the basis. */
  readonly columnState: Uint8Array;
  /** The state of each row. */
  rowState = new Uint8Array(0);
  readonly kernel: Kernel;
  readonly primal: Float64Array;
  readonly reducedCosts: Float64Array;
  /** Σ a · x of each row. */
  activities = new Float64Array(0);
  duals = new Float64Array(0);
  /** What fixed columns add to the activity of each row. */
  constants = new Float64Array(0);
  /** Which columns cannot move in this solve. */
  private readonly isFixed: Uint8Array;
  /** Whether the kernel's inverse is that of the basis. */
  private isInverted = false;
  /** Whether the reduced costs and duals are those of the basis. */
  hasDuals = false;

  /** It begins with the basis of all slacks. */
  constructor({ cost, columnLower, columnUpper, rows }: LpData) {
    this.columns = cost.length;
    this.cost = cost.slice();
    this.lower = columnLower.slice();
    this.upper = columnUpper.slice();
    this.columnState = new Uint8Array(this.columns).fill(BasisState.lower);
    this.kernel = new Kernel(this.columns);
    this.primal = new Float64Array(this.columns);
    this.reducedCosts = new Float64Array(this.columns);
    this.isFixed = new Uint8Array(this.columns);
    this.rows = new SparseRows(rows, this.isFixed);
    this.reserveRows(0);
  }

  /** Adds rows, whose slacks are basic. So the inverse and the duals stay what they are. */
  addRows(rows: RowData): void {
    const first = this.rows.count;
    this.rows.add(rows);
    this.reserveRows(first);
  }

  /** Removes rows, whose indices increase. */
  removeRows(removed: Int32Array): void {
    const { rowState, rows } = this;
    let next = 0;
    let kept = 0;
    for (let row = 0; row < rows.count; row++) {
      if (row === removed[next]) next++;
      else rowState[kept++] = rowState[row];
    }
    rows.remove(removed);
    this.forgetInverse();
  }

  /** The basis gets these states. Rows beyond them are basic. */
  setBasis(columns: Uint8Array, rows: Uint8Array): void {
    this.columnState.set(columns);
    this.rowState.set(rows);
    this.rowState.fill(BasisState.basic, rows.length, this.rows.count);
    this.forgetInverse();
  }

  forgetInverse(): void {
    this.isInverted = false;
    this.hasDuals = false;
  }

  /** Whether a lower bound exceeds an upper one. */
  get hasCrossedBounds(): boolean {
    const { lower, upper, rows } = this;
    for (let j = 0; j < this.columns; j++) if (lower[j] > upper[j]) return true;
    for (let i = 0; i < rows.count; i++) if (rows.lower[i] > rows.upper[i]) return true;
    return false;
  }

  /** Finds out which columns cannot move in this solve. */
  divideRows(): void {
    const { isFixed, lower, upper, columnState } = this;
    let hasChanged = false;
    for (let j = 0; j < this.columns; j++) {
      const fixed = lower[j] === upper[j] && columnState[j] !== BasisState.basic ? 1 : 0;
      if (isFixed[j] === fixed) continue;
      isFixed[j] = fixed;
      hasChanged = true;
    }
    if (hasChanged) this.rows.divide();
  }

  /** Has the inverse of the basis, if there is one. */
  ensureInverse(): boolean {
    return this.isInverted || this.invert();
  }

  /** Computes the inverse of the basis anew. Returns whether there is one. */
  invert(): boolean {
    const { kernel, columnState, rowState, rows } = this;
    kernel.clear();
    this.isInverted = false;
    let row = 0;
    const nextTight = () => {
      while (row < rows.count && rowState[row] === BasisState.basic) row++;
      return row < rows.count;
    };
    for (let column = 0; column < this.columns; column++) {
      if (columnState[column] !== BasisState.basic) continue;
      if (kernel.size === LARGEST_KERNEL || !nextTight()) return false;
      kernel.push(column, row++);
    }
    if (nextTight()) return false;
    this.isInverted = kernel.invert(rows);
    return this.isInverted;
  }

  /** The bound at which a row of the kernel is. */
  boundOf(row: number): number {
    return this.rowState[row] === BasisState.upper ? this.rows.upper[row] : this.rows.lower[row];
  }

  /** Makes the arrays of rows long enough. Rows from `first` on are new. */
  private reserveRows(first: number): void {
    const { count } = this.rows;
    if (count > this.rowState.length) {
      const room = Math.max(count, 2 * this.rowState.length);
      this.rowState = grown(this.rowState, new Uint8Array(room));
      this.activities = grown(this.activities, new Float64Array(room));
      this.duals = grown(this.duals, new Float64Array(room));
      this.constants = grown(this.constants, new Float64Array(room));
    }
    this.rowState.fill(BasisState.basic, first, count);
    this.duals.fill(0, first, count);
  }
}
