/**
 * Rows of a linear program, sparse: row i is `lower[i] ≤ Σ values[k] · x[indices[k]] ≤ upper[i]` over `starts[i]` ≤ k
 * < `starts[i + 1]`. A missing bound is ±Infinity; a row names a column once.
 */
export interface RowData {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** One more than there are rows. */
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** A linear program: minimise Σ cost · x under bounds on columns and rows. */
export interface LpData {
  readonly cost: Float64Array;
  readonly columnLower: Float64Array;
  readonly columnUpper: Float64Array;
  readonly rows: RowData;
}

/**
 * `failed` is what is left when every attempt ended without an answer; the others are answers. An LP that is found
 * infeasible or unbounded from a basis is solved once more from nothing before this is believed.
 */
export type LpStatus = "optimal" | "infeasible" | "unbounded" | "failed";

/** The states of a column or row in a basis. */
export const BasisState = { lower: 0, basic: 1, upper: 2, zero: 3, nonbasic: 4 } as const;

/** A basis: one {@link BasisState} for each column and each row. Bytes, so that it can travel between ranks. */
export interface Basis {
  readonly columns: Uint8Array;
  readonly rows: Uint8Array;
}

/** The solution of the last solve. The arrays are those of the program and change with its next solve. */
export interface LpSolution {
  readonly primal: Float64Array;
  /** The reduced cost of each column. */
  readonly reducedCosts: Float64Array;
  /** Σ a · x of each row. */
  readonly activities: Float64Array;
  /** By how much the objective grows with the right-hand side of each row. */
  readonly duals: Float64Array;
}

/**
 * A linear program in a solver, built once, changed a little and solved many times.
 *
 * {@link solve} goes on from where the last solve ended. After {@link startFrom} it does not: what follows depends only on
 * the program, the basis and the calls made since, so that whoever makes the same calls gets the same bits, whatever
 * was solved before (HiGHS; CLP gives the same costs).
 *
 * @example
 * ```ts
 * const solver = await loadSolver("highs");
 * using program = solver.create({ cost, columnLower, columnUpper, rows });
 * program.setRowBounds(0, inflow, inflow);
 * program.startFrom(basis);
 * if (program.solve() === "optimal") use(program.objective, program.solution().duals);
 * ```
 */
export interface LinearProgram extends Disposable {
  readonly columns: number;
  readonly rows: number;
  /** Of the last solve. */
  readonly status: LpStatus;
  /** Of the last solve, if it was optimal. */
  readonly objective: number;
  /** Simplex iterations of the last solve, all attempts together. */
  readonly iterations: number;
  /** How many attempts the last solve took; more than one means that it was difficult. */
  readonly attempts: number;

  /** Sets the bounds of as many rows as there are numbers, from row `first` on. */
  setRowBounds(first: number, lower: Float64Array, upper: Float64Array): void;
  /** Sets the bounds of as many columns as there are numbers, from column `first` on. */
  setColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void;
  /** Sets the costs of as many columns as there are numbers, from column `first` on. */
  setCosts(first: number, costs: Float64Array): void;
  /** Adds rows behind the others. */
  addRows(rows: RowData): void;
  /** Removes rows; those behind them move up. `indices` must increase. */
  deleteRows(indices: Int32Array): void;

  /** Forgets everything but the program itself and starts the next solve from this basis; rows it does not know are basic. */
  startFrom(basis: Basis): void;
  /** Solves, with more careful settings if it has to. Never throws because of numbers: see {@link LpStatus}. */
  solve(): LpStatus;
  /** The solution of the last solve, which must have been optimal. */
  solution(): LpSolution;
  /** A copy of the basis in which the last solve ended. */
  basis(): Basis;
  /** The program as it is now. */
  data(): LpData;
  /** Gives back the solver's memory. Closing twice is fine. */
  close(): void;
}

/** How a program is solved. */
export interface LpOptions {
  /** How many attempts a solve may take before it counts as failed; 5 if not said. */
  readonly maxAttempts?: number;
  /**
   * How the dual simplex prices rows. `steepest` needs fewer iterations; `devex` starts faster from a basis. `choose`,
   * the default, leaves it to the solver.
   */
  readonly edgeWeights?: "choose" | "steepest" | "devex";
}

/** The names of the solvers. */
export type SolverName = "highs" | "clp";

/** A solver that is loaded. */
export interface LpSolver {
  readonly name: SolverName;
  readonly version: string;
  /** Two runs can only have the same bits if this is the same: version and hash of what is solving. */
  readonly fingerprint: string;
  create(data: LpData, options?: LpOptions): LinearProgram;
}
