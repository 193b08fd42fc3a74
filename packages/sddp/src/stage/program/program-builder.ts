import { Family, RowFamily } from "./family.js";
import { RowBuilder, type Term } from "./row-builder.js";
import { KnownColumns, StageProgram, StateColumns, type StateFamily } from "./stage-program.js";

/** What stands for an entity in the names of its columns and rows; an empty text for a family of one. */
export type Label = number | string;

type ByEntity<T> = (entity: number, block: number) => T;

/** The columns of a family. What is left out is 0, except the upper bound, which is infinite. */
export interface FamilySpec<Kind extends string = string> {
  /** One for each entity. */
  readonly labels: readonly Label[];
  /** One for each block; without it an entity has one column. */
  readonly blocks?: readonly Label[];
  readonly cost?: ByEntity<number>;
  /** What the cost is for. Costs are summed by kind. */
  readonly kind?: Kind;
  readonly lower?: ByEntity<number>;
  readonly upper?: ByEntity<number>;
  readonly isThere?: ByEntity<boolean>;
}

/** The components of a state that a family adds. */
export interface StateSpec {
  readonly labels: readonly Label[];
  /** The column that holds a component at the end of the stage. It is asked when all columns are there. */
  readonly outgoing: (component: number) => number;
}

/**
 * Builds the linear program of a stage from families of columns, balances to which any component adds its terms, and single rows. It knows
 * nothing of what the columns mean.
 *
 * @example
 * ```ts
 * const program = new ProgramBuilder();
 * const buy = program.family("buy", { labels: [1], cost: () => 5, kind: "purchase" });
 * const stock = program.family("stock", { labels: [1], upper: () => 100 });
 * const before = program.state("stock", { labels: [1], outgoing: (i) => stock.column(i) });
 * const balance = program.balance("stock", [1]);
 * balance.add(0, 0, [[stock.column(0), 1], [before.column(0), -1], [buy.column(0), -1]]);
 * program.future(1, 0);
 * program.build();
 * ```
 */
export class ProgramBuilder<Kind extends string = string> {
  private readonly cost: number[] = [];
  private readonly lower: number[] = [];
  private readonly upper: number[] = [];
  private readonly kindOf: number[] = [];
  private readonly kinds: Kind[] = [];
  private readonly columnNames: string[] = [];
  private readonly balanceRows = new RowBuilder();
  private readonly balanceNames: string[] = [];
  private readonly otherRows = new RowBuilder();
  private readonly otherNames: string[] = [];
  private readonly states: (StateFamily & { outgoing: StateSpec["outgoing"] })[] = [];
  private readonly known: number[] = [];
  private readonly stateKnown: number[] = [];
  private readonly knownFamilies = new Map<string, KnownColumns>();
  private readonly expressions = new Map<string, ByEntity<readonly Term[]>[]>();
  private readonly constants = new Map<string, ByEntity<number>[]>();
  private readonly families = new Map<string, Family>();
  private readonly balances = new Map<string, Balance>();
  private theta = -1;

  /** Adds the columns of a family. */
  family(name: string, spec: FamilySpec<Kind>): Family {
    const { labels, blocks, cost, kind, lower, upper, isThere } = spec;
    const K = blocks?.length ?? 1;
    const columns = new Int32Array(labels.length * K).fill(-1);
    labels.forEach((label, entity) => {
      for (let block = 0; block < K; block++) {
        if (isThere?.(entity, block) === false) continue;
        columns[entity * K + block] = this.column(
          nameOf(name, label, blocks?.[block]),
          cost?.(entity, block) ?? 0,
          lower?.(entity, block) ?? 0,
          upper?.(entity, block) ?? Number.POSITIVE_INFINITY,
          kind,
        );
      }
    });
    const family = new Family(name, K, columns);
    this.families.set(name, family);
    return family;
  }

  /** Adds columns whose values are known when the program is solved. They are set for each opening. */
  knownFamily(name: string, labels: readonly Label[]): KnownColumns {
    const first = this.cost.length;
    const known = this.known.length;
    for (const label of labels) {
      this.known.push(this.column(nameOf(name, label), 0, 0, 0, undefined));
    }
    const columns = Int32Array.from(labels, (_, i) => first + i);
    this.families.set(name, new Family(name, 1, columns));
    const family = new KnownColumns(first, known);
    this.knownFamilies.set(name, family);
    return family;
  }

  /** Adds components to the state, as known columns that hold it at the start of the stage. */
  state(name: string, { labels, outgoing }: StateSpec): StateColumns {
    const offset = this.stateKnown.length;
    const { first, known } = this.knownFamily(`${name}_before`, labels);
    labels.forEach((_, i) => {
      this.stateKnown.push(known + i);
    });
    this.states.push({ name, labels, offset, outgoing });
    return new StateColumns(first, known, offset);
  }

  /** Adds the cost of everything after the stage: θ ≥ `floor`; `undefined` if nothing follows. */
  future(discount: number, floor: number | undefined): void {
    const upper = floor === undefined ? 0 : Number.POSITIVE_INFINITY;
    this.theta = this.column("future", discount, floor ?? 0, upper, undefined);
  }

  /** Adds equations with the right-hand side 0, one for each entity and block. */
  balance(name: string, labels: readonly Label[], blocks?: readonly Label[]): Balance {
    const rows = this.balanceRows;
    const first = rows.rows;
    for (const label of labels) {
      for (const block of blocks ?? [undefined]) {
        rows.add(0, 0);
        this.balanceNames.push(nameOf(name, label, block));
      }
    }
    const family = new RowFamily(name, blocks?.length ?? 1, first, rows.rows - first);
    const balance = new Balance(rows, family);
    this.balances.set(name, balance);
    return balance;
  }

