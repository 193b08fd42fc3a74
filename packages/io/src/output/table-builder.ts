import type {
  NumberColumn,
  NumberTableSpec,
  OutputColumn,
  TableRow,
  TableSpec,
  TextColumn,
} from "./column.js";

/** A table of numbers that grows row by row. */
export class TableBuilder<S extends NumberTableSpec> {
  private readonly spec: S;
  private readonly data: { readonly [K in keyof S]: (number | null)[] };

  constructor(spec: S) {
    this.spec = spec;
    this.data = Object.fromEntries(Object.keys(spec).map((name) => [name, []])) as unknown as {
      readonly [K in keyof S]: (number | null)[];
    };
  }

  add(row: { readonly [K in keyof S]: number | null }): void {
    for (const name in this.data) this.data[name].push(row[name]);
  }

  columns(): NumberColumn[] {
    return Object.entries(this.spec).map(([name, { type, isNullable }]) => ({
      name,
      type,
      isNullable,
      data: this.data[name] ?? [],
    }));
  }
}

/** The columns of a table that is given as rows. */
export function tableOf<S extends TableSpec>(
  spec: S,
  rows: readonly TableRow<S>[],
): OutputColumn[] {
  return Object.entries(spec).map(([name, { type, isNullable }]) => {
    const data = rows.map((row) => row[name]);
    return { name, type, isNullable, data } as NumberColumn | TextColumn;
  });
}
