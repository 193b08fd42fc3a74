import type { LinearProgram, LpData, LpOptions, LpSolver } from "../linear-program.js";
import type { HighsLibrary } from "./library.js";
import { HIGHS_LIBRARY_VARIABLE } from "./native/candidates.js";
import { loadNativeHighs } from "./native/load.js";
import { HighsProgram } from "./program.js";
import { type CompiledHighs, compileHighs, loadWasmHighs } from "./wasm.js";

/** The modules of this process. Programs that are closed leave room in them for others. */
const modules: Promise<HighsLibrary>[] = [];
let compiled: Promise<CompiledHighs> | undefined;
/** By the number of modules. */
const wasm = new Map<number, Promise<LpSolver>>();
/** By the library that the environment names. */
const native = new Map<string, Promise<LpSolver>>();

/** HiGHS in WebAssembly, loaded once per process. Its programs are dealt among so many modules. */
export function loadHighsWasmSolver(count = 1): Promise<LpSolver> {
  const loading = wasm.get(count) ?? wasmSolverOver(count);
  wasm.set(count, loading);
  return loading;
}

async function wasmSolverOver(count: number): Promise<LpSolver> {
  compiled ??= compileHighs();
  while (modules.length < count) modules.push(loadWasmHighs(compiled));
  const libraries = await Promise.all(modules.slice(0, count));
  const [first] = libraries as [HighsLibrary, ...HighsLibrary[]];
  let created = 0;
  return {
    ...solverOver(first),
    create: (data, options = {}) =>
      new HighsProgram(libraries[created++ % count] ?? first, data, options),
    withMemories: loadHighsWasmSolver,
  };
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
