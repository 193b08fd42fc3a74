import { SolverError } from "./errors.js";
import type {
  Basis,
  LinearProgram,
  LpData,
  LpOptions,
  LpSolution,
  LpStatus,
  RowData,
  SolverName,
} from "./linear-program.js";

/** How an attempt ended. `limit`: it ran out of iterations; `trouble`: the solver gave up. */
export type AttemptResult = "optimal" | "infeasible" | "unbounded" | "limit" | "trouble";

const DEFAULT_ATTEMPTS = 5;

/**
 * What all solvers share: the ladder of attempts, and the checks.
 *
 * A solve climbs the ladder of {@link attempt}: 0 goes on from the current basis, the others start from nothing with ever safer
 * settings. Only the program and its basis decide how far it climbs (iterations are limited, never seconds), so that all
 * ranks climb alike.
 */
export abstract class RetryingProgram implements LinearProgram {
  abstract readonly solver: SolverName;
  readonly columns: number;
  rows: number;
  status: LpStatus = "failed";
  objective = Number.NaN;
  iterations = 0;
  attempts = 0;
  protected isClosed = false;
  private readonly maxAttempts: number;

  constructor(data: LpData, options: LpOptions) {
    this.columns = data.cost.length;
    this.rows = data.rows.lower.length;
    this.maxAttempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
  }

  /** Runs the solver once, adding to `iterations`. */
  protected abstract attempt(rung: number): AttemptResult;
  /** How many rungs the ladder has. */
  protected abstract readonly rungs: number;
  protected abstract readObjective(): number;
  protected abstract readSolution(): LpSolution;
  protected abstract applyRowBounds(first: number, lower: Float64Array, upper: Float64Array): void;
  protected abstract applyColumnBounds(
    first: number,
    lower: Float64Array,
    upper: Float64Array,
  ): void;
  protected abstract applyCosts(first: number, costs: Float64Array): void;
  protected abstract appendRows(rows: RowData): void;
  protected abstract removeRows(indices: Int32Array): void;
  protected abstract applyBasis(basis: Basis): void;
  protected abstract release(): void;
  abstract basis(): Basis;
  abstract data(): LpData;

  solve(): LpStatus {
    this.checkOpen();
    this.iterations = 0;
    this.attempts = 0;
    this.status = "failed";
    this.objective = Number.NaN;
    const last = Math.min(this.maxAttempts, this.rungs) - 1;
    for (let rung = 0; rung <= last; rung++) {
      this.attempts++;
      const result = this.attempt(rung);
      if (result === "optimal") {
        this.objective = this.readObjective();
        this.status = result;
        break;
      }
      // From a basis, the verdict may be due to the basis: it takes a second one, from nothing.
      if ((result === "infeasible" || result === "unbounded") && (rung > 0 || last === 0)) {
        this.status = result;
        break;
      }
    }
    return this.status;
  }

  solution(): LpSolution {
    this.checkOpen();
    if (this.status !== "optimal") {
      const state = this.attempts === 0 ? "has not been solved" : `is ${this.status}`;
      throw new SolverError(
        "NoSolution",
        this.solver,
        `the program ${state}; solve() must be optimal first`,
      );
    }
    return this.readSolution();
  }

  setRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkOpen();
    this.checkRange("row", first, lower, upper, this.rows);
    if (lower.length > 0) this.applyRowBounds(first, lower, upper);
  }

  setColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkOpen();
    this.checkRange("column", first, lower, upper, this.columns);
    if (lower.length > 0) this.applyColumnBounds(first, lower, upper);
  }

  setCosts(first: number, costs: Float64Array): void {
    this.checkOpen();
    this.checkRange("column", first, costs, costs, this.columns);
    if (costs.length > 0) this.applyCosts(first, costs);
  }

  addRows(rows: RowData): void {
    this.checkOpen();
    checkRows(this.solver, rows, this.columns);
    if (rows.lower.length > 0) this.appendRows(rows);
    this.rows += rows.lower.length;
  }

  deleteRows(indices: Int32Array): void {
    this.checkOpen();
    let previous = -1;
    for (const row of indices) {
      if (row <= previous || row >= this.rows) {
        throw this.invalid(
          `cannot delete row ${row} after row ${previous}: indices must increase and be below ${this.rows}`,
        );
      }
      previous = row;
    }
    if (indices.length > 0) this.removeRows(indices);
    this.rows -= indices.length;
  }

  startFrom(basis: Basis): void {
    this.checkOpen();
    if (basis.columns.length !== this.columns || basis.rows.length > this.rows) {
      throw new SolverError(
        "InvalidBasis",
        this.solver,
        `a basis of ${basis.columns.length} columns and ${basis.rows.length} rows does not fit a program of ${this.columns} and ${this.rows}`,
      );
    }
    this.applyBasis(basis);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Enough for any LP that makes progress; a cycle ends here. */
  protected get iterationLimit(): number {
    return 1000 + 50 * (this.rows + this.columns);
  }

  protected checkOpen(): void {
    if (this.isClosed) throw new SolverError("SolverClosed", this.solver, "the program is closed");
  }

  protected invalid(reason: string): SolverError {
    return new SolverError("InvalidProgram", this.solver, reason);
  }

  private checkRange(
    what: string,
    first: number,
    lower: Float64Array,
    upper: Float64Array,
    count: number,
  ): void {
    if (lower.length === upper.length && first >= 0 && first + lower.length <= count) return;
    throw this.invalid(
      `${lower.length} lower and ${upper.length} upper numbers from ${what} ${first} on do not fit ${count} ${what}s`,
    );
  }
}

/** Throws unless the arrays of the program fit each other. */
export function checkProgram(solver: SolverName, data: LpData): void {
  const columns = data.cost.length;
  if (data.columnLower.length !== columns || data.columnUpper.length !== columns) {
    throw new SolverError(
      "InvalidProgram",
      solver,
      `${columns} costs, ${data.columnLower.length} lower and ${data.columnUpper.length} upper bounds of columns; they must be as many`,
    );
  }
  checkRows(solver, data.rows, columns);
}

function checkRows(solver: SolverName, rows: RowData, columns: number): void {
  const { lower, upper, starts, indices, values } = rows;
  const fits =
    upper.length === lower.length &&
    starts.length === lower.length + 1 &&
    starts[0] === 0 &&
    starts[lower.length] === indices.length &&
    indices.length === values.length;
  if (!fits) {
    throw new SolverError(
      "InvalidProgram",
      solver,
      `rows with ${lower.length} lower and ${upper.length} upper bounds, ${starts.length} starts from ${starts[0]} to ${starts.at(-1)}, ${indices.length} indices and ${values.length} values do not fit together`,
    );
  }
  for (let i = 0; i < indices.length; i++) {
    const column = indices[i] as number;
    if (column < 0 || column >= columns || Number.isNaN(values[i])) {
      throw new SolverError(
        "InvalidProgram",
        solver,
        `a row has ${values[i]} in column ${column}; columns are 0 to ${columns - 1}, and values numbers`,
      );
    }
  }
}
