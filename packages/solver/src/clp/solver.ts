import type { LinearProgram, LpData, LpOptions, LpSolver } from "../linear-program.js";
import { ClpLibrary } from "./library.js";
import { ClpProgram } from "./program.js";

/** CLP, if it is installed. It promises equal costs, not equal bits. */
export async function loadClpSolver(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<LpSolver> {
  const library = await ClpLibrary.load(environment);
  return {
    name: "clp",
    version: library.version,
    fingerprint: `clp ${library.version} ${process.platform} ${process.arch}`,
    create: (data: LpData, options: LpOptions = {}): LinearProgram =>
      new ClpProgram(library, data, options),
  };
}
