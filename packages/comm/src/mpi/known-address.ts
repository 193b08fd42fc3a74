import type { CommArray } from "../arrays.js";
import type { Koffi } from "../ffi/koffi.js";
import type { Address, Memory } from "./bindings.js";
import { addressOf, pin } from "./fixed-memory.js";

/** Larger arrays are not remembered, so that a communicator does not keep a caller's big data alive (but it does keep the buffer of a small part). */
const REMEMBERED_BYTES = 4096;

/**
 * Remembers where the small array is that it was asked about last: a call of 8 bytes spends a good part
 * of its time on finding that out. An array's memory stays where it is as long as there is some;
 * if it is taken away (a detached buffer), the array has no elements left, and none is touched.
 */
export class KnownAddress {
  private readonly koffi: Koffi;
  private array: CommArray | undefined;
  private address: Address = 0n;
  /** Asked about once: asking the foreign-function library pays off only for who comes again. */
  private newcomer: CommArray | undefined;

  constructor(koffi: Koffi) {
    this.koffi = koffi;
  }

  /** What to pass on for `array`: its address, if it is known, or else itself. */
  of(array: CommArray): Memory {
    return array === this.array ? this.address : this.meet(array);
  }

  private meet(array: CommArray): Memory {
    if (array.byteLength > REMEMBERED_BYTES || array.byteLength === 0) return array;
    if (array !== this.newcomer) {
      this.newcomer = array;
      return array;
    }
    this.newcomer = undefined;
    pin(array);
    this.address = addressOf(this.koffi, array);
    this.array = array;
    return this.address;
  }
}
