/**
 * Sparse rows of a linear program: row i is `lower[i] ≤ Σ values[k] · x[indices[k]] ≤ upper[i]` over `starts[i]` ≤ k
 * < `starts[i + 1]`. A missing bound is ±Infinity. A row may name a column only once.
 */
export interface RowData {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Has one element more than there are rows. */
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
 * How a solve ended. `failed` means that every attempt ended without an answer. An LP that seems infeasible or unbounded from a
 * basis is solved again without one before this is reported (unless only one attempt is allowed).
 */
export type LpStatus = "optimal" | "infeasible" | "unbounded" | "failed";

/** The states of a column or row in a basis. */
export const BasisState = { lower: 0, basic: 1, upper: 2, zero: 3, nonbasic: 4 } as const;

/** A basis: one {@link BasisState} for each column and each row. Bytes, so that ranks can exchange it. */
export interface Basis {
  readonly columns: Uint8Array;
  readonly rows: Uint8Array;
}

/**
 * The solution of the last solve. An array is copied from the solver when it is first asked for, so ask before the program changes, and only for
 * what is needed. The arrays may be reused by the program's next solve.
 */
export interface LpSolution {
  readonly primal: Float64Array;
  /** The reduced cost of each column. */
  readonly reducedCosts: Float64Array;
  /** Σ a · x of each row. */
  readonly activities: Float64Array;
  /** The derivative of the objective by the right-hand side of each row. */
  readonly duals: Float64Array;
}

/**
 * A linear program in a solver, built once, changed a little and solved many times.
 *
 * {@link solve} starts from where the last solve ended. After {@link startFrom}, results depend only on the program, the basis
 * and the calls made since. With HiGHS, any rank that makes the same calls gets the same bits, whatever it solved before (with
 * highs-native: any rank with the same library on the same kind of machine); CLP gives the same costs.
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
  /** The status of the last solve. */
  readonly status: LpStatus;
  /** The objective of the last solve, if it was optimal; else NaN. */
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
  /** Adds rows after the others. */
  addRows(rows: RowData): void;
  /** Removes rows; later rows move up. `indices` must increase. */
  deleteRows(indices: Int32Array): void;

  /** Forgets all earlier solves and starts the next one from this basis. Rows beyond those of the basis are basic. */
  startFrom(basis: Basis): void;
  /** Solves, with safer settings if necessary. Numerical trouble does not throw: see {@link LpStatus}. */
  solve(): LpStatus;
  /** The solution of the last solve, which must have been optimal. */
  solution(): LpSolution;
  /** A copy of the basis in which the last solve ended. */
  basis(): Basis;
  /** The program as it is now. */
  data(): LpData;
  /** Frees the solver's memory. Closing twice is fine. */
  close(): void;
}

/** How a program is solved. */
export interface LpOptions {
  /** How many attempts a solve may take before it counts as failed. Default: 5. */
  readonly maxAttempts?: number;
  /**
   * How the dual simplex method prices rows. `steepest` needs fewer iterations; `devex` starts faster from a basis. `choose`,
   * the default, leaves it to the solver.
   */
  readonly edgeWeights?: "choose" | "steepest" | "devex";
  /** Whether costs change from solve to solve. Then a basis is no start for the embedded simplex, and the solver solves the program itself. */
  readonly changesCosts?: boolean;
}

/** The names of the solvers: HiGHS in WebAssembly, a native HiGHS, CLP. */
export type SolverName = "highs-wasm" | "highs-native" | "clp";

/** What a user may ask for: a solver, `highs` for `highs-wasm`, or `auto` for the fastest HiGHS that is found. */
export type SolverChoice = SolverName | "highs" | "auto";

/** A loaded solver. */
export interface LpSolver {
  readonly name: SolverName;
  readonly version: string;
  /** Version and, for HiGHS, hash of the solver. Two runs can have the same bits only if they have the same fingerprint. */
  readonly fingerprint: string;
  /** The file of a native library. */
  readonly library?: string;
  create(data: LpData, options?: LpOptions): LinearProgram;
  /**
   * This solver, with its programs dealt among so many memories. Only a solver whose memories have a limit has it: 2 GiB in `highs-wasm`. The bits are
   * the same.
   */
  withMemories?(count: number): Promise<LpSolver>;
}
