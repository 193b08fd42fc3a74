/** A solver that answers whatever it is told. */
import type { Basis, LinearProgram, LpData, LpSolver, LpStatus, RowData } from "@cobre/solver";

/** A call of a setter: the first index and the numbers. */
type Bounds = readonly [first: number, lower: readonly number[], upper: readonly number[]];

/** Remembers what it is told; its solution is what a test puts there. */
export class Recorder {
  readonly columnBounds: Bounds[] = [];
  readonly rowBounds: Bounds[] = [];
  readonly added: RowData[] = [];
  readonly bases: Basis[] = [];
  readonly primal: Float64Array;
  readonly reducedCosts: Float64Array;
  status: LpStatus = "optimal";
  closed = 0;
  readonly iterations = 7;
  readonly attempts = 2;
  readonly given: LpData;

  constructor(given: LpData) {
    this.given = given;
    const columns = given.cost.length;
    this.primal = Float64Array.from({ length: columns }, (_, j) => 3 + j / 8);
    this.reducedCosts = Float64Array.from({ length: columns }, (_, j) => 1000 + 7 * j);
  }

  get program(): LinearProgram {
    return this as unknown as LinearProgram;
  }
  solve() {
    return this.status;
  }
  solution() {
    return this;
  }
  data() {
    return this.given;
  }
  startFrom(basis: Basis) {
    this.bases.push(basis);
  }
  addRows(rows: RowData) {
    this.added.push(rows);
  }
  get rows() {
    return (
      this.given.rows.lower.length + this.added.reduce((sum, { lower }) => sum + lower.length, 0)
    );
  }
  setColumnBounds(first: number, lower: Float64Array, upper: Float64Array) {
    this.columnBounds.push([first, [...lower], [...upper]]);
  }
  setRowBounds(first: number, lower: Float64Array, upper: Float64Array) {
    this.rowBounds.push([first, [...lower], [...upper]]);
  }
  close() {
    this.closed++;
  }
}

/** The solver, and the program that it was last asked for. */
export function recordingSolver(): { readonly solver: LpSolver; readonly last: () => Recorder } {
  let recorder: Recorder | undefined;
  const solver = {
    name: "highs-wasm",
    create: (data: LpData) => {
      recorder = new Recorder(data);
      return recorder.program;
    },
  } as unknown as LpSolver;
  return { solver, last: () => recorder as Recorder };
}
