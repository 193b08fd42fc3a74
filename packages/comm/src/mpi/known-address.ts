import type { CommArray } from "../arrays.js";
import { REMEMBERED_BYTES } from "../blocks.js";
import { addressOf } from "../ffi/address.js";
import type { Koffi } from "../ffi/koffi.js";
import type { Address, Memory } from "./bindings.js";

/**
 * Remembers the address of the last small array. Looking it up takes a good part of the time of an
 * 8-byte call. `addressOf` pins the array, so its memory does not move. If the buffer is detached,
 * the array has no elements left and none is touched.
 */
export class KnownAddress {
  private readonly koffi: Koffi;
  private array: CommArray | undefined;
  private address: Address = 0n;
  /** Seen once. Looking up the address pays off only for an array that is used again. */
  private newcomer: CommArray | undefined;

  constructor(koffi: Koffi) {
    this.koffi = koffi;
  }

  /** What to pass for `array`: its address if known, else the array itself. */
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
    this.address = addressOf(this.koffi, array);
    this.array = array;
    return this.address;
  }
}
