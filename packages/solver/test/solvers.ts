import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type LpSolver, loadSolver, SOLVERS, SolverError, type SolverName } from "@cobre/solver";
import { needs, notHere } from "@cobre/testing/needs";

const PACKAGES: Readonly<Partial<Record<SolverName, string>>> = {
  "highs-native": "pip install highspy",
  clp: "coinor-libclp1",
};

/**
 * The solvers of this machine, each HiGHS also without the embedded simplex; for each of the others there is a skipped test.
 */
export async function solversHere(): Promise<readonly LpSolver[]> {
  const found: LpSolver[] = [];
  for (const name of SOLVERS) {
    try {
      found.push(await loadSolver(name));
      if (name !== "clp") found.push(await loadPlain(name));
    } catch (error) {
      assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
      notHere(`tests with ${name}`, `${name} (${PACKAGES[name]})`);
    }
  }
  return found;
}

/** A HiGHS that solves small programs itself. */
export async function loadPlain(name: "highs-wasm" | "highs-native"): Promise<LpSolver> {
  const before = process.env.COBRE_SIMPLEX;
  process.env.COBRE_SIMPLEX = "solver";
  try {
    return await loadSolver(name);
  } finally {
    if (before === undefined) delete process.env.COBRE_SIMPLEX;
    else process.env.COBRE_SIMPLEX = before;
  }
}

/** The name of a solver for people. */
export function titleOf({ name, version, fingerprint }: LpSolver): string {
  return `${name} ${version}${/ simplex \d+$/.test(fingerprint) ? " with the embedded simplex" : ""}`;
}

/** The native HiGHS of this machine, without the embedded simplex; skips the test if there is none. */
export async function nativeHere(t: TestContext): Promise<LpSolver | undefined> {
  try {
    return await loadPlain("highs-native");
  } catch (error) {
    assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
    needs(t, false, `highs-native (${PACKAGES["highs-native"]})`);
    return undefined;
  }
}
