/**
 * HiGHS, compiled to WebAssembly, through its C functions. The JavaScript interface of the package checks and copies
 * every array, which takes 5 to 20 µs per call. A small LP takes 100 µs to solve, so arrays are written straight into the
 * memory of the module instead.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SolverError } from "../errors.js";
import type { HighsFunctions } from "./functions.js";
import { HighsLibrary } from "./library.js";

/** The names of all functions that are called, so that a package without one of them is refused when it is loaded. */
const FUNCTIONS = [
  "_Highs_create",
  "_Highs_destroy",
  "_Highs_passLp",
  "_Highs_getLp",
  "_Highs_getNumNz",
  "_Highs_changeRowsBoundsByRange",
  "_Highs_changeColsBoundsByRange",
  "_Highs_changeColsCostByRange",
  "_Highs_addRows",
  "_Highs_deleteRowsBySet",
  "_Highs_clearSolver",
  "_Highs_setBasis",
  "_Highs_getBasis",
  "_Highs_run",
  "_Highs_getModelStatus",
  "_Highs_getObjectiveValue",
  "_Highs_getSolution",
  "_Highs_getIntInfoValue",
  "_Highs_setBoolOptionValue",
  "_Highs_setIntOptionValue",
  "_Highs_setDoubleOptionValue",
  "_Highs_setStringOptionValue",
  "_malloc",
  "_free",
] as const satisfies readonly (keyof HighsFunctions)[];

interface HighsPackage {
  default(
    options: object,
  ): Promise<HighsFunctions & { readonly version: { readonly string: string } }>;
}

/** What the memory of a module can have: the package is compiled with this limit. */
const LARGEST_MEMORY = "2 GiB";

/** The module of the package highs, of which there can be any number of instances. */
export interface CompiledHighs {
  readonly module: WebAssembly.Module;
  readonly hash: string;
}

export async function compileHighs(): Promise<CompiledHighs> {
  const bytes = await readFile(createRequire(import.meta.url).resolve("highs/runtime"));
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { module: await WebAssembly.compile(bytes), hash };
}

/** A new instance of the module, with a memory of its own. */
export async function loadWasmHighs(compiled = compileHighs()): Promise<HighsLibrary> {
  try {
    const { module, hash } = await compiled;
    let memory: WebAssembly.Memory | undefined;
    // The package has types for its CommonJS entry only; this is the ESM entry.
    const { default: loadHighs } = (await import("highs")) as unknown as HighsPackage;
    // Emscripten's own hook is the only way to the memory, because its name in the exports is not fixed.
    const hook = {
      instantiateWasm(
        imports: WebAssembly.Imports,
        receive: (instance: WebAssembly.Instance) => void,
      ): object {
        const instance = new WebAssembly.Instance(module, imports);
        memory = Object.values(instance.exports).find(
          (entry) => entry instanceof WebAssembly.Memory,
        );
        receive(instance);
        return instance.exports;
      },
    };
    const call = await loadHighs(hook);
    if (memory === undefined) throw new Error("its memory is not exported");
    for (const name of FUNCTIONS) {
      if (typeof call[name] !== "function") throw new Error(`it has no function ${name}`);
    }
    const version = call.version.string;
    return new HighsLibrary({
      name: "highs-wasm",
      call,
      memory,
      version,
      fingerprint: `highs ${version} wasm sha256 ${hash}`,
      describeRoom: (bytes) =>
        `the WebAssembly module has ${Math.round(bytes / 2 ** 20)} MiB of at most ${LARGEST_MEMORY}. Use highs-native, which has no such limit (--solver highs-native), or keep fewer cuts in the programs (training.cut_selection)`,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SolverError(
      "SolverNotAvailable",
      "highs-wasm",
      `the package highs cannot be used: ${reason}. Install the dependencies again (npm ci)`,
      error,
    );
  }
}
