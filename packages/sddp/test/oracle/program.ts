/** A linear program that is put together column by column and row by row. */
import type { LpData, LpSolver } from "@cobre/solver";

/** Σ coefficient · column; no column occurs twice. */
export type Terms = readonly (readonly [column: number, coefficient: number])[];

export class Program {
  private readonly lower: number[] = [];
  private readonly upper: number[] = [];
  private readonly rows: { lower: number; upper: number; terms: Terms }[] = [];

  column(lower = 0, upper = Number.POSITIVE_INFINITY): number {
    this.lower.push(lower);
    this.upper.push(upper);
    return this.lower.length - 1;
  }

  equal(terms: Terms, value: number): void {
    this.rows.push({ lower: value, upper: value, terms });
  }

  between(terms: Terms, lower: number, upper: number): void {
    this.rows.push({ lower, upper, terms });
  }

  atLeast(terms: Terms, lower: number): void {
    this.rows.push({ lower, upper: Number.POSITIVE_INFINITY, terms });
  }

  atMost(terms: Terms, upper: number): void {
    this.rows.push({ lower: Number.NEGATIVE_INFINITY, upper, terms });
  }

  /** The smallest value of the objective; fails if there is none. */
  minimum(objective: Terms, solver: LpSolver): number {
    using program = solver.create(this.data(objective));
    const status = program.solve();
    if (status !== "optimal") throw new Error(`the program of the whole tree is ${status}`);
    return program.objective;
  }

  private data(objective: Terms): LpData {
    const cost = new Float64Array(this.lower.length);
    for (const [column, coefficient] of objective) cost[column] = coefficient;
    const entries = this.rows.flatMap(({ terms }) => terms);
    const starts = Int32Array.of(0, ...this.rows.map(({ terms }) => terms.length));
    for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
    return {
      cost,
      columnLower: Float64Array.from(this.lower),
      columnUpper: Float64Array.from(this.upper),
      rows: {
        lower: Float64Array.from(this.rows, ({ lower }) => lower),
        upper: Float64Array.from(this.rows, ({ upper }) => upper),
        starts,
        indices: Int32Array.from(entries, ([column]) => column),
        values: Float64Array.from(entries, ([, coefficient]) => coefficient),
      },
    };
  }
}

/** The terms times a factor. */
export function times(factor: number, terms: Terms): Terms {
  return terms.map(([column, coefficient]) => [column, factor * coefficient]);
}

/** The terms with each column once. */
export function gathered(terms: Terms): Terms {
  const sums = new Map<number, number>();
  for (const [column, factor] of terms) sums.set(column, (sums.get(column) ?? 0) + factor);
  return [...sums];
}
