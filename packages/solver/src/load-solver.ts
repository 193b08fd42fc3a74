import { SolverError } from "./errors.js";
import { HIGHS_LIBRARY_VARIABLE } from "./highs/native/candidates.js";
import type { LpSolver, SolverChoice, SolverName } from "./linear-program.js";
import { simplexChoice } from "./small/choice.js";

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
 * `highs-native` if one is found, else `highs-wasm`; a library that `COBRE_HIGHS_LIBRARY` names must be usable. Small programs of both are solved by
 * an embedded simplex, which asks HiGHS where it is not sure, unless `COBRE_SIMPLEX` is `solver`.
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
  const isNative = choice === "highs-native" || choice === "auto";
  const simplex = simplexChoice(process.env, isNative ? "highs-native" : "highs-wasm");
  if (choice === "highs-native") return loadHighsNativeSolver(simplex);
  if (choice !== "auto") return loadHighsWasmSolver(simplex);
  try {
    return await loadHighsNativeSolver(simplex);
  } catch (error) {
    const isMissing = error instanceof SolverError && error.kind === "SolverNotAvailable";
    if (!isMissing || process.env[HIGHS_LIBRARY_VARIABLE]) throw error;
    return loadHighsWasmSolver(simplex);
  }
}
