import type { Communicator } from "@cobre/comm";
import type { LpSolver } from "@cobre/solver";
import { SddpError } from "../errors.js";
import { ranksByText } from "./ranks-by-text.js";

/**
 * Collective: throws on every rank unless all ranks have the same solver in the same version. Ranks with different solvers would find
 * different vertices of the same optimum, and the result would depend on who solved what.
 *
 * @example
 * ```ts
 * const solver = await loadSolver("auto"); // a machine without a native HiGHS has chosen highs-wasm
 * agreeOnSolver(comm, solver);
 * ```
 */
export function agreeOnSolver(comm: Communicator, { fingerprint }: LpSolver): void {
  const ranksOf = ranksByText(comm, fingerprint);
  if (ranksOf.size === 1) return;
  const list = [...ranksOf].map(
    ([text, owners]) => `${owners.length === 1 ? "rank" : "ranks"} ${owners.join(", ")}: ${text}`,
  );
  throw new SddpError(
    "SolversDiffer",
    `all ranks need the same solver in the same version, but there are\n  ${list.join("\n  ")}\nInstall the same library on every machine, name it in COBRE_HIGHS_LIBRARY, or use the solver highs-wasm, which is the same everywhere`,
  );
}
