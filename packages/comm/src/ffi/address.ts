import type { Koffi } from "./koffi.js";

/**
 * Fixes an array in memory. V8 may keep the elements of a short array on its heap and move them between
 * two calls. Reading `buffer` moves them off the heap for good.
 */
export function pin(array: ArrayBufferView): void {
  void array.buffer;
}

/** The address of an array's elements. It stays valid as long as the array lives. */
export function addressOf(koffi: Koffi, array: ArrayBufferView): bigint {
  pin(array);
  return koffi.address(array);
}
