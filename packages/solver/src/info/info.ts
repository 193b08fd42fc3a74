import type { SolverName } from "../linear-program.js";

/** What was found out about the solvers of this machine. It is plain data: `JSON.stringify` keeps all of it. */
export interface SolversInfo {
  readonly solvers: readonly SolverInfo[];
  /** What `--solver auto` would use; `null` if it would fail. */
  readonly auto: SolverName | null;
  /** Every native HiGHS that was found, in the order in which they are tried. */
  readonly highsLibraries: readonly HighsLibraryInfo[];
}

/** One of the solvers. */
export interface SolverInfo {
  readonly name: SolverName;
  readonly usable: boolean;
  readonly version: string | null;
  /** Where it is, or why it cannot be used. */
  readonly details: string;
}

/** A native HiGHS that was found. If it cannot be used, `reason` says why. */
export interface HighsLibraryInfo {
  readonly file: string;
  /** Where it was found: `COBRE_HIGHS_LIBRARY`, `pip`, `conda`, `brew` or `dynamic loader`. */
  readonly origin: string;
  readonly version: string | null;
  readonly reason: string | null;
}
