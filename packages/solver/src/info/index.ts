/** Which solvers this machine has: for the `info` command, for bug reports and for programs. */
import { loadClpSolver } from "../clp/solver.js";
import { firstLine, loadKoffi } from "../ffi.js";
import { HIGHS_LIBRARY_VARIABLE } from "../highs/native/candidates.js";
import { loadHighsWasmSolver } from "../highs/solver.js";
import type { LpSolver, SolverName } from "../linear-program.js";
import { findHighsLibraries } from "./highs-libraries.js";
import type { HighsLibraryInfo, SolverInfo, SolversInfo } from "./info.js";

export type { HighsLibraryInfo, SolverInfo, SolversInfo } from "./info.js";

/** Options of {@link describeSolvers}; the defaults are nearly always right. */
export interface DescribeSolversOptions {
  /** The environment to examine; by default that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** How long one library may take to load, in milliseconds; 10 seconds by default. */
  readonly timeoutMs?: number;
}

/**
 * Finds out which solvers this machine has. Each native HiGHS is loaded in a process of its own, so that a broken one does no harm.
 *
 * @example
 * ```ts
 * import { describeSolvers } from "@cobre/solver/info";
 *
 * const { solvers, highsLibraries } = await describeSolvers();
 * for (const { name, usable, details } of solvers) console.log(name, usable, details);
 * ```
 */
export async function describeSolvers(options: DescribeSolversOptions = {}): Promise<SolversInfo> {
  const { env = process.env, timeoutMs = 10_000 } = options;
  const [wasm, clp, obstacle] = await Promise.all([
    describe("highs-wasm", loadHighsWasmSolver("embedded"), "in WebAssembly, always there"),
    describe("clp", loadClpSolver(env), "the system's library"),
    loadKoffi("highs-native").then(() => undefined, messageOf),
  ]);
  const highsLibraries = obstacle === undefined ? await findHighsLibraries(env, timeoutMs) : [];
  const native = describeNative(highsLibraries, obstacle);
  const mustBeNative = Boolean(env[HIGHS_LIBRARY_VARIABLE]);
  const auto = native.usable ? "highs-native" : mustBeNative ? null : "highs-wasm";
  return { solvers: [wasm, native, clp], auto, highsLibraries };
}

async function describe(
  name: SolverName,
  loading: Promise<LpSolver>,
  where: string,
): Promise<SolverInfo> {
  try {
    const { version } = await loading;
    return { name, usable: true, version, details: where };
  } catch (error) {
    return { name, usable: false, version: null, details: messageOf(error) };
  }
}

function describeNative(
  libraries: readonly HighsLibraryInfo[],
  obstacle: string | undefined,
): SolverInfo {
  const name = "highs-native";
  const first = libraries.find(({ reason }) => reason === null);
  if (first !== undefined) {
    const details = `${first.file} (${first.origin})`;
    return { name, usable: true, version: first.version, details };
  }
  const missing =
    libraries.length === 0
      ? "none was found; pip install highspy brings one"
      : "none of those found can be used";
  return { name, usable: false, version: null, details: obstacle ?? missing };
}

/** The first line of an error's message, without the name of the solver, which stands beside it. */
function messageOf(error: unknown): string {
  return firstLine(error).replace(/^(?:highs-wasm|highs-native|clp): /, "");
}
