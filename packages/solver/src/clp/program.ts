import {
  type Basis,
  BasisState,
  type LpData,
  type LpOptions,
  type LpSolution,
  type RowData,
} from "../linear-program.js";
import { type AttemptResult, checkProgram, RetryingProgram } from "../retrying-program.js";
import type { ClpLibrary } from "./library.js";

/** `ClpSimplex::Status`. */
const ClpState = { free: 0, basic: 1, upper: 2, lower: 3, superBasic: 4, fixed: 5 } as const;
const STATE_BITS = 7;

const TO_CLP: Readonly<Record<number, number>> = {
  [BasisState.lower]: ClpState.lower,
  [BasisState.basic]: ClpState.basic,
  [BasisState.upper]: ClpState.upper,
  [BasisState.zero]: ClpState.free,
  [BasisState.nonbasic]: ClpState.superBasic,
};
const FROM_CLP: Readonly<Record<number, number>> = {
  [ClpState.free]: BasisState.zero,
  [ClpState.basic]: BasisState.basic,
  [ClpState.upper]: BasisState.upper,
  [ClpState.lower]: BasisState.lower,
  [ClpState.superBasic]: BasisState.nonbasic,
  [ClpState.fixed]: BasisState.lower,
};

const NO_SCALING = 0;
const AUTOMATIC_SCALING = 3;
const GEOMETRIC_SCALING = 2;
const NO_PERTURBATION = 100;
const PERTURBATION = 50;

/** The settings of each attempt. Attempts after the first start from the slack basis. */
const LADDER = [
  { algorithm: "dual", scaling: AUTOMATIC_SCALING, perturbation: NO_PERTURBATION },
  { algorithm: "dual", scaling: GEOMETRIC_SCALING, perturbation: PERTURBATION },
  { algorithm: "primal", scaling: AUTOMATIC_SCALING, perturbation: NO_PERTURBATION },
  { algorithm: "primal", scaling: NO_SCALING, perturbation: PERTURBATION },
  { algorithm: "initialSolve", scaling: GEOMETRIC_SCALING, perturbation: PERTURBATION },
] as const;

/** A linear program in CLP. CLP takes the bounds of all rows at once, so they are kept here, too. */
export class ClpProgram extends RetryingProgram {
  readonly solver = "clp";
  protected readonly rungs = LADDER.length;
  private readonly library: ClpLibrary;
  private readonly model: unknown;
  private readonly cost: Float64Array;
  private readonly columnLower: Float64Array;
  private readonly columnUpper: Float64Array;
  private rowLower: Float64Array;
  private rowUpper: Float64Array;

  constructor(library: ClpLibrary, data: LpData, options: LpOptions) {
    checkProgram("clp", data);
    super(data, options);
    const { call } = library;
    this.library = library;
    this.model = call.newModel();
    this.cost = data.cost.slice();
    this.columnLower = data.columnLower.map(toClp);
    this.columnUpper = data.columnUpper.map(toClp);
    this.rowLower = new Float64Array(0);
    this.rowUpper = new Float64Array(0);
    call.setLogLevel(this.model, 0);
    call.loadProblem(
      this.model,
      this.columns,
      0,
      new Int32Array(this.columns + 1),
      new Int32Array(1),
      new Float64Array(1),
      this.columnLower,
      this.columnUpper,
      this.cost,
      new Float64Array(1),
      new Float64Array(1),
    );
    if (this.rows > 0) this.appendRows(data.rows);
  }

  protected attempt(rung: number): AttemptResult {
    const { call } = this.library;
    const { algorithm, scaling, perturbation } = LADDER[rung] as (typeof LADDER)[number];
    if (rung > 0) this.applyBasis(slackBasis(this));
    call.scaling(this.model, scaling);
    call.setPerturbation(this.model, perturbation);
    call.setMaximumIterations(this.model, this.iterationLimit);
    if (algorithm === "initialSolve") call.initialSolve(this.model);
    else call[algorithm](this.model, 0);
    this.iterations += call.numberIterations(this.model);
    switch (call.status(this.model)) {
      case 0:
        return "optimal";
      case 1:
        return "infeasible";
      case 2:
        return "unbounded";
      case 3:
        return "limit";
      default:
        return "trouble";
    }
  }

  protected readObjective(): number {
    return this.library.call.objectiveValue(this.model);
  }

  protected readSolution(part: keyof LpSolution): Float64Array {
    const { library, model, columns, rows } = this;
    const { call } = library;
    const copy = (address: unknown, length: number) => library.doubles(address, length).slice();
    switch (part) {
      case "primal":
        return copy(call.primalColumnSolution(model), columns);
      case "reducedCosts":
        return copy(call.dualColumnSolution(model), columns);
      case "activities":
        return copy(call.primalRowSolution(model), rows);
      case "duals":
        return copy(call.dualRowSolution(model), rows);
    }
  }

