import type { LinearProgram, LpData, LpOptions, LpSolver } from "../linear-program.js";
import { fingerprintWith, isSmall, type SimplexChoice } from "../small/choice.js";
import { SmallProgram } from "../small/small-program.js";
import type { HighsLibrary } from "./library.js";
import { HIGHS_LIBRARY_VARIABLE } from "./native/candidates.js";
import { loadNativeHighs } from "./native/load.js";
import { HighsProgram } from "./program.js";
import { type CompiledHighs, compileHighs, loadWasmHighs } from "./wasm.js";

/** The modules of this process. Programs that are closed leave room in them for others. */
const modules: Promise<HighsLibrary>[] = [];
let compiled: Promise<CompiledHighs> | undefined;
/** By the number of modules, and by who solves small programs. */
const wasm = new Map<string, Promise<LpSolver>>();
/** By the library that the environment names, and by who solves small programs. */
const native = new Map<string, Promise<LpSolver>>();

/** HiGHS in WebAssembly, loaded once per process. Its programs are dealt among so many modules. */
export function loadHighsWasmSolver(simplex: SimplexChoice, count = 1): Promise<LpSolver> {
  const key = `${count} ${simplex}`;
  const loading = wasm.get(key) ?? wasmSolverOver(simplex, count);
  wasm.set(key, loading);
  return loading;
}

async function wasmSolverOver(simplex: SimplexChoice, count: number): Promise<LpSolver> {
  compiled ??= compileHighs();
  while (modules.length < count) modules.push(loadWasmHighs(compiled));
  const libraries = await Promise.all(modules.slice(0, count));
  const [first] = libraries as [HighsLibrary, ...HighsLibrary[]];
  let created = 0;
  return {
    ...solverOver(simplex, first),
    create: (data, options = {}) =>
      programOver(simplex, libraries[created++ % count] ?? first, data, options),
    withMemories: (memories) => loadHighsWasmSolver(simplex, memories),
  };
}

/** Native HiGHS, loaded once per process. */
export function loadHighsNativeSolver(
  simplex: SimplexChoice,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LpSolver> {
  const key = `${simplex} ${env[HIGHS_LIBRARY_VARIABLE] ?? ""}`;
  const loading =
    native.get(key) ?? loadNativeHighs(env).then((library) => solverOver(simplex, library));
  native.set(key, loading);
  // A library that is missing now may be installed later.
  loading.catch(() => native.delete(key));
  return loading;
}

function solverOver(simplex: SimplexChoice, library: HighsLibrary): LpSolver {
  const { name, version, fingerprint, file } = library;
  return {
    name,
    version,
    fingerprint: fingerprintWith(simplex, fingerprint),
    ...(file !== undefined && { library: file }),
    create: (data: LpData, options: LpOptions = {}): LinearProgram =>
      programOver(simplex, library, data, options),
  };
}

function programOver(
  simplex: SimplexChoice,
  library: HighsLibrary,
  data: LpData,
  options: LpOptions,
): LinearProgram {
  const inHighs = (program: LpData) => new HighsProgram(library, program, options);
  if (simplex === "solver" || options.changesCosts || !isSmall(data)) return inHighs(data);
  return new SmallProgram(library.name, data, options, inHighs);
}
