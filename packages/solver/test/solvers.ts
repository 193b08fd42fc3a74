import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type LpSolver, loadSolver, SOLVERS, SolverError, type SolverName } from "@cobre/solver";
import { needs, notHere } from "@cobre/testing/needs";

const PACKAGES: Readonly<Partial<Record<SolverName, string>>> = {
  "highs-native": "pip install highspy",
  clp: "coinor-libclp1",
};

/** The solvers of this machine; for each of the others there is a skipped test. */
export async function solversHere(): Promise<readonly LpSolver[]> {
  const found: LpSolver[] = [];
  for (const name of SOLVERS) {
    try {
      found.push(await loadSolver(name));
    } catch (error) {
      assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
      notHere(`tests with ${name}`, `${name} (${PACKAGES[name]})`);
    }
  }
  return found;
}

/** The native HiGHS of this machine; skips the test if there is none. */
export async function nativeHere(t: TestContext): Promise<LpSolver | undefined> {
  try {
    return await loadSolver("highs-native");
  } catch (error) {
    assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
    needs(t, false, `highs-native (${PACKAGES["highs-native"]})`);
    return undefined;
  }
}
