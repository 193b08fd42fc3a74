import assert from "node:assert/strict";
import { type LpSolver, loadSolver, SOLVERS, SolverError } from "@cobre/solver";

/** The solvers of this machine. Under `CI=true` all must be there; elsewhere what is missing is said. */
export async function solversHere(): Promise<readonly LpSolver[]> {
  const found: LpSolver[] = [];
  for (const name of SOLVERS) {
    try {
      found.push(await loadSolver(name));
    } catch (error) {
      assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
      const message = `not run: tests with ${name}, which is not installed (coinor-libclp1)`;
      if (process.env.CI === "true") assert.fail(message);
      console.log(message);
    }
  }
  return found;
}
