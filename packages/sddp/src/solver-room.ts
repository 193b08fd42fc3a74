import type { LpSolver } from "@cobre/solver";
import type { MultistageModel } from "./multistage-model.js";

/** Room is made for this many cuts in every program. */
const CUTS = 10_000;
/** What a solver takes for a coefficient of a row: it keeps the program by columns and by rows, and factors of a part of it. */
const BYTES_PER_COEFFICIENT = 64;
/** As much as the programs of one memory may take before it is full by half. */
const BYTES_PER_MEMORY = 2 ** 30;

/**
 * The solver with enough memories for the programs of a model, also when they have many cuts: programs cannot move later. A small model keeps the one
 * memory, because each takes some megabytes of its own.
 */
export async function withRoomFor(
  solver: LpSolver,
  { stages, dimension }: Pick<MultistageModel, "stages" | "dimension">,
): Promise<LpSolver> {
  const bytes = stages * CUTS * (1 + dimension) * BYTES_PER_COEFFICIENT;
  const memories = Math.min(stages, Math.ceil(bytes / BYTES_PER_MEMORY));
  if (memories <= 1 || solver.withMemories === undefined) return solver;
  return solver.withMemories(memories);
}
