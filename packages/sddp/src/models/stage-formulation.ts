import type { IssueCollector } from "@cobre/core";
import type { ByOpening, StateDefinition } from "./model-definition.js";

/** A column of a stage's program. */
export class Column {
  readonly name: string;
  /** @internal */
  readonly owner: object;
  /** @internal The index among the columns of the stage: states at its end, states at its start, then those that were added. */
  readonly index: number;
  /** @internal The component of the state that it holds at the start of the stage, or -1. */
  readonly component: number;

  /** @internal */
  constructor(owner: object, name: string, index: number, component: number) {
    this.owner = owner;
    this.name = name;
    this.index = index;
    this.component = component;
  }
}

/** A column that is added to a stage. */
export interface ColumnDefinition<Opening> {
  /** Its coefficient in the objective: a cost, or a reward if the model maximises. Default: 0. */
  readonly objective?: ByOpening<Opening> | undefined;
  /** Default: 0. */
  readonly lower?: number | undefined;
  /** Default: Infinity. */
  readonly upper?: number | undefined;
}

/** The limits of a row: `equals`, or one or both of the others. */
export interface RowLimits<Opening> {
  readonly equals?: ByOpening<Opening> | undefined;
  readonly atLeast?: ByOpening<Opening> | undefined;
  readonly atMost?: ByOpening<Opening> | undefined;
}

/** A column with its coefficient. That of a state at the start of the stage may depend on the opening; others are numbers. */
export type RowTerm<Opening> = readonly [column: Column, factor: ByOpening<Opening>];

/** A row as it was formulated; numbers that may depend on the opening stand there for each one. */
export interface FormulatedRow {
  readonly name: string;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly terms: readonly (readonly [column: Column, factors: Float64Array])[];
}

/** A column as it was formulated. */
export interface FormulatedColumn {
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  /** For each opening. */
  readonly objective: Float64Array;
}

/**
 * A stage under construction: what `build` of a model adds its columns and rows to. Mistakes are collected, and {@link defineModel} reports them
 * all at once.
 *
 * @example
 * ```ts
 * build(stage) {
 *   const { stock } = stage.state;
 *   const sold = stage.column("sold", { objective: 3 });
 *   stage.row("balance", [[stock.out, 1], [stock.in, -1], [sold, 1]], { equals: 0 });
 *   stage.row("demand", [[sold, 1]], { atMost: (demand) => demand });
 * }
 * ```
 */
export class StageFormulation<Name extends string = string, Opening = unknown> {
  /** Counted from 0. */
  readonly index: number;
  /** The node of the stage, counted from 0; 0 unless the model has transitions. */
  readonly node: number;
  /** Whether nothing follows the stage. */
  readonly isLast: boolean;
  /** For each component of the state, the columns that hold it at the start and at the end of the stage. */
  readonly state: Readonly<Record<Name, { readonly in: Column; readonly out: Column }>>;
  /** @internal */
  readonly columns: FormulatedColumn[] = [];
  /** @internal */
  readonly rows: FormulatedRow[] = [];
  /** @internal */
  readonly openings: readonly Opening[];
  private readonly issues: IssueCollector;
  private readonly constants = new Map<number, Float64Array>();
  private readonly names = { column: new Set<string>(), row: new Set<string>() };

  /** @internal */
  constructor(
    index: number,
    isLast: boolean,
    states: Readonly<Record<Name, StateDefinition>>,
    openings: readonly Opening[],
    issues: IssueCollector,
    node = 0,
  ) {
    this.index = index;
    this.node = node;
    this.isLast = isLast;
    this.openings = openings;
    this.issues = issues;
    const names = Object.keys(states) as Name[];
    const after = names.map((name) => this.add(name, states[name], -1));
    const before = names.map((name, i) =>
      this.add(`${name}_before`, { lower: -Infinity, upper: Infinity }, i),
    );
    this.state = Object.fromEntries(
      names.map((name, i) => [name, { in: before[i], out: after[i] }]),
    ) as Record<Name, { in: Column; out: Column }>;
  }

  /** Adds a column. */
  column(name: string, definition: ColumnDefinition<Opening> = {}): Column {
    return this.add(name, definition, -1);
  }

