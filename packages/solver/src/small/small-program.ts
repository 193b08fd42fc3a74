import {
  type Basis,
  BasisState,
  type LinearProgram,
  type LpData,
  type LpOptions,
  type LpSolution,
  type RowData,
  type SolverName,
} from "../linear-program.js";
import { type AttemptResult, checkProgram, RetryingProgram } from "../retrying-program.js";
import { DualSimplex } from "./dual-simplex.js";
import { WorkingProgram } from "./working-program.js";

/** A solve that takes more is left to the solver. */
const MOST_ITERATIONS = 500;
/** HiGHS refuses larger values in rows. */
const INFINITE_ENTRY = 1e15;
/** HiGHS takes such bounds for infinite. */
const INFINITE_BOUND = 1e20;

/**
 * A small program that is solved many times. It is in plain arrays, and solved by {@link DualSimplex}. A solver needs a tenth of a millisecond
 * for what it does around a solve, however small the program is: most of the time of a stage.
 *
 * What the method cannot do, or is not sure of, is done by the solver behind it: programs without an optimum, those whose basis has reduced costs
 * of the wrong sign, and numerical trouble. The program is passed to it then with its basis, so that nothing of an earlier solve has an influence.
 */
export class SmallProgram extends RetryingProgram {
  readonly solver: SolverName;
  protected readonly rungs = 1;
  private readonly program: WorkingProgram;
  private readonly simplex: DualSimplex;
  private readonly createBehind: (data: LpData) => LinearProgram;
  /** What the solver behind has found, if the last solve was its. */
  private behind: (LpSolution & { readonly objective: number }) | undefined;
  /** Finds columns that a row names twice: the number of the last row that named each column, counted from 1. */
  private readonly lastNamed: Int32Array;
  private named = 0;

  /** @param create makes a program of the solver behind */
  constructor(
    solver: SolverName,
    data: LpData,
    options: LpOptions,
    create: (data: LpData, options: LpOptions) => LinearProgram,
  ) {
    checkProgram(solver, data);
    super(data, options);
    this.solver = solver;
    this.program = new WorkingProgram(data);
    this.simplex = new DualSimplex(this.program);
    this.createBehind = (program) => create(program, options);
    this.lastNamed = new Int32Array(this.columns);
    this.checkRowData(data.rows);
    const { rows } = this.program;
    setBounds(rows.lower, rows.upper, 0, data.rows.lower, data.rows.upper);
    this.applyColumnBounds(0, data.columnLower, data.columnUpper);
  }

  protected attempt(): AttemptResult {
    const { simplex } = this;
    this.behind = undefined;
    const isSolved = simplex.solve(MOST_ITERATIONS);
    this.iterations += simplex.iterations;
    if (isSolved) return "optimal";
    return this.askSolver();
  }

  /** The solver behind solves the program from the basis in which this one ended. */
  private askSolver(): AttemptResult {
    const behind = this.createBehind(this.data());
    try {
      behind.startFrom(this.basis());
      const status = behind.solve();
      this.iterations += behind.iterations;
      this.attempts = behind.attempts;
      if (status === "failed") return "trouble";
      if (status !== "optimal") return status;
      const { primal, reducedCosts, activities, duals } = behind.solution();
      this.behind = {
        objective: behind.objective,
        primal: primal.slice(),
        reducedCosts: reducedCosts.slice(),
        activities: activities.slice(),
        duals: duals.slice(),
      };
      const basis = behind.basis();
      this.program.setBasis(basis.columns, basis.rows);
      return "optimal";
    } finally {
      behind.close();
    }
  }

  protected readObjective(): number {
    if (this.behind !== undefined) return this.behind.objective;
    const { cost, primal } = this.program;
    let sum = 0;
    for (let j = 0; j < cost.length; j++) sum += cost[j] * primal[j];
    return sum;
  }

  protected readSolution(part: keyof LpSolution): Float64Array {
    if (this.behind !== undefined) return this.behind[part];
    const values = this.program[part];
    return part === "primal" || part === "reducedCosts" ? values : values.subarray(0, this.rows);
  }

  basis(): Basis {
    this.checkOpen();
    const { columnState, rowState } = this.program;
    return { columns: columnState.slice(), rows: rowState.slice(0, this.rows) };
  }

  data(): LpData {
    this.checkOpen();
    const { cost, lower, upper, rows } = this.program;
    return {
      cost: cost.slice(),
      columnLower: lower.slice(),
      columnUpper: upper.slice(),
      rows: rows.data(),
    };
  }

  protected applyRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkBounds(lower, upper);
    const { rows } = this.program;
    setBounds(rows.lower, rows.upper, first, lower, upper);
  }

  protected applyColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.checkBounds(lower, upper);
    setBounds(this.program.lower, this.program.upper, first, lower, upper);
  }

  protected applyCosts(first: number, costs: Float64Array): void {
    this.program.cost.set(costs, first);
    this.program.hasDuals = false;
  }

  protected appendRows(rows: RowData): void {
    this.checkRowData(rows);
    const first = this.rows;
    this.program.addRows(rows);
    const { lower, upper } = this.program.rows;
    setBounds(lower, upper, first, rows.lower, rows.upper);
  }

  protected removeRows(indices: Int32Array): void {
    this.program.removeRows(indices);
  }

  protected applyBasis({ columns, rows }: Basis): void {
    if (!columns.every(isState) || !rows.every(isState)) throw this.foreignBasis();
    this.program.setBasis(columns, rows);
  }

  protected release(): void {
    this.behind = undefined;
  }

  private checkRowData({ lower, upper, starts, indices, values }: RowData): void {
    this.checkBounds(lower, upper);
    for (let row = 0; row < lower.length; row++) {
      this.named++;
      for (let e = starts[row]; e < starts[row + 1]; e++) {
        const column = indices[e];
        const isNew = this.lastNamed[column] !== this.named;
        if (!isNew) throw this.invalid(`a row names column ${column} twice`);
        this.lastNamed[column] = this.named;
        if (!(Math.abs(values[e]) < INFINITE_ENTRY)) {
          throw this.invalid(
            `a row has the value ${values[e]}; values must be numbers below ${INFINITE_ENTRY}`,
          );
        }
      }
    }
  }

  private checkBounds(lower: Float64Array, upper: Float64Array): void {
    for (let i = 0; i < lower.length; i++) {
      if (lower[i] < INFINITE_BOUND && upper[i] > -INFINITE_BOUND) continue;
      throw this.invalid(
        `the bounds ${lower[i]} and ${upper[i]} are refused; a lower bound must be a number below ${INFINITE_BOUND}, an upper bound one above -${INFINITE_BOUND}`,
      );
    }
  }
}

function isState(state: number): boolean {
  return state <= BasisState.nonbasic;
}

/** Sets bounds from `first` on, and makes those infinite that HiGHS takes for infinite. */
function setBounds(
  lowerBounds: Float64Array,
  upperBounds: Float64Array,
  first: number,
  lower: Float64Array,
  upper: Float64Array,
): void {
  for (let i = 0; i < lower.length; i++) {
    const tooLow = lower[i] <= -INFINITE_BOUND;
    lowerBounds[first + i] = tooLow ? Number.NEGATIVE_INFINITY : lower[i];
    const tooHigh = upper[i] >= INFINITE_BOUND;
    upperBounds[first + i] = tooHigh ? Number.POSITIVE_INFINITY : upper[i];
  }
}
