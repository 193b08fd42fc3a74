import type { Communicator } from "@cobre/comm";
import type { LpSolver } from "@cobre/solver";
import { SddpError } from "../errors.js";

/** Longer than any fingerprint; longer ones are compared as far as that. */
const TEXT_BYTES = 256;

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
  const mine = new Uint8Array(TEXT_BYTES);
  new TextEncoder().encodeInto(fingerprint, mine);
  const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
  const all = new Uint8Array(TEXT_BYTES * comm.size);
  comm.allgatherv(
    mine,
    all,
    ranks.map(() => TEXT_BYTES),
    ranks.map((rank) => rank * TEXT_BYTES),
  );
  const ranksOf = new Map<string, number[]>();
  for (const rank of ranks) {
    const bytes = all.subarray(rank * TEXT_BYTES, (rank + 1) * TEXT_BYTES);
    const text = new TextDecoder().decode(bytes).replace(/\0+$/, "");
    ranksOf.set(text, [...(ranksOf.get(text) ?? []), rank]);
  }
  if (ranksOf.size === 1) return;
  const list = [...ranksOf].map(
    ([text, owners]) => `${owners.length === 1 ? "rank" : "ranks"} ${owners.join(", ")}: ${text}`,
  );
  throw new SddpError(
    "SolversDiffer",
    `all ranks need the same solver in the same version, but there are\n  ${list.join("\n  ")}\nInstall the same library on every machine, name it in COBRE_HIGHS_LIBRARY, or use the solver highs-wasm, which is the same everywhere`,
  );
}
