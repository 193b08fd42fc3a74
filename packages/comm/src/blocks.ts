/** How vectors are cut into blocks, and sizes that several backends share. */
import type { ArrayType } from "./arrays.js";

/**
 * Where block `b` of `blocks` begins in a vector of `n` elements. Blocks begin at multiples of 64
 * bytes, so no two ranks write the same cache line.
 */
export function blockStart(type: ArrayType, b: number, blocks: number, n: number): number {
  const grain = 64 / type.bytesPerElement;
  const grains = Math.ceil(n / grain);
  return Math.min(n, Math.floor((grains * b) / blocks) * grain);
}

/**
 * On common processors, copying or folding operands that are a multiple of 4 KiB apart takes four
 * times as long. Placing them this many bytes further apart avoids it.
 */
export const STAGGER_BYTES = 576;

/**
 * Up to this size, a communicator remembers a caller's array from one call to the next. It must not
 * keep larger arrays alive.
 */
export const REMEMBERED_BYTES = 4096;