  basis(): Basis {
    this.checkOpen();
    const { columns, rows, library } = this;
    const states = library.bytes(library.call.statusArray(this.model), columns + rows);
    const all = states.map((state) => FROM_CLP[state & STATE_BITS] as number);
    return { columns: all.slice(0, columns), rows: all.slice(columns) };
  }

  data(): LpData {
    this.checkOpen();
    const { library, model, columns } = this;
    const { call } = library;
    const entries = call.getNumElements(model);
    const starts = library.integers(call.getVectorStarts(model), columns + 1).slice();
    const lengths = library.integers(call.getVectorLengths(model), columns).slice();
    const end = columns === 0 ? 0 : Math.max(...starts);
    const indices = library.integers(call.getIndices(model), end).slice();
    const elements = library.doubles(call.getElements(model), end).slice();
    return {
      cost: this.cost.slice(),
      columnLower: this.columnLower.map(fromClp),
      columnUpper: this.columnUpper.map(fromClp),
      rows: {
        lower: this.rowLower.map(fromClp),
        upper: this.rowUpper.map(fromClp),
        ...rowWise(this.rows, entries, starts, lengths, indices, elements),
      },
    };
  }

  protected applyRowBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.rowLower.set(lower.map(toClp), first);
    this.rowUpper.set(upper.map(toClp), first);
    this.library.call.chgRowLower(this.model, this.rowLower);
    this.library.call.chgRowUpper(this.model, this.rowUpper);
  }

  protected applyColumnBounds(first: number, lower: Float64Array, upper: Float64Array): void {
    this.columnLower.set(lower.map(toClp), first);
    this.columnUpper.set(upper.map(toClp), first);
    this.library.call.chgColumnLower(this.model, this.columnLower);
    this.library.call.chgColumnUpper(this.model, this.columnUpper);
  }

  protected applyCosts(first: number, costs: Float64Array): void {
    this.cost.set(costs, first);
    this.library.call.chgObjCoefficients(this.model, this.cost);
  }

  protected appendRows({ lower, upper, starts, indices, values }: RowData): void {
    const low = lower.map(toClp);
    const up = upper.map(toClp);
    this.library.call.addRows(this.model, low.length, low, up, starts, indices, values);
    this.rowLower = joined(this.rowLower, low);
    this.rowUpper = joined(this.rowUpper, up);
  }

  protected removeRows(indices: Int32Array): void {
    this.library.call.deleteRows(this.model, indices.length, indices);
    const removed = new Set(indices);
    this.rowLower = this.rowLower.filter((_, row) => !removed.has(row));
    this.rowUpper = this.rowUpper.filter((_, row) => !removed.has(row));
  }

  protected applyBasis(basis: Basis): void {
    const states = new Uint8Array(this.columns + this.rows).fill(ClpState.basic);
    basis.columns.forEach((state, i) => {
      states[i] = TO_CLP[state] ?? ClpState.lower;
    });
    basis.rows.forEach((state, i) => {
      states[this.columns + i] = TO_CLP[state] ?? ClpState.lower;
    });
    this.library.call.copyinStatus(this.model, states);
  }

  protected release(): void {
    this.library.call.deleteModel(this.model);
  }
}

/** All rows basic, all columns at a bound. */
function slackBasis({ columns, rows }: { columns: number; rows: number }): Basis {
  return {
    columns: new Uint8Array(columns),
    rows: new Uint8Array(rows).fill(BasisState.basic),
  };
}

/** CLP's infinity is the largest double. */
function toClp(bound: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, bound));
}

function fromClp(bound: number): number {
  return Math.abs(bound) === Number.MAX_VALUE ? bound * 2 : bound;
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** Converts a matrix stored by columns to one stored by rows. */
function rowWise(
  rows: number,
  entries: number,
  columnStarts: Int32Array,
  lengths: Int32Array,
  rowOf: Int32Array,
  elements: Float64Array,
): Pick<RowData, "starts" | "indices" | "values"> {
  const starts = new Int32Array(rows + 1);
  const each = (visit: (row: number, column: number, value: number) => void) => {
    lengths.forEach((length, column) => {
      const first = columnStarts[column] as number;
      for (let k = first; k < first + length; k++)
        visit(rowOf[k] as number, column, elements[k] as number);
    });
  };
  each((row) => {
    starts[row + 1] = (starts[row + 1] as number) + 1;
  });
  for (let row = 0; row < rows; row++) {
    starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
  }
  const next = starts.slice();
  const indices = new Int32Array(entries);
  const values = new Float64Array(entries);
  each((row, column, value) => {
    const at = next[row] as number;
    next[row] = at + 1;
    indices[at] = column;
    values[at] = value;
  });
  return { starts, indices, values };
}