  /** Adds to the coefficient of a column in the objective, for instance of a state. */
  objective(column: Column, value: ByOpening<Opening>): void {
    const place = `objective of ${column.name}`;
    if (!this.isOwn(column, place)) return;
    const { objective, ...others } = this.columns[column.index];
    const added = this.values(value, place);
    const sum = objective.map((number, i) => number + added[i]);
    this.columns[column.index] = { ...others, objective: sum };
  }

  /** Adds a row: Σ factor · column keeps its limits. */
  row(name: string, terms: readonly RowTerm<Opening>[], limits: RowLimits<Opening>): void {
    const place = `row ${name}`;
    this.checkName("row", name);
    const { equals, atLeast, atMost } = limits;
    if (equals === undefined && atLeast === undefined && atMost === undefined) {
      this.fault(place, "has no limit", "give equals, atLeast or atMost");
    }
    if (equals !== undefined && (atLeast !== undefined || atMost !== undefined)) {
      this.fault(place, "has equals beside another limit", "give one or the other");
    }
    const lower = this.values(equals ?? atLeast ?? -Infinity, place, "lower");
    const upper = this.values(equals ?? atMost ?? Infinity, place, "upper");
    if (lower.some((low, i) => low > upper[i])) {
      this.fault(place, "asks for at least more than at most", "correct its limits");
    }
    const own = terms.filter(([column]) => this.isOwn(column, place));
    this.rows.push({
      name,
      lower,
      upper,
      terms: own.map(([column, factor]) => {
        const at = `${place}, ${column.name}`;
        if (typeof factor === "function" && column.component < 0) {
          const remedy =
            "only limits, objectives and the coefficients of states at the start of a stage may; write the row another way";
          this.fault(at, "its coefficient depends on the opening", remedy);
        }
        return [column, this.values(factor, at)];
      }),
    });
  }

  private add(name: string, definition: ColumnDefinition<Opening>, component: number): Column {
    const { objective = 0, lower = 0, upper = Infinity } = definition;
    const place = `column ${name}`;
    this.checkName("column", name);
    if (Number.isNaN(lower) || Number.isNaN(upper) || lower > upper) {
      this.fault(place, `has the bounds ${lower} and ${upper}`, "the lower must not be above");
    }
    this.columns.push({
      name,
      lower,
      upper,
      objective: this.values(objective, `objective of ${name}`),
    });
    return new Column(this, name, this.columns.length - 1, component);
  }

  /** The number for each opening. A limit may be infinite on its own side. */
  private values(value: ByOpening<Opening>, place: string, side?: "lower" | "upper"): Float64Array {
    const none = side === "lower" ? -Infinity : side === "upper" ? Infinity : undefined;
    const checked = (number: number, where: string) => {
      if (Number.isFinite(number) || number === none) return number;
      this.fault(place, `is ${number}${where}`, "must be a finite number");
      return 0;
    };
    if (typeof value === "number") return this.constant(checked(value, ""));
    return Float64Array.from(this.openings, (opening, i) =>
      checked(value(opening), ` in opening ${i}`),
    );
  }

  /** The same number for each opening. All who have it share the array: a large model has millions of numbers. */
  private constant(value: number): Float64Array {
    const known = this.constants.get(value);
    if (known !== undefined) return known;
    const made = new Float64Array(this.openings.length).fill(value);
    this.constants.set(value, made);
    return made;
  }

  private isOwn(column: Column, place: string): boolean {
    if (column?.owner === this) return true;
    this.fault(place, "has a column of another stage", "use what this stage's calls have returned");
    return false;
  }

  private checkName(kind: "column" | "row", name: string): void {
    if (name === "") this.fault(`a ${kind}`, "has no name", "give one");
    if (this.names[kind].has(name)) {
      this.fault(`${kind} ${name}`, "is there twice", "give each its own name");
    }
    this.names[kind].add(name);
  }

  private fault(field: string, problem: string, remedy: string): void {
    const ofNode = this.node === 0 ? "" : `, node ${this.node}`;
    const place = { file: "model", entity: `stage ${this.index}${ofNode}`, field };
    // The same mistake in every opening is one mistake.
    const isTold = this.issues.issues.some(
      (told) => told.entity === place.entity && told.field === field && told.problem === problem,
    );
    if (!isTold) this.issues.error("schema", place, problem, remedy);
  }
}
