import { addressOf } from "../ffi/address.js";
import type { Koffi } from "../ffi/koffi.js";

/** One of our own arrays. Its elements never move, so its address can be passed. */
export interface Fixed<T extends ArrayBufferView> {
  readonly array: T;
  readonly address: bigint;
}

/** An array over its own buffer, which V8 keeps off its heap whatever the size. */
export function fixedInts(koffi: Koffi, length: number): Fixed<Int32Array> {
  const array = new Int32Array(new ArrayBuffer(Math.max(4 * length, 8)), 0, length);
  return { array, address: addressOf(koffi, array) };
}

export function fixedDoubles(koffi: Koffi, length: number): Fixed<Float64Array> {
  const array = new Float64Array(new ArrayBuffer(8 * length));
  return { array, address: addressOf(koffi, array) };
}
