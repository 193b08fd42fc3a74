import type { ArrayType, CommArray } from "../arrays.js";
import { REMEMBERED_BYTES } from "../blocks.js";

/**
 * A caller's array as 32-bit words, remembered from call to call. A loop copies a few words in a
 * tenth of the time that `set` takes, and a copy of words cannot change a NaN.
 */
export class WordView {
  private array: CommArray | undefined;
  private words: Int32Array = new Int32Array(0);

  /** The words of an array whose elements have 4 or 8 bytes. */
  of(array: CommArray, type: ArrayType): Int32Array {
    const length = (array.length * type.bytesPerElement) >> 2;
    // A resized or detached buffer has a different length now.
    if (array === this.array && this.words.length === length) return this.words;
    const words = new Int32Array(array.buffer, array.byteOffset, length);
    if (length * 4 <= REMEMBERED_BYTES) {
      this.array = array;
      this.words = words;
    }
    return words;
  }
}

/** Copies `count` words. Meant for a few words. */
export function copyWords(
  from: Int32Array,
  fromAt: number,
  to: Int32Array,
  toAt: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[toAt + i] = from[fromAt + i] as number;
}
