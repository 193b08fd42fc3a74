import type { ArrayType, CommArray } from "../arrays.js";
import { addressOf } from "../ffi/address.js";
import type { Koffi } from "../ffi/koffi.js";
import { FoldScratch } from "../fold/scratch.js";

/**
 * Memory in which operands are received and folded. The MPI library writes to its address; the SIMD
 * kernel works on it in place.
 */
export class Scratch extends FoldScratch {
  readonly address: bigint;
  private head: CommArray | undefined;

  constructor(koffi: Koffi, bytes: number) {
    super(bytes);
    this.address = addressOf(koffi, this.bytes);
  }

  /** The first `n` elements. The last result is remembered, because calls tend to repeat. */
  first(type: ArrayType, n: number): CommArray {
    const { head } = this;
    if (head?.length === n && head instanceof type.constructorFunction) return head;
    this.head = new type.constructorFunction(this.bytes.buffer, 0, n);
    return this.head;
  }
}
