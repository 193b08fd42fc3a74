/** The types of columns in tables of results. */
export type ColumnType =
  | "INT8"
  | "INT32"
  | "UINT32"
  | "INT64"
  | "DOUBLE"
  /** A day, counted from 1970-01-01. */
  | "DATE"
  /** Given as 0 and 1. */
  | "BOOLEAN"
  | "STRING";

/** The description of a column, as the data dictionary gives it. */
export interface ColumnSpec<T extends ColumnType = ColumnType> {
  readonly type: T;
  /** Empty if the column has no unit. */
  readonly unit: string;
  readonly about: string;
  readonly isNullable: boolean;
}

/** The columns of a table, in order. */
export type TableSpec = Readonly<Record<string, ColumnSpec>>;

/** A table without text columns. */
export type NumberTableSpec = Readonly<Record<string, ColumnSpec<Exclude<ColumnType, "STRING">>>>;

/** A column of numbers. */
export interface NumberColumn {
  readonly name: string;
  readonly type: Exclude<ColumnType, "STRING">;
  /** In a typed array, NaN stands for a missing value. */
  readonly data: readonly (number | null)[] | Float64Array;
  /** Whether the column may have nulls. */
  readonly isNullable?: boolean;
}

/** A column of text. */
export interface TextColumn {
  readonly name: string;
  readonly type: "STRING";
  readonly data: readonly (string | null)[];
  readonly isNullable?: boolean;
}

export type OutputColumn = NumberColumn | TextColumn;

/** A row of a table with this specification. */
export type TableRow<S extends TableSpec> = {
  readonly [K in keyof S]: S[K] extends ColumnSpec<"STRING"> ? string : number | null;
};

const spec =
  <T extends ColumnType>(type: T) =>
  (about: string, unit = ""): ColumnSpec<T> => ({ type, about, unit, isNullable: false });

export const code = spec("INT8");
export const integer = spec("INT32");
export const index = spec("UINT32");
export const long = spec("INT64");
export const real = spec("DOUBLE");
export const flag = spec("BOOLEAN");
export const text = spec("STRING");

/** The same column, with missing values allowed. */
export function optional<T extends ColumnType>(column: ColumnSpec<T>): ColumnSpec<T> {
  return { ...column, isNullable: true };
}
