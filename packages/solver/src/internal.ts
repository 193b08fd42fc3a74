/** The inner door: what tests need beyond the public one. */
export { loadClpSolver } from "./clp/solver.js";
export { type AttemptResult, RetryingProgram } from "./retrying-program.js";
