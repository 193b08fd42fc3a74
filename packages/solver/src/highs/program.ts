import { SolverError } from "../errors.js";
import {
  type Basis,
  BasisState,
  type LpData,
  type LpOptions,
  type LpSolution,
  type RowData,
} from "../linear-program.js";
import { type AttemptResult, checkProgram, RetryingProgram } from "../retrying-program.js";
import type { HighsLibrary } from "./library.js";
import {
  BASE_SETTINGS,
  DEFAULTS,
  EDGE_WEIGHTS,
  type HighsSettings,
  LADDER,
  ModelStatus,
} from "./options.js";

const ROW_WISE = 2;
const MINIMISE = 1;
/** Most doubles of options are small; those written as whole numbers must not be taken for integers. */
const DOUBLE_OPTIONS = new Set(["primal_feasibility_tolerance", "dual_feasibility_tolerance"]);

/** A linear program in HiGHS. Its arrays in the module's memory are made once and grow with the rows. */
export class HighsProgram extends RetryingProgram {
  readonly solver = "highs";
  protected readonly rungs = LADDER.length;
  private readonly library: HighsLibrary;
  private readonly highs: number;
  /** Two doubles and one integer for each column, and one integer for what is asked for. */
  private readonly columnArea: number;
  /** The same for each row; room for `rowCapacity` rows. */
  private rowArea = 0;
  private rowCapacity = 0;
  private limit = -1;
  private readonly primal: Float64Array;
  private readonly reducedCosts: Float64Array;
  private activities = new Float64Array(0);
  private duals = new Float64Array(0);

  constructor(library: HighsLibrary, data: LpData, options: LpOptions) {
    checkProgram("highs", data);
    super(data, options);
    this.library = library;
    this.highs = library.call._Highs_create();
    this.columnArea = library.allocate(this.columns * 20 + 8);
    this.primal = new Float64Array(this.columns);
    this.reducedCosts = new Float64Array(this.columns);
    this.reserveRows(this.rows);
    this.apply({ ...BASE_SETTINGS, ...DEFAULTS });
    const edgeWeights = EDGE_WEIGHTS[options.edgeWeights ?? "choose"];
    this.apply({ simplex_dual_edge_weight_strategy: edgeWeights });
    this.load(data);
  }

  protected attempt(rung: number): AttemptResult {
    const { call } = this.library;
    if (rung > 0) {
      call._Highs_clearSolver(this.highs);
      this.apply(LADDER[rung] as HighsSettings);
    }
    this.limitIterations();
    this.run();
    if (rung > 0) this.restore(LADDER[rung] as HighsSettings);
    this.iterations += this.count("simplex_iteration_count");
    switch (call._Highs_getModelStatus(this.highs)) {
      case ModelStatus.optimal:
      case ModelStatus.empty:
        return "optimal";
      case ModelStatus.infeasible:
        return "infeasible";
      case ModelStatus.unbounded:
        return "unbounded";
      case ModelStatus.iterationLimit:
        return "limit";
      default:
        return "trouble";
    }
  }

  protected readObjective(): number {
    return this.library.call._Highs_getObjectiveValue(this.highs);
  }

  protected readSolution(): LpSolution {
    const { columns, rows, library, columnArea, rowArea } = this;
    const reducedCosts = columnArea + columns * 8;
    const duals = rowArea + this.rowCapacity * 8;
    library.call._Highs_getSolution(this.highs, columnArea, reducedCosts, rowArea, duals);
    if (this.activities.length !== rows) {
      this.activities = new Float64Array(rows);
      this.duals = new Float64Array(rows);
    }
    copyOut(library.doubles, columnArea, this.primal);
    copyOut(library.doubles, reducedCosts, this.reducedCosts);
    copyOut(library.doubles, rowArea, this.activities);
    copyOut(library.doubles, duals, this.duals);
    const { primal, activities } = this;
    return { primal, reducedCosts: this.reducedCosts, activities, duals: this.duals };
  }

