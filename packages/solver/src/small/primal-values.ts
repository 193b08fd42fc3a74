/** The values of columns in a basis. */
import { NOWHERE } from "./kernel.js";
import type { WorkingProgram } from "./working-program.js";

/** A value may miss a bound by this much, or by this part of a bound beyond 1. */
const TOLERANCE = 1e-9;
/** A row may miss its bound by this part of its largest term before that is corrected. */
const CORRECTED_MISS = 1e-14;

/** What fixed columns add to the activities of rows. */
export function computeConstants({ rows, primal, constants }: WorkingProgram): void {
  const { starts, mids, indices, values, count } = rows;
  for (let row = 0; row < count; row++) {
    let sum = 0;
    const end = starts[row + 1];
    for (let e = mids[row]; e < end; e++) sum += values[e] * primal[indices[e]];
    constants[row] = sum;
  }
}

/** The values of basic columns from those of the others. */
export function computePrimal(program: WorkingProgram): void {
  const { kernel, rows, primal, constants } = program;
  const { size, columnPlace, rightSide } = kernel;
  const { starts, mids, indices, values } = rows;
  for (let t = 0; t < size; t++) {
    const row = kernel.rows[t];
    let sum = program.boundOf(row) - constants[row];
    const mid = mids[row];
    for (let e = starts[row]; e < mid; e++) {
      const j = indices[e];
      if (columnPlace[j] === NOWHERE) sum -= values[e] * primal[j];
    }
    rightSide[t] = sum;
  }
  for (let s = 0; s < size; s++) primal[kernel.columns[s]] = 0;
  addSolution(program);
}

/** Whether the rows of the kernel are at their bounds. What they miss is taken off first, once. */
export function isExact(program: WorkingProgram): boolean {
  if (largestMiss(program) > CORRECTED_MISS) addSolution(program);
  // A miss that is not a number must not pass.
  return largestMiss(program) <= TOLERANCE;
}

/** What a value lacks to its bounds: positive if it is below, negative if it is above, 0 if it is between them. */
export function gapOf(value: number, lower: number, upper: number): number {
  if (value < lower) {
    const gap = lower - value;
    return gap > TOLERANCE * Math.max(1, Math.abs(lower)) ? gap : 0;
  }
  if (value > upper) {
    const gap = upper - value;
    return gap < -TOLERANCE * Math.max(1, Math.abs(upper)) ? gap : 0;
  }
  return 0;
}

/** Adds the inverse times the right side to the basic columns. */
function addSolution({ kernel, primal }: WorkingProgram): void {
  const { size, inverse, stride, columns, rightSide } = kernel;
  for (let s = 0; s < size; s++) {
    const at = s * stride;
    let sum = 0;
    for (let t = 0; t < size; t++) sum += inverse[at + t] * rightSide[t];
    primal[columns[s]] += sum;
  }
}

/**
 * By how much a row of the kernel misses its bound, as a part of its largest term beyond 1. What each of them lacks is the kernel's right side
 * then.
 */
function largestMiss(program: WorkingProgram): number {
  const { kernel, rows, activities, primal } = program;
  const { starts, indices, values } = rows;
  const { size, rightSide } = kernel;
  let largest = 0;
  for (let t = 0; t < size; t++) {
    const row = kernel.rows[t];
    let scale = 1;
    let sum = 0;
    const end = starts[row + 1];
    for (let e = starts[row]; e < end; e++) {
      const term = values[e] * primal[indices[e]];
      sum += term;
      if (Math.abs(term) > scale) scale = Math.abs(term);
    }
    activities[row] = sum;
    rightSide[t] = program.boundOf(row) - sum;
    largest = Math.max(largest, Math.abs(rightSide[t]) / scale);
  }
  return largest;
}
