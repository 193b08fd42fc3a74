import { BasisState } from "../linear-program.js";
import { NOWHERE } from "./kernel.js";
import { gapOf } from "./primal-values.js";
import type { WorkingProgram } from "./working-program.js";

/**
 * Chooses what leaves the basis: of all basic columns and loose rows that violate a bound, the one that is farthest from it along its edge
 * (steepest edge). The length of an edge is read off the inverse, for those that violate a bound only.
 */
export class Leaving {
  /** The position of the column that leaves, or `NOWHERE`. */
  place = NOWHERE;
  /** The loose row that leaves, or `NOWHERE`. */
  row = NOWHERE;
  /** What it lacks to its bound: negative if it is too large, 0 if nothing leaves. */
  gap = 0;
  private farthest = 0;

  /** Chooses anew, and computes the activities of all loose rows on the way. */
  choose(program: WorkingProgram): void {
    this.place = NOWHERE;
    this.row = NOWHERE;
    this.gap = 0;
    this.farthest = 0;
    this.lookAtColumns(program);
    this.lookAtRows(program);
  }

  private lookAtColumns({ kernel, primal, lower, upper }: WorkingProgram): void {
    const { size, columns, inverse, stride } = kernel;
    for (let s = 0; s < size; s++) {
      const j = columns[s];
      const gap = gapOf(primal[j], lower[j], upper[j]);
      if (gap === 0) continue;
      let length = 0;
      const end = s * stride + size;
      for (let at = s * stride; at < end; at++) length += inverse[at] * inverse[at];
      if (gap * gap <= this.farthest * length) continue;
      this.farthest = (gap * gap) / length;
      this.place = s;
      this.gap = gap;
    }
  }

  private lookAtRows(program: WorkingProgram): void {
    const { rows, activities, rowState, primal, constants, kernel } = program;
    const { starts, mids, indices, values, lower, upper, count } = rows;
    const { size, combination } = kernel;
    for (let row = 0; row < count; row++) {
      if (rowState[row] !== BasisState.basic) continue;
      let activity = constants[row];
      const mid = mids[row];
      for (let e = starts[row]; e < mid; e++) activity += values[e] * primal[indices[e]];
      activities[row] = activity;
      const gap = gapOf(activity, lower[row], upper[row]);
      // The length is at least 1.
      if (gap === 0 || gap * gap <= this.farthest) continue;
      combine(program, row);
      let length = 1;
      for (let t = 0; t < size; t++) length += combination[t] * combination[t];
      if (gap * gap <= this.farthest * length) continue;
      this.farthest = (gap * gap) / length;
      this.place = NOWHERE;
      this.row = row;
      this.gap = gap;
    }
  }
}

/** The kernel's combination becomes that of a row, restricted to the basic columns, times the inverse. */
export function combine({ rows, kernel }: WorkingProgram, row: number): void {
  const { starts, mids, indices, values } = rows;
  const { size, inverse, stride, columnPlace, combination } = kernel;
  combination.fill(0, 0, size);
  const mid = mids[row];
  for (let e = starts[row]; e < mid; e++) {
    const s = columnPlace[indices[e]];
    if (s === NOWHERE) continue;
    const value = values[e];
    const at = s * stride;
    for (let t = 0; t < size; t++) combination[t] += value * inverse[at + t];
  }
}
