import { BasisState } from "../linear-program.js";
import { NOWHERE } from "./kernel.js";
import { combine, type Leaving } from "./leaving.js";
import { computePrimal } from "./primal-values.js";
import { RatioTest } from "./ratio-test.js";
import type { WorkingProgram } from "./working-program.js";

/**
 * A step along an edge: something leaves the basis for the bound that it violates, and something else enters. Both can be a column or a row. A row
 * that leaves joins the kernel, because it is at a bound from then on; a row that enters is loose.
 */
export class Edge {
  private readonly program: WorkingProgram;
  private readonly ratioTest = new RatioTest();
  /** The row of the simplex tableau that belongs to what leaves, for each column. */
  private readonly pivotRow: Float64Array;
  /** The columns with entries in the pivot row. */
  private readonly touched: Int32Array;
  private touchedCount = 0;
  private readonly isTouched: Uint8Array;

  constructor(program: WorkingProgram) {
    this.program = program;
    this.pivotRow = new Float64Array(program.columns);
    this.touched = new Int32Array(program.columns);
    this.isTouched = new Uint8Array(program.columns);
  }

  /** Goes along the edge. Returns false if nothing can enter, or no pivot can be trusted; then the basis is as before. */
  follow(leaving: Leaving): boolean {
    const { program, ratioTest } = this;
    const { columns, kernel, reducedCosts, duals } = program;
    this.computePivotRow(leaving);
    this.offerAll(leaving.gap);
    const entering = ratioTest.choose();
    const { pivot } = ratioTest;
    if (entering === NOWHERE) {
      this.moveDuals(0);
      return false;
    }
    const place = entering < columns ? NOWHERE : entering - columns;
    const cost = place === NOWHERE ? reducedCosts[entering] : duals[kernel.rows[place]];
    const step = cost / pivot;
    this.moveDuals(step);
    const hasFlipped = this.flip();
    if (place === NOWHERE) computeDirection(program, entering);
    else takeDirection(program, place);
    if (!hasFlipped) {
      const { size, direction } = kernel;
      const move = -leaving.gap / pivot;
      for (let s = 0; s < size; s++) program.primal[kernel.columns[s]] -= direction[s] * move;
      if (place === NOWHERE) program.primal[entering] += move;
    }
    this.leave(leaving, -step);
    if (place === NOWHERE) this.enterColumn(leaving, entering, pivot);
    else this.enterRow(leaving, place);
    if (hasFlipped) computePrimal(program);
    return true;
  }

  /** The entries for the rows at a bound are the kernel's combination; those for columns follow from them. */
  private computePivotRow({ place, row }: Leaving): void {
    const { program } = this;
    const { kernel } = program;
    const { size, inverse, stride, combination } = kernel;
    if (row === NOWHERE) {
      for (let t = 0; t < size; t++) combination[t] = inverse[place * stride + t];
    } else {
      combine(program, row);
      this.spread(row, -1);
    }
    for (let t = 0; t < size; t++) {
      if (combination[t] !== 0) this.spread(kernel.rows[t], combination[t]);
    }
  }

  private spread(row: number, factor: number): void {
    const { pivotRow, touched, isTouched } = this;
    const { starts, mids, indices, values } = this.program.rows;
    let count = this.touchedCount;
    const mid = mids[row];
    for (let e = starts[row]; e < mid; e++) {
      const j = indices[e];
      pivotRow[j] += factor * values[e];
      if (isTouched[j] === 0) {
        isTouched[j] = 1;
        touched[count++] = j;
      }
    }
    this.touchedCount = count;
  }

  private offerAll(gap: number): void {
    const { ratioTest, pivotRow, touched, touchedCount } = this;
    const { columns, columnState, lower, upper, reducedCosts } = this.program;
    ratioTest.begin(gap);
    for (let i = 0; i < touchedCount; i++) {
      const j = touched[i];
      const state = columnState[j];
      if (state === BasisState.basic || lower[j] === upper[j]) continue;
      ratioTest.offer(j, pivotRow[j], reducedCosts[j], state, upper[j] - lower[j]);
    }
    const { kernel, rows, rowState, duals } = this.program;
    const { size, combination } = kernel;
    for (let t = 0; t < size; t++) {
      if (combination[t] === 0) continue;
      const row = kernel.rows[t];
      const range = rows.upper[row] - rows.lower[row];
      if (range === 0) continue;
      ratioTest.offer(columns + t, -combination[t], duals[row], rowState[row], range);
    }
  }

