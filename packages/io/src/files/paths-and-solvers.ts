/** What training and simulation have in common in a case for Cobre 0.18: how paths are chosen, and settings of solvers. */
import type { ObjectReader } from "../json/object-reader.js";

/** How to say that a number of paths is drawn. */
export function sampled(name: string): string {
  return `give {"selection": {"method": "sampled", "${name}": …}}`;
}

/** Settings of solvers are understood and do nothing. */
export function warnOfSolvers(solver: ObjectReader | undefined, names: readonly string[]): void {
  for (const name of names) {
    if (solver?.raw(name) === undefined) continue;
    solver.warn(name, "has no effect", "programs are solved as docs/solvers.md tells");
  }
}
