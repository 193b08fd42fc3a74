/**
 * The version of Cobre for which a case is written. They differ in the names and places of fields, and in a few rules: which of them hold is
 * told where they apply.
 */
export type Dialect = "0.5" | "0.18";
