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

/** How an attempt ended. `limit`: it reached the iteration limit; `trouble`: the solver gave up. */
export type AttemptResult = "optimal" | "infeasible" | "unbounded" | "limit" | "trouble";

const DEFAULT_ATTEMPTS = 5;

const noParts = (): Record<keyof LpSolution, Float64Array | undefined> => ({
  primal: undefined,
  reducedCosts: undefined,
  activities: undefined,
  duals: undefined,
});
const NO_PARTS = noParts();

/**
 * What all solvers share: the ladder of attempts, and the checks of arguments.
 *
 * A solve climbs the ladder of {@link attempt}: rung 0 starts from the current basis, the others start without one and with safer and
 * safer settings. How far it climbs depends only on the program and its basis (iterations are limited, never seconds), so it is the
 * same on all ranks.
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
  /** Whether the program has changed since the last solve. */
  private hasChanged = false;
  /** What has been copied of the last solution. */
  private readonly copied = noParts();
  private readonly found: LpSolution;

  constructor(data: LpData, options: LpOptions) {
    this.columns = data.cost.length;
    this.rows = data.rows.lower.length;
    this.maxAttempts = options.maxAttempts ?? DEFAULT_ATTEMPTS;
    const part = (name: keyof LpSolution) => this.partOfSolution(name);
    this.found = {
      get primal() {
        return part("primal");
      },
      get reducedCosts() {
        return part("reducedCosts");
      },
      get activities() {
        return part("activities");
      },
      get duals() {
        return part("duals");
      },
    };
  }

  /** Runs the solver once, adding to `iterations`. */
  protected abstract attempt(rung: number): AttemptResult;
  /** The number of rungs of the ladder. */
  protected abstract readonly rungs: number;
  protected abstract readObjective(): number;
  protected abstract readSolution(part: keyof LpSolution): Float64Array;
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
    this.hasChanged = false;
    Object.assign(this.copied, NO_PARTS);
    this.iterations = 0;
    this.attempts = 0;
    this.status = "failed";
    this.objective = Number.NaN;
    const last = Math.min(this.maxAttempts, this.rungs) - 1;
    for (let rung = 0; rung <= last; rung++) {
      this.attempts++;
      const result = this.attempt(rung);
      if (result === "optimal") {
        const objective = this.readObjective();
        // Solvers call a program optimal whose costs overflow.
        if (!Number.isFinite(objective)) continue;
        this.objective = objective;
        this.status = result;
        break;
      }
      // The first verdict may be due to the basis. A second attempt without it must confirm it.
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
        `the program ${state}; call solve() and check that it returns "optimal"`,
      );
    }
    return this.found;
  }

  private partOfSolution(name: keyof LpSolution): Float64Array {
    const known = this.copied[name];
    if (known !== undefined) return known;
    // A solution that was asked for before the program was closed or failed to be solved again is gone as well.
    this.solution();
    if (this.hasChanged) {
      throw new SolverError(
        "NoSolution",
        this.solver,
        `the program has changed since it was solved; ask for ${name} before it changes, or call solve() again`,
      );
    }
    const values = this.readSolution(name);
    this.copied[name] = values;
    return values;
  }

  setRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkOpen();
    this.checkRange("row", first, lower, upper, this.rows);
    this.hasChanged = true;
    if (lower.length > 0) this.applyRowBounds(first, lower, upper);
  }

  setColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkOpen();
    this.checkRange("column", first, lower, upper, this.columns);
    this.hasChanged = true;
    if (lower.length > 0) this.applyColumnBounds(first, lower, upper);
  }

  setCosts(first: number, costs: Float64Array): void {
    this.checkOpen();
    this.checkRange("column", first, costs, costs, this.columns);
    checkCosts(this.solver, costs);
    this.hasChanged = true;
    if (costs.length > 0) this.applyCosts(first, costs);
  }

  addRows(rows: RowData): void {
    this.checkOpen();
    checkRows(this.solver, rows, this.columns);
    this.hasChanged = true;
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
    this.hasChanged = true;
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
    this.hasChanged = true;
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

  /** Enough for any LP that makes progress. It ends a solve that cycles. */
  protected get iterationLimit(): number {
    return 1000 + 50 * (this.rows + this.columns);
  }

  protected checkOpen(): void {
    if (this.isClosed) throw new SolverError("SolverClosed", this.solver, "the program is closed");
  }

  protected invalid(reason: string): SolverError {
    return new SolverError("InvalidProgram", this.solver, reason);
  }

  protected foreignBasis(): SolverError {
    return new SolverError(
      "InvalidBasis",
      this.solver,
      "the basis does not belong to this program",
    );
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
      `${lower.length} lower and ${upper.length} upper values from ${what} ${first} on do not fit ${count} ${what}s`,
    );
  }
}

/** Throws unless the arrays of the program have matching lengths. */
export function checkProgram(solver: SolverName, data: LpData): void {
  const columns = data.cost.length;
  if (data.columnLower.length !== columns || data.columnUpper.length !== columns) {
    throw new SolverError(
      "InvalidProgram",
      solver,
      `there are ${columns} costs, ${data.columnLower.length} lower and ${data.columnUpper.length} upper bounds of columns; the numbers must be equal`,
    );
  }
  checkCosts(solver, data.cost);
  checkRows(solver, data.rows, columns);
}

/** HiGHS takes such costs for infinite; CLP ends the process. */
const INFINITE_COST = 1e20;

function checkCosts(solver: SolverName, costs: Float64Array): void {
  const column = costs.findIndex((cost) => !(Math.abs(cost) < INFINITE_COST));
  if (column < 0) return;
  throw new SolverError(
    "InvalidProgram",
    solver,
    `a column has the cost ${costs[column]}; costs must be numbers below ${INFINITE_COST}`,
  );
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
        `a row has ${values[i]} in column ${column}; columns are 0 to ${columns - 1}, and values must be numbers`,
      );
    }
  }
}
