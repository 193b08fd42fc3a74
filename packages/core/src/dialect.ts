/**
 * The version of Cobre for which a case is written. They differ in the names and places of fields, and in a few rules: which of them hold is
 * told where they apply.
 */
export type Dialect = "0.5" | "0.18";

/** All of them, the one of new cases first. */
export const DIALECTS = ["0.18", "0.5"] as const satisfies readonly Dialect[];

/** The one of new cases, and of what is told about cases unless another one is named. */
export const DEFAULT_DIALECT: Dialect = DIALECTS[0];
