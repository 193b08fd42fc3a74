import { SolverError } from "../errors.js";
import type { HighsFunctions } from "./functions.js";

/** What {@link HighsLibrary} is made of. */
export interface HighsParts {
  readonly name: "highs-wasm" | "highs-native";
  readonly call: HighsFunctions;
  /** The memory that JavaScript shares with the library. A buffer may be replaced by a larger one with the same content. */
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly version: string;
  readonly fingerprint: string;
  /** What there is too little of when an allocation fails, with the size of the memory. */
  readonly describeRoom: (bytes: number) => string;
  /** The file of a native library. */
  readonly file?: string;
}

/**
 * HiGHS and the memory that it shares with JavaScript: WebAssembly's, or an arena beside a native library. Addresses are offsets in this memory,
 * so programs are the same over both.
 */
export class HighsLibrary {
  readonly name: "highs-wasm" | "highs-native";
  readonly call: HighsFunctions;
  readonly version: string;
  readonly fingerprint: string;
  readonly file: string | undefined;
  private readonly memory: { readonly buffer: ArrayBuffer };
  private readonly describeRoom: (bytes: number) => string;
  private float64: Float64Array;
  private int32: Int32Array;
  private readonly names = new Map<string, number>();

  constructor(parts: HighsParts) {
    this.name = parts.name;
    this.call = parts.call;
    this.memory = parts.memory;
    this.version = parts.version;
    this.fingerprint = parts.fingerprint;
    this.describeRoom = parts.describeRoom;
    this.file = parts.file;
    this.float64 = new Float64Array(parts.memory.buffer);
    this.int32 = new Int32Array(parts.memory.buffer);
  }

  /** The memory as doubles; valid until the next allocation or solve. The index is the address divided by 8. */
  get doubles(): Float64Array {
    if (this.float64.buffer !== this.memory.buffer) {
      this.float64 = new Float64Array(this.memory.buffer);
    }
    return this.float64;
  }

  /** The memory as 32-bit integers; valid until the next allocation or solve. The index is the address divided by 4. */
  get integers(): Int32Array {
    if (this.int32.buffer !== this.memory.buffer) this.int32 = new Int32Array(this.memory.buffer);
    return this.int32;
  }

  allocate(bytes: number): number {
    const address = this.call._malloc(Math.max(8, bytes));
    if (address === 0) {
      throw new SolverError(
        "SolverCrashed",
        this.name,
        `no memory for ${bytes} more bytes: ${this.describeRoom(this.memory.buffer.byteLength)}`,
      );
    }
    return address;
  }

  /** The error for a call that ended with `cause`. A module that finds no more memory aborts, and does not say why. */
  crash(cause: unknown): SolverError {
    const text = cause instanceof Error ? cause.message : String(cause);
    const room = this.describeRoom(this.memory.buffer.byteLength);
    const reason = /Aborted|memory/i.test(text)
      ? `the solver aborted, as it does if there is no more memory: ${room}`
      : `the solver crashed: ${text}`;
    return new SolverError("SolverCrashed", this.name, reason, cause);
  }

  /** Copies doubles or integers out of the memory. */
  read(address: number, into: Float64Array | Int32Array): void {
    if (into instanceof Float64Array) {
      into.set(this.doubles.subarray(address / 8, address / 8 + into.length));
    } else {
      into.set(this.integers.subarray(address / 4, address / 4 + into.length));
    }
  }

  /** Calls `body` with the addresses of copies of `arrays` in the shared memory, which are freed afterwards. */
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

  /** The address of a C string. It is never freed; the names and values of options are few. */
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
