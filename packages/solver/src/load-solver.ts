import type { LpSolver, SolverName } from "./linear-program.js";

/** The solvers there are; the first is the default. */
export const SOLVERS = ["highs", "clp"] as const satisfies readonly SolverName[];

/**
 * Loads a solver. `highs` is always there; `clp` needs its library on the machine.
 *
 * @example
 * ```ts
 * const solver = await loadSolver();
 * solver.version; // "1.15.1"
 * ```
 */
export async function loadSolver(name: SolverName = "highs"): Promise<LpSolver> {
  if (name === "clp") return (await import("./clp/solver.js")).loadClpSolver();
  return (await import("./highs/solver.js")).loadHighsSolver();
}