  /** A balance that was added before. */
  balanceOf(name: string): Balance {
    const balance = this.balances.get(name);
    if (balance === undefined) throw new RangeError(`the program has no balance of ${name}`);
    return balance;
  }

  /** Adds a row. Its index is known when all balances are there, which come before it. */
  row(
    name: string,
    lower: number,
    upper: number,
    terms: readonly Term[],
  ): { readonly index: number } {
    const { balanceRows } = this;
    const at = this.otherRows.add(lower, upper, terms);
    this.otherNames.push(name);
    return {
      get index() {
        return balanceRows.rows + at;
      },
    };
  }

  /** A family that was added before. */
  familyOf(name: string): Family {
    const family = this.families.get(name);
    if (family === undefined) throw new RangeError(`the program has no family ${name}`);
    return family;
  }

  /** Known columns that were added before. */
  knownOf(name: string): KnownColumns {
    const family = this.knownFamilies.get(name);
    if (family === undefined) throw new RangeError(`the program has no known columns ${name}`);
    return family;
  }

  /** Adds terms to what a quantity is made of. A family is the expression of its own name. */
  express(name: string, terms: ByEntity<readonly Term[]>): void {
    this.expressions.set(name, [...(this.expressions.get(name) ?? []), terms]);
  }

  /** Adds a constant to what a quantity is made of. It may change with the opening, and is read when it is asked for. */
  expressConstant(name: string, constant: ByEntity<number>): void {
    this.constants.set(name, [...(this.constants.get(name) ?? []), constant]);
  }

  /** The constant part of a quantity, or `undefined` if it has none. Ask once, and keep the function. */
  constantOf(name: string): ByEntity<number> | undefined {
    const parts = this.constants.get(name);
    if (parts === undefined) return undefined;
    return (entity, block) => {
      let sum = 0;
      for (const part of parts) sum += part(entity, block);
      return sum;
    };
  }

  /** Whether there are columns of this quantity. */
  hasQuantity(name: string): boolean {
    return this.expressions.has(name) || this.families.has(name);
  }

  /** The terms of a quantity of an entity in a block; none where it has no column. */
  expression(name: string, entity: number, block: number): readonly Term[] {
    const parts = this.expressions.get(name);
    if (parts !== undefined) return parts.flatMap((terms) => terms(entity, block));
    const family = this.familyOf(name);
    const column = family.column(entity, family.blocks === 1 ? 0 : block);
    return column < 0 ? [] : [[column, 1]];
  }

  build(): StageProgram<Kind> {
    const balances = this.balanceRows.build();
    const others = this.otherRows.build();
    const shift = balances.values.length;
    return new StageProgram({
      data: {
        cost: Float64Array.from(this.cost),
        columnLower: Float64Array.from(this.lower),
        columnUpper: Float64Array.from(this.upper),
        rows: {
          lower: joined(balances.lower, others.lower),
          upper: joined(balances.upper, others.upper),
          starts: Int32Array.from([
            ...balances.starts,
            ...others.starts.subarray(1).map((start) => start + shift),
          ]),
          indices: Int32Array.from([...balances.indices, ...others.indices]),
          values: joined(balances.values, others.values),
        },
      },
      families: this.families,
      balances: new Map([...this.balances].map(([name, { family }]) => [name, family])),
      theta: this.theta,
      states: this.states.map(({ name, labels, offset }) => ({ name, labels, offset })),
      outgoing: Int32Array.from(
        this.states.flatMap(({ labels, outgoing }) => labels.map((_, i) => outgoing(i))),
      ),
      known: Int32Array.from(this.known),
      stateKnown: Int32Array.from(this.stateKnown),
      kinds: this.kinds,
      kindOf: Int8Array.from(this.kindOf),
      names: { columns: this.columnNames, rows: [...this.balanceNames, ...this.otherNames] },
    });
  }

  private column(
    name: string,
    cost: number,
    lower: number,
    upper: number,
    kind: Kind | undefined,
  ): number {
    this.columnNames.push(name);
    this.cost.push(cost);
    this.lower.push(lower);
    this.upper.push(upper);
    this.kindOf.push(kind === undefined ? -1 : this.indexOfKind(kind));
    return this.cost.length - 1;
  }

  private indexOfKind(kind: Kind): number {
    const known = this.kinds.indexOf(kind);
    return known >= 0 ? known : this.kinds.push(kind) - 1;
  }
}

/** Equations to which components add their terms. */
export class Balance {
  readonly family: RowFamily;
  private readonly rows: RowBuilder;

  constructor(rows: RowBuilder, family: RowFamily) {
    this.rows = rows;
    this.family = family;
  }

  add(entity: number, block: number, terms: readonly Term[]): void {
    const row = this.family.row(entity, block);
    for (const [column, factor] of terms) this.rows.addTerm(row, column, factor);
  }

  /** Adds a constant to the right-hand side. */
  addRight(entity: number, block: number, value: number): void {
    this.rows.shift(this.family.row(entity, block), value);
  }
}

function nameOf(family: string, label: Label, block?: Label): string {
  const ofEntity = label === "" ? family : `${family}_${label}`;
  return block === undefined ? ofEntity : `${ofEntity}_${block}`;
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
