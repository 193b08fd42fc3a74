/** Linear programs: the interface, the solvers behind it, and what happens to those without a solution. */
export { SolverError, type SolverErrorKind, SubproblemFailed } from "./errors.js";
export {
  type Basis,
  BasisState,
  type LinearProgram,
  type LpData,
  type LpOptions,
  type LpSolution,
  type LpSolver,
  type LpStatus,
  type RowData,
  type SolverChoice,
  type SolverName,
} from "./linear-program.js";
export { loadSolver, SOLVER_CHOICES, SOLVERS } from "./load-solver.js";
export { formatLp, type LpNames } from "./lp-file.js";
export { type Subproblem, solveSubproblem } from "./subproblem.js";
