import type { LpData, LpNames } from "@cobre/solver";
import type { Family, RowFamily } from "./family.js";
import type { Label } from "./program-builder.js";

/** A family of state components. */
export interface StateFamily {
  readonly name: string;
  readonly labels: readonly Label[];
  /** The index of its first component in the state. */
  readonly offset: number;
}

/** Columns with known values, one after the other. */
export class KnownColumns {
  readonly first: number;
  /** The index of the first of these values among all known values of the program. */
  readonly known: number;

  constructor(first: number, known: number) {
    this.first = first;
    this.known = known;
  }

  column(index: number): number {
    return this.first + index;
  }
}

/** The columns that hold a family of state components at the start of the stage. */
export class StateColumns extends KnownColumns {
  /** The index of the first component in the state. */
  readonly state: number;

  constructor(first: number, known: number, state: number) {
    super(first, known);
    this.state = state;
  }
}

/** What {@link StageProgram} is made of. */
export interface StageProgramParts<Kind extends string = string> {
  readonly data: LpData;
  readonly families: ReadonlyMap<string, Family>;
  readonly balances: ReadonlyMap<string, RowFamily>;
  /** The column of the cost of everything after the stage. */
  readonly theta: number;
  readonly states: readonly StateFamily[];
  /** The column that holds each component of the state at the end of the stage. */
  readonly outgoing: Int32Array;
  /** The columns whose values are known: the state at the start of the stage, and what openings bring. */
  readonly known: Int32Array;
  /** The index of each state component among the known columns. */
  readonly stateKnown: Int32Array;
  /** What costs are for. */
  readonly kinds: readonly Kind[];
  /** For each column the kind of its cost, or -1. */
  readonly kindOf: Int8Array;
  readonly names: Required<LpNames>;
}

/** The linear program of a stage, without cuts. */
export class StageProgram<Kind extends string = string> implements StageProgramParts<Kind> {
  readonly data: LpData;
  readonly families: ReadonlyMap<string, Family>;
  readonly balances: ReadonlyMap<string, RowFamily>;
  readonly theta: number;
  readonly states: readonly StateFamily[];
  readonly outgoing: Int32Array;
  readonly known: Int32Array;
  readonly stateKnown: Int32Array;
  readonly kinds: readonly Kind[];
  readonly kindOf: Int8Array;
  readonly names: Required<LpNames>;
  /** For each column 1 if it is known. */
  readonly isKnown: Uint8Array;
  /** For each component of the state at the end of the stage, the index of its column among the known ones, or -1. */
  readonly outgoingKnown: Int32Array;
  /** Known columns that follow each other, as [first index among the known, end]. Their bounds are set by one call. */
  readonly knownRuns: readonly (readonly [number, number])[];

  constructor(parts: StageProgramParts<Kind>) {
    this.data = parts.data;
    this.families = parts.families;
    this.balances = parts.balances;
    this.theta = parts.theta;
    this.states = parts.states;
    this.outgoing = parts.outgoing;
    this.known = parts.known;
    this.stateKnown = parts.stateKnown;
    this.kinds = parts.kinds;
    this.kindOf = parts.kindOf;
    this.names = parts.names;
    this.isKnown = new Uint8Array(parts.data.cost.length);
    for (const column of parts.known) this.isKnown[column] = 1;
    const placeOf = new Map(Array.from(parts.known, (column, i) => [column, i]));
    this.outgoingKnown = parts.outgoing.map((column) => placeOf.get(column) ?? -1);
    this.knownRuns = runsOf(parts.known);
  }

  /** A family of columns, known ones included. */
  family(name: string): Family {
    const family = this.families.get(name);
    if (family === undefined) throw new RangeError(`the program has no family ${name}`);
    return family;
  }

  /** The rows of a balance. */
  balance(name: string): RowFamily {
    const balance = this.balances.get(name);
    if (balance === undefined) throw new RangeError(`the program has no balance of ${name}`);
    return balance;
  }

  /** The number of components of a state. */
  get dimension(): number {
    return this.outgoing.length;
  }

  /** The cost of a solution by kind, in the order of {@link kinds}, and of all together. θ is no part of it. */
  costs(primal: Float64Array): { readonly byKind: Float64Array; readonly total: number } {
    const { data, theta, kindOf } = this;
    const byKind = new Float64Array(this.kinds.length);
    let total = 0;
    for (let j = 0; j < data.cost.length; j++) {
      if (j === theta) continue;
      const cost = data.cost[j] * primal[j];
      total += cost;
      if (kindOf[j] >= 0) byKind[kindOf[j]] += cost;
    }
    return { byKind, total };
  }

  /** The same as `total` of {@link costs}, to the bit. */
  totalCost(primal: Float64Array): number {
    const { theta } = this;
    const { cost } = this.data;
    let total = 0;
    for (let j = 0; j < cost.length; j++) if (j !== theta) total += cost[j] * primal[j];
    return total;
  }
}

function runsOf(columns: Int32Array): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  columns.forEach((column, i) => {
    const last = runs.at(-1);
    if (last !== undefined && columns[i - 1] === column - 1) last[1] = i + 1;
    else runs.push([i, i + 1]);
  });
  return runs;
}
