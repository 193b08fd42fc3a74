import type { Hash } from "node:crypto";
import type { LpData } from "@cobre/solver";

/** Adds the values of an array to a hash. */
export function hashArray(hash: Hash, array: Float64Array | Int32Array | Uint8Array): void {
  hash.update(String(array.length));
  hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

/** Adds a value that JSON can hold to a hash. */
export function hashJson(hash: Hash, value: unknown): void {
  hash.update(JSON.stringify(value));
}

/** Adds a linear program to a hash. */
export function hashLp(hash: Hash, { cost, columnLower, columnUpper, rows }: LpData): void {
  for (const array of [cost, columnLower, columnUpper, rows.lower, rows.upper, rows.values]) {
    hashArray(hash, array);
  }
  hashArray(hash, rows.indices);
  hashArray(hash, rows.starts);
}
