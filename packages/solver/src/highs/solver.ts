import type { LinearProgram, LpData, LpOptions, LpSolver } from "../linear-program.js";
import type { HighsLibrary } from "./library.js";
import { HIGHS_LIBRARY_VARIABLE } from "./native/candidates.js";
import { loadNativeHighs } from "./native/load.js";
import { HighsProgram } from "./program.js";
import { loadWasmHighs } from "./wasm.js";

let wasm: Promise<LpSolver> | undefined;
/** By the library that the environment names. */
const native = new Map<string, Promise<LpSolver>>();

/** HiGHS in WebAssembly, loaded once per process. All its programs are in one module. */
export function loadHighsWasmSolver(): Promise<LpSolver> {
  wasm ??= loadWasmHighs().then(solverOver);
  return wasm;
}

/** Native HiGHS, loaded once per process. */
export function loadHighsNativeSolver(env: NodeJS.ProcessEnv = process.env): Promise<LpSolver> {
  const named = env[HIGHS_LIBRARY_VARIABLE] ?? "";
  const loading = native.get(named) ?? loadNativeHighs(env).then(solverOver);
  native.set(named, loading);
  // A library that is missing now may be installed later.
  loading.catch(() => native.delete(named));
  return loading;
}

function solverOver(library: HighsLibrary): LpSolver {
  const { name, version, fingerprint, file } = library;
  return {
    name,
    version,
    fingerprint,
    ...(file !== undefined && { library: file }),
    create: (data: LpData, options: LpOptions = {}): LinearProgram =>
      new HighsProgram(library, data, options),
  };
}
