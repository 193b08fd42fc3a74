import { SolverError } from "./errors.js";
import type { SolverName } from "./linear-program.js";

/** The foreign-function library. It is loaded at first use: highs-wasm works without it. */
export type Koffi = typeof import("koffi").default;

/** Loads koffi for a solver; throws a `SolverError` where that is not possible. */
export async function loadKoffi(solver: SolverName): Promise<Koffi> {
  try {
    return (await import("koffi")).default;
  } catch (error) {
    throw new SolverError(
      "SolverNotAvailable",
      solver,
      `koffi, the foreign-function library, cannot be loaded: ${firstLine(error)}`,
      error,
    );
  }
}

/** The first line of an error's message. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