  basis(): Basis {
    this.checkOpen();
    const columnStates = this.columnArea + this.columns * 16;
    const rowStates = this.rowArea + this.rowCapacity * 16;
    this.check(this.library.call._Highs_getBasis(this.highs, columnStates, rowStates), "getBasis");
    const { integers } = this.library;
    const columns = new Uint8Array(this.columns);
    for (let i = 0; i < columns.length; i++) columns[i] = integers[columnStates / 4 + i] as number;
    const rows = new Uint8Array(this.rows);
    for (let i = 0; i < rows.length; i++) rows[i] = integers[rowStates / 4 + i] as number;
    return { columns, rows };
  }

  data(): LpData {
    this.checkOpen();
    const { library, columns, rows } = this;
    const entries = library.call._Highs_getNumNz(this.highs);
    const lp: LpData = {
      cost: new Float64Array(columns),
      columnLower: new Float64Array(columns),
      columnUpper: new Float64Array(columns),
      rows: {
        lower: new Float64Array(rows),
        upper: new Float64Array(rows),
        starts: new Int32Array(rows + 1),
        indices: new Int32Array(entries),
        values: new Float64Array(entries),
      },
    };
    const doubles = [
      lp.cost,
      lp.columnLower,
      lp.columnUpper,
      lp.rows.lower,
      lp.rows.upper,
      lp.rows.values,
    ];
    const integers = [lp.rows.starts, lp.rows.indices, new Int32Array(columns), new Int32Array(4)];
    const offset = new Float64Array(1);
    library.withArrays([...doubles, ...integers, offset], (...at) => {
      const [cost, columnLower, columnUpper, lower, upper, values] = at as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const [starts, indices, integrality, counts, objective] = at.slice(6) as [
        number,
        number,
        number,
        number,
        number,
      ];
      this.check(
        library.call._Highs_getLp(
          this.highs,
          ROW_WISE,
          counts,
          counts + 4,
          counts + 8,
          counts + 12,
          objective,
          cost,
          columnLower,
          columnUpper,
          lower,
          upper,
          starts,
          indices,
          values,
          integrality,
        ),
        "getLp",
      );
      doubles.forEach((array, i) => {
        copyOut(library.doubles, at[i] as number, array);
      });
      lp.rows.starts.set(library.integers.subarray(starts / 4, starts / 4 + rows));
      lp.rows.indices.set(library.integers.subarray(indices / 4, indices / 4 + entries));
    });
    lp.rows.starts[rows] = entries;
    return lp;
  }

