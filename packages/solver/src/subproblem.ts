import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SubproblemFailed } from "./errors.js";
import type { LinearProgram, SolverName } from "./linear-program.js";
import { formatLp, type LpNames } from "./lp-file.js";

/** The name of a subproblem, and where it is written if it cannot be solved. */
export interface Subproblem {
  /** Such as `stage_003_iteration_12_scenario_4_opening_7`; it becomes the name of the file. */
  readonly name: string;
  readonly directory: string;
  readonly names?: LpNames;
}

/**
 * Solves a program that must have an optimum. If none is found, the program is written as an LP file, which the error names.
 * Only then is `subproblem` called.
 *
 * @example
 * ```ts
 * solveSubproblem(solver.name, program, () => ({ name: `stage_${t}_opening_${o}`, directory: output }));
 * const { duals } = program.solution();
 * ```
 */
export function solveSubproblem(
  solver: SolverName,
  program: LinearProgram,
  subproblem: () => Subproblem,
): void {
  if (program.solve() === "optimal") return;
  const { status, attempts } = program;
  const { name, directory, names } = subproblem();
  const file = resolve(join(directory, `${name.replace(/[^A-Za-z0-9._-]/g, "_")}.lp`));
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, formatLp(program.data(), names));
  } catch (cause) {
    throw new SubproblemFailed({
      solver,
      subproblem: name,
      status,
      attempts,
      file: undefined,
      cause,
    });
  }
  throw new SubproblemFailed({ solver, subproblem: name, status, attempts, file });
}
