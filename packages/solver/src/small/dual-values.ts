/** The duals of rows and the reduced costs of columns in a basis, and the sides on which they have the right signs. */
import { BasisState } from "../linear-program.js";
import type { WorkingProgram } from "./working-program.js";

/** A reduced cost may have the wrong sign by this much, or by this part of a cost beyond 1. */
const TOLERANCE = 1e-9;
/** It may never have the wrong sign by more than this, which is the tolerance of HiGHS. */
const LAST_TOLERANCE = 1e-7;

/** Computes duals and reduced costs from the costs of the basic columns. */
export function computeDuals(program: WorkingProgram): void {
  const { kernel, rows, cost, reducedCosts, duals } = program;
  const { size, inverse, stride, columns, combination } = kernel;
  const { starts, indices, values } = rows;
  reducedCosts.set(cost);
  duals.fill(0, 0, rows.count);
  combination.fill(0, 0, size);
  for (let s = 0; s < size; s++) {
    const price = cost[columns[s]];
    if (price === 0) continue;
    const at = s * stride;
    for (let t = 0; t < size; t++) combination[t] += price * inverse[at + t];
  }
  for (let t = 0; t < size; t++) {
    const dual = combination[t];
    if (dual === 0) continue;
    const row = kernel.rows[t];
    duals[row] = dual;
    const end = starts[row + 1];
    for (let e = starts[row]; e < end; e++) reducedCosts[indices[e]] -= dual * values[e];
  }
  program.hasDuals = true;
}

/**
 * Puts every column that is not basic, and every row of the kernel, on the side where its reduced cost has the right sign. Returns whether all
 * have such a side.
 */
export function takeSides(program: WorkingProgram): boolean {
  const { columnState, lower, upper, reducedCosts, cost, primal } = program;
  for (let j = 0; j < program.columns; j++) {
    const state = columnState[j];
    if (state === BasisState.basic) continue;
    const side = sideOf(state, lower[j], upper[j], reducedCosts[j], toleranceOf(cost[j]));
    if (side === NO_SIDE) return false;
    columnState[j] = side;
    primal[j] = side === BasisState.lower ? lower[j] : side === BasisState.upper ? upper[j] : 0;
  }
  const { kernel, rows, rowState, duals } = program;
  for (let t = 0; t < kernel.size; t++) {
    const row = kernel.rows[t];
    const side = sideOf(rowState[row], rows.lower[row], rows.upper[row], duals[row], TOLERANCE);
    if (side === NO_SIDE || side === BasisState.zero) return false;
    rowState[row] = side;
  }
  return true;
}

/** Whether all reduced costs have the signs that an optimum needs. */
export function isDualFeasible(program: WorkingProgram): boolean {
  const { columnState, lower, upper, reducedCosts } = program;
  for (let j = 0; j < program.columns; j++) {
    const reduced = reducedCosts[j];
    if (Math.abs(reduced) <= LAST_TOLERANCE) continue;
    const state = columnState[j];
    if (state === BasisState.basic) return false;
    if (lower[j] !== upper[j] && !hasRightSign(state, reduced)) return false;
  }
  const { kernel, rows, rowState, duals } = program;
  for (let t = 0; t < kernel.size; t++) {
    const row = kernel.rows[t];
    if (Math.abs(duals[row]) <= LAST_TOLERANCE || rows.lower[row] === rows.upper[row]) continue;
    if (!hasRightSign(rowState[row], duals[row])) return false;
  }
  return true;
}

function hasRightSign(state: number, reduced: number): boolean {
  // What is not a number has none.
  return state === BasisState.lower ? reduced > 0 : state === BasisState.upper && reduced < 0;
}

function toleranceOf(cost: number): number {
  return Math.min(LAST_TOLERANCE, TOLERANCE * Math.max(1, Math.abs(cost)));
}

const NO_SIDE = -1;

/** The bound at which a reduced cost has the right sign; `zero` if there is no bound and it is 0. */
function sideOf(
  state: number,
  lower: number,
  upper: number,
  reducedCost: number,
  tolerance: number,
): number {
  if (lower === upper) return BasisState.lower;
  const hasLower = lower > Number.NEGATIVE_INFINITY;
  const hasUpper = upper < Number.POSITIVE_INFINITY;
  if (reducedCost > tolerance) return hasLower ? BasisState.lower : NO_SIDE;
  if (reducedCost < -tolerance) return hasUpper ? BasisState.upper : NO_SIDE;
  if (state === BasisState.upper && hasUpper) return BasisState.upper;
  if (hasLower) return BasisState.lower;
  return hasUpper ? BasisState.upper : BasisState.zero;
}