  protected applyRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    const { library, rowArea } = this;
    const second = rowArea + this.rowCapacity * 8;
    library.doubles.set(lower, rowArea / 8);
    library.doubles.set(upper, second / 8);
    const last = first + lower.length - 1;
    this.check(
      library.call._Highs_changeRowsBoundsByRange(this.highs, first, last, rowArea, second),
      "changeRowsBounds",
    );
  }

  protected applyColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    const { library, columnArea } = this;
    const second = columnArea + this.columns * 8;
    library.doubles.set(lower, columnArea / 8);
    library.doubles.set(upper, second / 8);
    const last = first + lower.length - 1;
    this.check(
      library.call._Highs_changeColsBoundsByRange(this.highs, first, last, columnArea, second),
      "changeColsBounds",
    );
  }

  protected applyCosts(first: number, costs: Float64Array): void {
    const { library, columnArea } = this;
    library.doubles.set(costs, columnArea / 8);
    const last = first + costs.length - 1;
    this.check(
      library.call._Highs_changeColsCostByRange(this.highs, first, last, columnArea),
      "changeColsCost",
    );
  }

  protected appendRows(rows: RowData): void {
    const { lower, upper, starts, indices, values } = rows;
    const { call } = this.library;
    this.library.withArrays([lower, upper, starts, indices, values], (...at) => {
      const [low, up, start, index, value] = at as [number, number, number, number, number];
      const status = call._Highs_addRows(
        this.highs,
        lower.length,
        low,
        up,
        indices.length,
        start,
        index,
        value,
      );
      this.check(status, "addRows");
    });
    this.reserveRows(this.rows + lower.length);
  }

  protected removeRows(indices: Int32Array): void {
    this.library.withArrays([indices], (set) => {
      const status = this.library.call._Highs_deleteRowsBySet(
        this.highs,
        indices.length,
        set as number,
      );
      this.check(status, "deleteRows");
    });
  }

  protected applyBasis(basis: Basis): void {
    const { library } = this;
    const columnStates = this.columnArea + this.columns * 16;
    const rowStates = this.rowArea + this.rowCapacity * 16;
    const { integers } = library;
    integers.set(basis.columns, columnStates / 4);
    integers.set(basis.rows, rowStates / 4);
    integers.fill(BasisState.basic, rowStates / 4 + basis.rows.length, rowStates / 4 + this.rows);
    library.call._Highs_clearSolver(this.highs);
    if (library.call._Highs_setBasis(this.highs, columnStates, rowStates) === -1) {
      throw new SolverError("InvalidBasis", "highs", "the basis is not one of this program");
    }
  }

  protected release(): void {
    const { call } = this.library;
    call._Highs_destroy(this.highs);
    call._free(this.columnArea);
    call._free(this.rowArea);
  }

  private load({ cost, columnLower, columnUpper, rows }: LpData): void {
    const { lower, upper, starts, indices, values } = rows;
    const { library } = this;
    const doubles = [cost, columnLower, columnUpper, lower, upper, values];
    library.withArrays([...doubles, starts, indices], (...at) => {
      const [c, cl, cu, rl, ru, v, s, i] = at as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const counts = [this.columns, this.rows, indices.length] as const;
      const status = library.call._Highs_passLp(
        this.highs,
        ...counts,
        ROW_WISE,
        MINIMISE,
        0,
        c,
        cl,
        cu,
        rl,
        ru,
        s,
        i,
        v,
      );
      this.check(status, "passLp");
    });
  }

  /** Only a change of the program's size changes the limit; most solves have nothing to set. */
  private limitIterations(): void {
    const limit = this.iterationLimit;
    if (limit === this.limit) return;
    this.limit = limit;
    this.apply({ simplex_iteration_limit: limit, ipm_iteration_limit: limit });
  }

  private run(): void {
    try {
      this.library.call._Highs_run(this.highs);
    } catch (error) {
      // The module has aborted; none of its programs can be used any more.
      throw new SolverError("SolverCrashed", "highs", `the solver crashed: ${error}`, error);
    }
  }

  private count(info: string): number {
    const { library } = this;
    const at = this.columnArea + this.columns * 20;
    library.call._Highs_getIntInfoValue(this.highs, library.text(info), at);
    return Math.max(0, library.integers[at / 4] as number);
  }

  private restore(settings: HighsSettings): void {
    for (const name of Object.keys(settings)) {
      const value = BASE_SETTINGS[name] ?? DEFAULTS[name];
      if (value !== undefined) this.apply({ [name]: value });
    }
  }

  private apply(settings: HighsSettings): void {
    const { call } = this.library;
    for (const [name, value] of Object.entries(settings)) {
      const option = this.library.text(name);
      if (typeof value === "string") {
        call._Highs_setStringOptionValue(this.highs, option, this.library.text(value));
      } else if (typeof value === "boolean") {
        call._Highs_setBoolOptionValue(this.highs, option, value ? 1 : 0);
      } else if (DOUBLE_OPTIONS.has(name)) {
        call._Highs_setDoubleOptionValue(this.highs, option, value);
      } else {
        call._Highs_setIntOptionValue(this.highs, option, value);
      }
    }
  }

  private reserveRows(rows: number): void {
    if (rows <= this.rowCapacity && this.rowArea !== 0) return;
    if (this.rowArea !== 0) this.library.call._free(this.rowArea);
    this.rowCapacity = Math.max(rows, this.rowCapacity * 2, 16);
    this.rowArea = this.library.allocate(this.rowCapacity * 20);
  }

  private check(status: number, call: string): void {
    if (status === -1)
      throw this.invalid(`${call} was refused; a bound or a value is not a number HiGHS takes`);
  }
}

function copyOut(doubles: Float64Array, address: number, into: Float64Array): void {
  into.set(doubles.subarray(address / 8, address / 8 + into.length));
}
