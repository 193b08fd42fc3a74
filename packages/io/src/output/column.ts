/** What a column of a table of results can hold. */
export type ColumnType =
  | "INT8"
  | "INT32"
  | "UINT32"
  | "INT64"
  | "DOUBLE"
  /** Given as 0 and 1. */
  | "BOOLEAN"
  | "STRING";

/** A column before it has values: what the data dictionary says about it. */
export interface ColumnSpec<T extends ColumnType = ColumnType> {
  readonly type: T;
  /** Empty where there is none. */
  readonly unit: string;
  readonly about: string;
  readonly isNullable: boolean;
}

/** The columns of a table, in order. */
export type TableSpec = Readonly<Record<string, ColumnSpec>>;

/** A table without texts. */
export type NumberTableSpec = Readonly<Record<string, ColumnSpec<Exclude<ColumnType, "STRING">>>>;

/** A column of a table of results. */
export interface NumberColumn {
  readonly name: string;
  readonly type: Exclude<ColumnType, "STRING">;
  readonly data: readonly (number | null)[];
  /** Whether the column may have nulls. */
  readonly isNullable?: boolean;
}

/** A column of words. */
export interface TextColumn {
  readonly name: string;
  readonly type: "STRING";
  readonly data: readonly (string | null)[];
  readonly isNullable?: boolean;
}

export type OutputColumn = NumberColumn | TextColumn;

/** A row as its table wants it. */
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

/** The same column, with gaps. */
export function optional<T extends ColumnType>(column: ColumnSpec<T>): ColumnSpec<T> {
  return { ...column, isNullable: true };
}
