import type { ArrayType, CommArray } from "../arrays.js";

/** Larger arrays are not remembered: a communicator must not keep a caller's big data alive. */
const REMEMBERED_BYTES = 4096;

/**
 * A caller's array as 32-bit words, remembered from call to call. A few words are moved in a tenth of
 * the time that `set` takes, and words have no NaNs that could change on the way.
 */
export class WordView {
  private array: CommArray | undefined;
  private words: Int32Array = new Int32Array(0);

  /** The words of an array of 4 or 8 bytes an element. */
  of(array: CommArray, type: ArrayType): Int32Array {
    const length = (array.length * type.bytesPerElement) >> 2;
    // A buffer that was resized or detached has another length now.
    if (array === this.array && this.words.length === length) return this.words;
    const words = new Int32Array(array.buffer, array.byteOffset, length);
    if (length * 4 <= REMEMBERED_BYTES) {
      this.array = array;
      this.words = words;
    }
    return words;
  }
}

/** Copies `count` words, for few words. */
export function copyWords(
  from: Int32Array,
  fromAt: number,
  to: Int32Array,
  toAt: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[toAt + i] = from[fromAt + i] as number;
}
