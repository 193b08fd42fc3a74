/**
 * HiGHS, compiled to WebAssembly, by its C functions. The JavaScript interface of the package checks and copies
 * every array, at 5 to 20 µs a call; a small LP takes 100 µs, so its arrays are written straight into the memory
 * of the module instead.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SolverError } from "../errors.js";

/** The C functions we call, each under its signature; `H` is the `void*` of an instance, pointers are addresses. */
export interface HighsFunctions {
  /** `void* Highs_create(void)` */
  _Highs_create(): number;
  /** `void Highs_destroy(void* H)` */
  _Highs_destroy(highs: number): void;
  /** `HighsInt Highs_passLp(void* H, num_col, num_row, num_nz, a_format, sense, double offset, const double* col_cost, col_lower, col_upper, row_lower, row_upper, const HighsInt* a_start, a_index, const double* a_value)` */
  _Highs_passLp(
    highs: number,
    columns: number,
    rows: number,
    entries: number,
    format: number,
    sense: number,
    offset: number,
    cost: number,
    columnLower: number,
    columnUpper: number,
    rowLower: number,
    rowUpper: number,
    starts: number,
    indices: number,
    values: number,
  ): number;
  /** `HighsInt Highs_getLp(const void* H, a_format, HighsInt* num_col, num_row, num_nz, sense, double* offset, col_cost, col_lower, col_upper, row_lower, row_upper, HighsInt* a_start, a_index, double* a_value, HighsInt* integrality)` */
  _Highs_getLp(
    highs: number,
    format: number,
    columns: number,
    rows: number,
    entries: number,
    sense: number,
    offset: number,
    cost: number,
    columnLower: number,
    columnUpper: number,
    rowLower: number,
    rowUpper: number,
    starts: number,
    indices: number,
    values: number,
    integrality: number,
  ): number;
  /** `HighsInt Highs_getNumNz(const void* H)` */
  _Highs_getNumNz(highs: number): number;
  /** `HighsInt Highs_changeRowsBoundsByRange(void* H, from_row, to_row, const double* lower, upper)` */
  _Highs_changeRowsBoundsByRange(
    highs: number,
    from: number,
    to: number,
    lower: number,
    upper: number,
  ): number;
  /** `HighsInt Highs_changeColsBoundsByRange(void* H, from_col, to_col, const double* lower, upper)` */
  _Highs_changeColsBoundsByRange(
    highs: number,
    from: number,
    to: number,
    lower: number,
    upper: number,
  ): number;
  /** `HighsInt Highs_changeColsCostByRange(void* H, from_col, to_col, const double* cost)` */
  _Highs_changeColsCostByRange(highs: number, from: number, to: number, cost: number): number;
  /** `HighsInt Highs_addRows(void* H, num_new_row, const double* lower, upper, num_new_nz, const HighsInt* starts, index, const double* value)` */
  _Highs_addRows(
    highs: number,
    count: number,
    lower: number,
    upper: number,
    entries: number,
    starts: number,
    indices: number,
    values: number,
  ): number;
  /** `HighsInt Highs_deleteRowsBySet(void* H, num_set_entries, const HighsInt* set)` */
  _Highs_deleteRowsBySet(highs: number, count: number, set: number): number;
  /** `HighsInt Highs_clearSolver(void* H)` */
  _Highs_clearSolver(highs: number): number;
  /** `HighsInt Highs_setBasis(void* H, const HighsInt* col_status, row_status)` */
  _Highs_setBasis(highs: number, columns: number, rows: number): number;
  /** `HighsInt Highs_getBasis(const void* H, HighsInt* col_status, row_status)` */
  _Highs_getBasis(highs: number, columns: number, rows: number): number;
  /** `HighsInt Highs_run(void* H)` */
  _Highs_run(highs: number): number;
  /** `HighsInt Highs_getModelStatus(const void* H)` */
  _Highs_getModelStatus(highs: number): number;
  /** `double Highs_getObjectiveValue(const void* H)` */
  _Highs_getObjectiveValue(highs: number): number;
  /** `HighsInt Highs_getSolution(const void* H, double* col_value, col_dual, row_value, row_dual)` */
  _Highs_getSolution(
    highs: number,
    columnValue: number,
    columnDual: number,
    rowValue: number,
    rowDual: number,
  ): number;
  /** `HighsInt Highs_getIntInfoValue(const void* H, const char* info, HighsInt* value)` */
  _Highs_getIntInfoValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setBoolOptionValue(void* H, const char* option, HighsInt value)` */
  _Highs_setBoolOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setIntOptionValue(void* H, const char* option, HighsInt value)` */
  _Highs_setIntOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setDoubleOptionValue(void* H, const char* option, double value)` */
  _Highs_setDoubleOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setStringOptionValue(void* H, const char* option, const char* value)` */
  _Highs_setStringOptionValue(highs: number, name: number, value: number): number;
  _malloc(bytes: number): number;
  _free(address: number): void;
}

