import type { LinearProgram, LpData, LpOptions, LpSolver } from "../linear-program.js";
import { HighsLibrary } from "./library.js";
import { HighsProgram } from "./program.js";

let loading: Promise<LpSolver> | undefined;

/** HiGHS, loaded once per process: all its programs live in one WebAssembly module. */
export function loadHighsSolver(): Promise<LpSolver> {
  loading ??= HighsLibrary.load().then((library) => ({
    name: "highs",
    version: library.version,
    fingerprint: `highs ${library.version} wasm sha256 ${library.hash}`,
    create: (data: LpData, options: LpOptions = {}): LinearProgram =>
      new HighsProgram(library, data, options),
  }));
  return loading;
}
