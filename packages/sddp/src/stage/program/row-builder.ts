import type { RowData } from "@cobre/solver";

/** A coefficient of a row: the column and its factor. */
export type Term = readonly [column: number, factor: number];

/** The same terms, each factor times a number. */
export function scaled(terms: readonly Term[], by: number): Term[] {
  return terms.map(([column, factor]) => [column, factor * by]);
}

/** Collects the terms of rows, which may come from many places and in any order. */
export class RowBuilder {
  private readonly lower: number[] = [];
  private readonly upper: number[] = [];
  private readonly terms: Map<number, number>[] = [];

  get rows(): number {
    return this.lower.length;
  }

  /** Adds a row and returns its index. */
  add(lower: number, upper: number, terms: readonly Term[] = []): number {
    this.lower.push(lower);
    this.upper.push(upper);
    this.terms.push(new Map());
    const row = this.lower.length - 1;
    for (const [column, factor] of terms) this.addTerm(row, column, factor);
    return row;
  }

  /** Adds a term to a row. A column that the row already has gets the sum; column -1 is no column. */
  addTerm(row: number, column: number, factor: number): void {
    if (column < 0) return;
    const terms = this.terms[row];
    terms.set(column, (terms.get(column) ?? 0) + factor);
  }

  /** Moves both bounds of a row by an amount. */
  shift(row: number, amount: number): void {
    this.lower[row] += amount;
    this.upper[row] += amount;
  }

  /** The terms of each row are in the order of the columns, whichever component came first. */
  build(): RowData {
    const rows = this.terms.map((terms) =>
      [...terms].filter(([, factor]) => factor !== 0).sort(([a], [b]) => a - b),
    );
    const starts = new Int32Array(rows.length + 1);
    rows.forEach((row, i) => {
      starts[i + 1] = starts[i] + row.length;
    });
    const all = rows.flat();
    return {
      lower: Float64Array.from(this.lower),
      upper: Float64Array.from(this.upper),
      starts,
      indices: Int32Array.from(all, ([column]) => column),
      values: Float64Array.from(all, ([, factor]) => factor),
    };
  }
}
