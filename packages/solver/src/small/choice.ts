import { SolverError } from "../errors.js";
import type { LpData, SolverName } from "../linear-program.js";

/** The variable that tells who solves small programs. */
export const SIMPLEX_VARIABLE = "COBRE_SIMPLEX";

/** Programs with more rows than this are left to the solver. Cuts that are added later do not count. */
const MOST_ROWS = 100;

/** Changes whenever the embedded simplex may give other bits. */
const VERSION = 1;

/** Who solves small programs: the embedded simplex, or the solver like all others. */
export type SimplexChoice = "embedded" | "solver";

/** What the environment asks for; the embedded simplex unless it asks for the solver. */
export function simplexChoice(env: NodeJS.ProcessEnv, solver: SolverName): SimplexChoice {
  const asked = env[SIMPLEX_VARIABLE] || "embedded";
  if (asked === "embedded" || asked === "solver") return asked;
  throw new SolverError(
    "InvalidSetting",
    solver,
    `${SIMPLEX_VARIABLE} is '${asked}'; it must be embedded or solver`,
  );
}

/** Whether a program is one for the embedded simplex. */
export function isSmall({ rows }: LpData): boolean {
  return rows.lower.length <= MOST_ROWS;
}

/** The fingerprint of a solver that leaves small programs to the embedded simplex, or not. */
export function fingerprintWith(choice: SimplexChoice, ofSolver: string): string {
  return choice === "embedded" ? `${ofSolver} simplex ${VERSION}` : ofSolver;
}
