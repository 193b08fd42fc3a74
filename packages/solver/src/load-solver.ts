import { SolverError } from "./errors.js";
import { HIGHS_LIBRARY_VARIABLE } from "./highs/native/candidates.js";
import type { LpSolver, SolverChoice, SolverName } from "./linear-program.js";

/** All solvers; the first is the default. */
export const SOLVERS = [
  "highs-wasm",
  "highs-native",
  "clp",
] as const satisfies readonly SolverName[];

/** All names that {@link loadSolver} knows; the first is the default. */
export const SOLVER_CHOICES = [
  "highs",
  ...SOLVERS,
  "auto",
] as const satisfies readonly SolverChoice[];

/**
 * Loads a solver. `highs-wasm`, also called `highs`, is always available. `highs-native` and `clp` must be installed on the machine. `auto` is
 * `highs-native` if one is found, else `highs-wasm`; a library that `COBRE_HIGHS_LIBRARY` names must be usable.
 *
 * @example
 * ```ts
 * const solver = await loadSolver("auto");
 * solver.name; // "highs-native"
 * solver.version; // "1.15.1"
 * ```
 */
export async function loadSolver(choice: SolverChoice = "highs"): Promise<LpSolver> {
  if (choice === "clp") return (await import("./clp/solver.js")).loadClpSolver();
  const { loadHighsNativeSolver, loadHighsWasmSolver } = await import("./highs/solver.js");
  if (choice === "highs-native") return loadHighsNativeSolver();
  if (choice !== "auto") return loadHighsWasmSolver();
  try {
    return await loadHighsNativeSolver();
  } catch (error) {
    const isMissing = error instanceof SolverError && error.kind === "SolverNotAvailable";
    if (!isMissing || process.env[HIGHS_LIBRARY_VARIABLE]) throw error;
    return loadHighsWasmSolver();
  }
}