  /** Moves duals and reduced costs along the edge. The pivot row is used up by that. */
  private moveDuals(step: number): void {
    const { pivotRow, touched, isTouched, touchedCount } = this;
    const { kernel, reducedCosts, duals } = this.program;
    for (let i = 0; i < touchedCount; i++) {
      const j = touched[i];
      reducedCosts[j] -= step * pivotRow[j];
      pivotRow[j] = 0;
      isTouched[j] = 0;
    }
    this.touchedCount = 0;
    const { size, combination, rows } = kernel;
    for (let t = 0; t < size; t++) duals[rows[t]] += step * combination[t];
  }

  /** Moves what the ratio test has passed to its other bound. Returns whether there was anything. */
  private flip(): boolean {
    const { flipped, flippedCount } = this.ratioTest;
    const { columns, columnState, rowState, kernel, primal, lower, upper } = this.program;
    for (let i = 0; i < flippedCount; i++) {
      const j = flipped[i];
      if (j >= columns) {
        const row = kernel.rows[j - columns];
        rowState[row] = otherSide(rowState[row]);
      } else {
        columnState[j] = otherSide(columnState[j]);
        primal[j] = columnState[j] === BasisState.lower ? lower[j] : upper[j];
      }
    }
    return flippedCount > 0;
  }

  /** Puts what leaves on its bound. */
  private leave({ place, row, gap }: Leaving, reducedCost: number): void {
    const { kernel, columnState, rowState, primal, lower, upper, reducedCosts, duals } =
      this.program;
    const side = gap > 0 ? BasisState.lower : BasisState.upper;
    if (row === NOWHERE) {
      const column = kernel.columns[place];
      columnState[column] = side;
      primal[column] = gap > 0 ? lower[column] : upper[column];
      reducedCosts[column] = reducedCost;
    } else {
      rowState[row] = side;
      duals[row] = reducedCost;
    }
  }

  private enterColumn({ place, row }: Leaving, column: number, pivot: number): void {
    const { kernel, columnState, reducedCosts } = this.program;
    columnState[column] = BasisState.basic;
    reducedCosts[column] = 0;
    if (row === NOWHERE) kernel.replaceColumn(place, column);
    else kernel.addPair(column, row, -pivot);
  }

  private enterRow({ place, row }: Leaving, enteringPlace: number): void {
    const { kernel, rowState, duals } = this.program;
    const loose = kernel.rows[enteringPlace];
    rowState[loose] = BasisState.basic;
    duals[loose] = 0;
    if (row === NOWHERE) kernel.removePair(place, enteringPlace);
    else kernel.replaceRow(enteringPlace, row);
  }
}

/** The kernel's direction becomes the inverse times a column. */
function computeDirection({ kernel, rows }: WorkingProgram, column: number): void {
  const { size, inverse, stride, direction } = kernel;
  const { starts, mids, indices, values } = rows;
  direction.fill(0, 0, size);
  for (let t = 0; t < size; t++) {
    const row = kernel.rows[t];
    const mid = mids[row];
    for (let e = starts[row]; e < mid; e++) {
      if (indices[e] !== column) continue;
      const value = values[e];
      for (let s = 0; s < size; s++) direction[s] += inverse[s * stride + t] * value;
    }
  }
}

/** The kernel's direction becomes that of the slack of the row at a position. */
function takeDirection({ kernel }: WorkingProgram, place: number): void {
  const { size, inverse, stride, direction } = kernel;
  for (let s = 0; s < size; s++) direction[s] = -inverse[s * stride + place];
}

function otherSide(state: number): number {
  return state === BasisState.lower ? BasisState.upper : BasisState.lower;
}
