/**
 * CLP of COIN-OR, a shared library of the distribution (Debian: coinor-libclp1), through its C interface
 * (`Clp_C_Interface.h`). Each foreign function is declared by its C signature.
 */
import { SolverError } from "../errors.js";
import { firstLine, type Koffi, loadKoffi } from "../ffi.js";

/** Names to try; the dynamic loader searches its own folders. */
const CANDIDATES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["libClp.so.1", "libClp.so"],
  darwin: ["libClp.1.dylib", "/opt/homebrew/lib/libClp.dylib", "/usr/local/lib/libClp.dylib"],
  win32: ["Clp.dll", "libClp.dll"],
};

/** CLP's functions and memory. */
export class ClpLibrary {
  readonly call: ReturnType<typeof bind>;
  readonly version: string;
  private readonly koffi: Koffi;

  /** Loads `COBRE_CLP_LIBRARY` if it is set, else the system's library. */
  static async load(environment: NodeJS.ProcessEnv = process.env): Promise<ClpLibrary> {
    const koffi = await loadKoffi("clp");
    const chosen = environment.COBRE_CLP_LIBRARY;
    const names = chosen ? [chosen] : (CANDIDATES[process.platform] ?? []);
    const reasons: string[] = [];
    for (const name of names) {
      try {
        return new ClpLibrary(koffi, bind(koffi, name));
      } catch (error) {
        reasons.push(`${name}: ${firstLine(error)}`);
      }
    }
    throw notAvailable(
      `no library was found (${reasons.join("; ") || `none is known for ${process.platform}`}). ` +
        "Install CLP (Debian, Ubuntu: apt-get install coinor-libclp1), set COBRE_CLP_LIBRARY to its path, or use highs",
    );
  }

  private constructor(koffi: Koffi, call: ReturnType<typeof bind>) {
    this.koffi = koffi;
    this.call = call;
    this.version = call.version();
  }

  /** `count` doubles at an address in CLP's memory; valid until the next call. */
  doubles(address: unknown, count: number): Float64Array {
    return new Float64Array(this.koffi.view(address, count * 8));
  }

  /** `count` integers at an address in CLP's memory; valid until the next call. */
  integers(address: unknown, count: number): Int32Array {
    return new Int32Array(this.koffi.view(address, count * 4));
  }

  /** `count` bytes at an address in CLP's memory; valid until the next call. */
  bytes(address: unknown, count: number): Uint8Array {
    return new Uint8Array(this.koffi.view(address, count));
  }
}

function bind(koffi: Koffi, name: string) {
  const library = koffi.load(name);
  return {
    version: library.func("const char *Clp_Version()") as () => string,
    newModel: library.func("void *Clp_newModel()"),
    deleteModel: library.func("void Clp_deleteModel(void *model)"),
    loadProblem: library.func(
      "void Clp_loadProblem(void *model, int columns, int rows, const int *start, const int *index, const double *value, const double *columnLower, const double *columnUpper, const double *objective, const double *rowLower, const double *rowUpper)",
    ),
    addRows: library.func(
      "void Clp_addRows(void *model, int number, const double *lower, const double *upper, const int *starts, const int *columns, const double *elements)",
    ),
    deleteRows: library.func("void Clp_deleteRows(void *model, int number, const int *which)"),
    chgRowLower: library.func("void Clp_chgRowLower(void *model, const double *values)"),
    chgRowUpper: library.func("void Clp_chgRowUpper(void *model, const double *values)"),
    chgColumnLower: library.func("void Clp_chgColumnLower(void *model, const double *values)"),
    chgColumnUpper: library.func("void Clp_chgColumnUpper(void *model, const double *values)"),
    chgObjCoefficients: library.func(
      "void Clp_chgObjCoefficients(void *model, const double *values)",
    ),
    copyinStatus: library.func("void Clp_copyinStatus(void *model, const uint8_t *status)"),
    statusArray: library.func("void *Clp_statusArray(void *model)"),
    dual: library.func("int Clp_dual(void *model, int ifValuesPass)"),
    primal: library.func("int Clp_primal(void *model, int ifValuesPass)"),
    initialSolve: library.func("int Clp_initialSolve(void *model)"),
    status: library.func("int Clp_status(void *model)"),
    numberIterations: library.func("int Clp_numberIterations(void *model)"),
    objectiveValue: library.func("double Clp_objectiveValue(void *model)"),
    primalColumnSolution: library.func("void *Clp_primalColumnSolution(void *model)"),
    primalRowSolution: library.func("void *Clp_primalRowSolution(void *model)"),
    dualColumnSolution: library.func("void *Clp_dualColumnSolution(void *model)"),
    dualRowSolution: library.func("void *Clp_dualRowSolution(void *model)"),
    setLogLevel: library.func("void Clp_setLogLevel(void *model, int value)"),
    setMaximumIterations: library.func("void Clp_setMaximumIterations(void *model, int value)"),
    scaling: library.func("void Clp_scaling(void *model, int mode)"),
    setPerturbation: library.func("void Clp_setPerturbation(void *model, int value)"),
    getNumElements: library.func("int Clp_getNumElements(void *model)"),
    getVectorStarts: library.func("void *Clp_getVectorStarts(void *model)"),
    getVectorLengths: library.func("void *Clp_getVectorLengths(void *model)"),
    getIndices: library.func("void *Clp_getIndices(void *model)"),
    getElements: library.func("void *Clp_getElements(void *model)"),
  };
}

function notAvailable(reason: string): SolverError {
  return new SolverError("SolverNotAvailable", "clp", reason);
}
