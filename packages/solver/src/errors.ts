import type { LpStatus, SolverName } from "./linear-program.js";

/** The kinds of {@link SolverError}. */
export type SolverErrorKind =
  | "InvalidProgram"
  | "InvalidBasis"
  | "InvalidSetting"
  | "NoSolution"
  | "SolverClosed"
  | "SolverCrashed"
  | "SolverNotAvailable"
  | "SubproblemFailed";

/**
 * A solver could not be loaded, or a call failed. `kind` says why.
 *
 * @example
 * ```ts
 * try {
 *   solver = await loadSolver("clp");
 * } catch (error) {
 *   if (error instanceof SolverError && error.kind === "SolverNotAvailable") solver = await loadSolver("highs");
 *   else throw error;
 * }
 * ```
 */
export class SolverError extends Error {
  override readonly name = "SolverError";
  readonly kind: SolverErrorKind;
  readonly solver: SolverName;

  constructor(kind: SolverErrorKind, solver: SolverName, message: string, cause?: unknown) {
    super(`${solver}: ${message}`, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.solver = solver;
  }
}

/** A subproblem has no optimal solution, or none was found. The subproblem is in `file`. */
export class SubproblemFailed extends SolverError {
  readonly subproblem: string;
  readonly status: LpStatus;
  readonly attempts: number;
  /** The LP file, or `undefined` if it could not be written; the message says why. */
  readonly file: string | undefined;

  constructor(fields: {
    solver: SolverName;
    subproblem: string;
    status: LpStatus;
    attempts: number;
    file: string | undefined;
    cause?: unknown;
  }) {
    super("SubproblemFailed", fields.solver, describe(fields), fields.cause);
    this.subproblem = fields.subproblem;
    this.status = fields.status;
    this.attempts = fields.attempts;
    this.file = fields.file;
  }
}

const ADVICE: Readonly<Record<LpStatus, string>> = {
  optimal: "it is optimal",
  infeasible:
    "it is infeasible: look for contradicting bounds, such as a minimum storage that the inflows cannot reach",
  unbounded: "it is unbounded: look for a negative cost on a variable without an upper bound",
  failed: "no attempt found an answer: look for coefficients of very different magnitudes",
};

function describe(fields: {
  subproblem: string;
  status: LpStatus;
  attempts: number;
  file: string | undefined;
  cause?: unknown;
}): string {
  const attempts = fields.attempts === 1 ? "1 attempt" : `${fields.attempts} attempts`;
  const where =
    fields.file === undefined
      ? `It could not be written to disk: ${fields.cause instanceof Error ? fields.cause.message : fields.cause}.`
      : `It is in ${fields.file}.`;
  return `${fields.subproblem} has no solution after ${attempts}; ${ADVICE[fields.status]}. ${where}`;
}
