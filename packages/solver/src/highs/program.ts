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
  applySettings,
  BASE_SETTINGS,
  DEFAULTS,
  EDGE_WEIGHTS,
  type HighsSettings,
  LADDER,
  ModelStatus,
} from "./options.js";
import { passLp, readLp } from "./transfer.js";

/** A linear program in HiGHS. Its arrays in the memory of the library are allocated once and grow with the rows. */
export class HighsProgram extends RetryingProgram {
  readonly solver: "highs-wasm" | "highs-native";
  protected readonly rungs = LADDER.length;
  private readonly library: HighsLibrary;
  private readonly highs: number;
  /** Two doubles and one integer for each column, and one integer for an info value. */
  private readonly columnArea: number;
  /** The same for each row; room for `rowCapacity` rows. */
  private rowArea = 0;
  private rowCapacity = 0;
  private limit = -1;
  /** Where the parts of solutions are copied to. */
  private readonly parts: Record<keyof LpSolution, Float64Array> = {
    primal: new Float64Array(0),
    reducedCosts: new Float64Array(0),
    activities: new Float64Array(0),
    duals: new Float64Array(0),
  };

  constructor(library: HighsLibrary, data: LpData, options: LpOptions) {
    checkProgram(library.name, data);
    super(data, options);
    this.solver = library.name;
    this.library = library;
    this.highs = library.call._Highs_create();
    this.columnArea = library.allocate(this.columns * 20 + 8);
    try {
      this.reserveRows(this.rows);
      this.apply({ ...BASE_SETTINGS, ...DEFAULTS });
      const edgeWeights = EDGE_WEIGHTS[options.edgeWeights ?? "choose"];
      this.apply({ simplex_dual_edge_weight_strategy: edgeWeights });
      this.check(
        this.guarded(() => passLp(library, this.highs, data)),
        "passLp",
      );
    } catch (error) {
      this.release();
      throw error;
    }
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

  /** HiGHS leaves out the arrays whose address is 0. */
  protected readSolution(part: keyof LpSolution): Float64Array {
    const { library, columnArea: column, rowArea: row } = this;
    const { call } = library;
    const isOfColumns = part === "primal" || part === "reducedCosts";
    if (part === "primal") call._Highs_getSolution(this.highs, column, 0, 0, 0);
    else if (part === "reducedCosts") call._Highs_getSolution(this.highs, 0, column, 0, 0);
    else if (part === "activities") call._Highs_getSolution(this.highs, 0, 0, row, 0);
    else call._Highs_getSolution(this.highs, 0, 0, 0, row);
    const length = isOfColumns ? this.columns : this.rows;
    if (this.parts[part].length !== length) this.parts[part] = new Float64Array(length);
    library.read(isOfColumns ? column : row, this.parts[part]);
    return this.parts[part];
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
    return readLp(this.library, this.highs, this.columns, this.rows);
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
    const count = lower.length;
    this.library.withArrays([lower, upper, starts, indices, values], (low, up, ...sparse) => {
      const status = this.guarded(() =>
        call._Highs_addRows(this.highs, count, low, up, indices.length, ...sparse),
      );
      this.check(status, "addRows");
    });
    this.reserveRows(this.rows + lower.length);
  }

  protected removeRows(indices: Int32Array): void {
    this.library.withArrays([indices], (set) => {
      const status = this.library.call._Highs_deleteRowsBySet(this.highs, indices.length, set);
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
      throw this.foreignBasis();
    }
  }

  protected release(): void {
    const { call } = this.library;
    call._Highs_destroy(this.highs);
    call._free(this.columnArea);
    call._free(this.rowArea);
  }

  /** The limit changes only with the program's size, so most solves need not set it. */
  private limitIterations(): void {
    const limit = this.iterationLimit;
    if (limit === this.limit) return;
    this.limit = limit;
    this.apply({ simplex_iteration_limit: limit, ipm_iteration_limit: limit });
  }

  private run(): void {
    this.guarded(() => this.library.call._Highs_run(this.highs));
  }

  /** For calls in which HiGHS allocates memory. */
  private guarded<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      // The module has aborted, so none of its programs can be used any more.
      throw error instanceof SolverError ? error : this.library.crash(error);
    }
  }

  private count(info: string): number {
    const { library } = this;
    const at = this.columnArea + this.columns * 20;
    // After an error HiGHS writes nothing.
    library.integers[at / 4] = 0;
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
    applySettings(this.library, this.highs, settings);
  }

  private reserveRows(rows: number): void {
    if (rows <= this.rowCapacity && this.rowArea !== 0) return;
    if (this.rowArea !== 0) this.library.call._free(this.rowArea);
    this.rowCapacity = Math.max(rows, this.rowCapacity * 2, 16);
    this.rowArea = this.library.allocate(this.rowCapacity * 20);
  }

  private check(status: number, call: string): void {
    if (status === -1)
      throw this.invalid(`${call} was refused; a bound or a value is not valid for HiGHS`);
  }
}
