import type { Koffi } from "../ffi/koffi.js";
import type { Memory } from "./bindings.js";

/** An array of our own whose elements never move, so that its address can be passed. */
export interface Fixed<T extends ArrayBufferView> {
  readonly array: T;
  readonly address: bigint;
}

/** Where the memory of an off-heap array is. */
export function addressOf(koffi: Koffi, array: ArrayBufferView): bigint {
  return koffi.address(array);
}

/** A small array may live on V8's heap and be moved between two calls; asking for its buffer ends that. */
export function pin(memory: Memory): ArrayBufferLike | undefined {
  return typeof memory === "bigint" ? undefined : memory.buffer;
}

/** An array over a buffer of its own, which V8 keeps off its heap whatever its size. */
export function fixedInts(koffi: Koffi, length: number): Fixed<Int32Array> {
  const array = new Int32Array(new ArrayBuffer(Math.max(4 * length, 8)), 0, length);
  return { array, address: addressOf(koffi, array) };
}

export function fixedDoubles(koffi: Koffi, length: number): Fixed<Float64Array> {
  const array = new Float64Array(new ArrayBuffer(8 * length));
  return { array, address: addressOf(koffi, array) };
}
