/** What training and simulation have in common in a case for Cobre 0.18: how paths are chosen, and settings of solvers. */
import type { ObjectReader } from "../json/object-reader.js";

/** How to say that a number of paths is drawn. */
export function sampled(name: string): string {
  return `give {"selection": {"method": "sampled", "${name}": …}}`;
}

/**
 * Whether `selection` of the training or the simulation asks for every path. Cobre 0.18 has drawn paths there, too; in a case for Cobre 0.5 the field
 * `count` tells how many.
 */
export function readEnumeration(section: ObjectReader, count: string, made: string): boolean {
  if (!isEnumeration(section.raw("selection"))) return false;
  const selection = section.object("selection");
  selection.choice("method", ["enumerated"]);
  selection.finish();
  if (section.has(count)) {
    const remedy = `leave it out: as many ${made} as there are paths`;
    section.report(count, "stands beside the enumerated selection", remedy);
  }
  return true;
}

function isEnumeration(selection: unknown): boolean {
  return (selection as { method?: unknown } | null | undefined)?.method === "enumerated";
}

/** Settings of solvers are understood and do nothing. */
export function warnOfSolvers(solver: ObjectReader | undefined, names: readonly string[]): void {
  for (const name of names) {
    if (solver?.raw(name) === undefined) continue;
    solver.warn(name, "has no effect", "programs are solved as docs/solvers.md tells");
  }
}