/** The name of every function of the module that is called, so that a package without one is refused at load. */
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

/** The module: its functions, and its memory as arrays. */
export class HighsLibrary {
  readonly call: HighsFunctions;
  readonly version: string;
  /** SHA-256 of the WebAssembly module. */
  readonly hash: string;
  private readonly memory: WebAssembly.Memory;
  private float64: Float64Array;
  private int32: Int32Array;
  private readonly names = new Map<string, number>();

  static async load(): Promise<HighsLibrary> {
    try {
      const bytes = await readFile(createRequire(import.meta.url).resolve("highs/runtime"));
      const module = await WebAssembly.compile(bytes);
      let memory: WebAssembly.Memory | undefined;
      // The types of the package describe its CommonJS door; this is the other one.
      const { default: loadHighs } = (await import("highs")) as unknown as HighsPackage;
      // Emscripten's own hook; it is the one way to the memory, whose name in the exports is not fixed.
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
      const hash = createHash("sha256").update(bytes).digest("hex");
      return new HighsLibrary(call, memory, call.version.string, hash);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SolverError(
        "SolverNotAvailable",
        "highs",
        `the package highs cannot be used: ${reason}. Install the dependencies again (npm ci)`,
        error,
      );
    }
  }

  private constructor(
    call: HighsFunctions,
    memory: WebAssembly.Memory,
    version: string,
    hash: string,
  ) {
    this.call = call;
    this.memory = memory;
    this.version = version;
    this.hash = hash;
    this.float64 = new Float64Array(memory.buffer);
    this.int32 = new Int32Array(memory.buffer);
  }

  /** All doubles of the memory; valid until something is allocated or solved. Index an address divided by 8. */
  get doubles(): Float64Array {
    if (this.float64.buffer !== this.memory.buffer) {
      this.float64 = new Float64Array(this.memory.buffer);
    }
    return this.float64;
  }

  /** All 32-bit integers of the memory; valid until something is allocated or solved. Index an address divided by 4. */
  get integers(): Int32Array {
    if (this.int32.buffer !== this.memory.buffer) this.int32 = new Int32Array(this.memory.buffer);
    return this.int32;
  }

  allocate(bytes: number): number {
    const address = this.call._malloc(Math.max(8, bytes));
    if (address === 0) {
      throw new SolverError(
        "SolverCrashed",
        "highs",
        `no memory for ${bytes} more bytes: the module has ${this.memory.buffer.byteLength} of at most 4 GiB`,
      );
    }
    return address;
  }

  /** Copies doubles or integers out of the memory. */
  read(address: number, into: Float64Array | Int32Array): void {
    if (into instanceof Float64Array) {
      into.set(this.doubles.subarray(address / 8, address / 8 + into.length));
    } else {
      into.set(this.integers.subarray(address / 4, address / 4 + into.length));
    }
  }

  /** Calls with `arrays` copied into the module's memory for the time of the call. */
  withArrays<const A extends readonly (Float64Array | Int32Array)[], T>(
    arrays: A,
    body: (...addresses: { [K in keyof A]: number }) => T,
  ): T {
    const addresses = arrays.map((array) => this.allocate(array.byteLength));
    try {
      arrays.forEach((array, i) => {
        const address = addresses[i] as number;
        if (array instanceof Float64Array) this.doubles.set(array, address / 8);
        else this.integers.set(array, address / 4);
      });
      return body(...(addresses as { [K in keyof A]: number }));
    } finally {
      for (const address of addresses) this.call._free(address);
    }
  }

  /** The address of a C string that stays: names of options and their values are few. */
  text(value: string): number {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(`${value}\0`);
    const address = this.allocate(bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, address);
    this.names.set(value, address);
    return address;
  }
}
