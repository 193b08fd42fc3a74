import type { ArrayType, CommArray, ReduceOp } from "../arrays.js";
import type { Sockets } from "../ffi/sockets.js";
import { fold } from "../fold/fold.js";
import { FoldScratch } from "../fold/scratch.js";
import { CHUNK_BYTES } from "./wire.js";

/** How far an operand may be ahead of the fold, and all of them together. */
const WINDOW_BYTES = 8 * CHUNK_BYTES;
const ALL_WINDOWS_BYTES = 2 ** 24;

/** What is folded at a time: it stays in the caches next to the core. */
const STEP_BYTES = 16_384;

/** Neighbouring stretches are not a multiple of 4 KiB apart, which would slow down the core. */
const GAP_BYTES = 576;

/** Below this many bytes the plain loop is faster than the kernel (see `npm run bench`). */
const KERNEL_MIN_BYTES = 512;

/**
 * Where the operands of other ranks arrive, each in a window of its own, and are folded in rank order
 * where they are. Made at first use.
 */
export class Operands {
  /** How long a window is: a multiple of a frame's length. */
  readonly windowBytes: number;
  private readonly sockets: Sockets;
  private readonly rank: number;
  private readonly size: number;
  private made: { readonly scratch: FoldScratch; readonly address: number } | undefined;

  constructor(sockets: Sockets, rank: number, size: number) {
    this.sockets = sockets;
    this.rank = rank;
    this.size = size;
    const chunks = Math.max(2, Math.floor(ALL_WINDOWS_BYTES / size / CHUNK_BYTES));
    this.windowBytes = Math.min(WINDOW_BYTES, chunks * CHUNK_BYTES);
  }

  /** A stretch of a rank's window, for what is received or copied into it. */
  window(rank: number, bytes: number): { readonly bytes: Uint8Array; readonly address: number } {
    const { scratch, address } = this.memory();
    const at = this.windowAt(rank);
    return { bytes: scratch.bytes.subarray(at, at + bytes), address: address + at };
  }

  /**
   * Folds `own` and what stands in the windows from byte `at` on into `out`. All three are of one length,
   * which the window holds from there.
   */
  fold<T extends CommArray>(type: ArrayType, op: ReduceOp, own: T, out: T, at: number): void {
    const { scratch } = this.memory();
    const { bytesPerElement } = type;
    if (own.byteLength < KERNEL_MIN_BYTES) {
      fold(this.elements(type, own, at), out, op);
      return;
    }
    const kernel = scratch.kernel(type, op);
    const view = scratch.view(type) as Float64Array;
    const step = STEP_BYTES / bytesPerElement;
    const mine = STEP_BYTES + GAP_BYTES;
    for (let from = 0; from < own.length; from += step) {
      const n = Math.min(step, own.length - from);
      view.set(own.subarray(from, from + n) as Float64Array, mine / bytesPerElement);
      const operand = (r: number) =>
        r === this.rank ? mine : this.windowAt(r) + at + from * bytesPerElement;
      kernel(0, operand(0), operand(1), n);
      for (let r = 2; r < this.size; r++) kernel(0, 0, operand(r), n);
      (out as Float64Array).set(view.subarray(0, n), from);
    }
  }

  private elements<T extends CommArray>(type: ArrayType, own: T, at: number): T[] {
    const { buffer } = this.memory().scratch.bytes;
    return Array.from({ length: this.size }, (_, r) => {
      if (r === this.rank) return own;
      return new type.constructorFunction(buffer, this.windowAt(r) + at, own.length) as T;
    });
  }

  /** Behind the accumulator and a copy of this rank's own operand. */
  private windowAt(rank: number): number {
    return 2 * (STEP_BYTES + GAP_BYTES) + rank * (this.windowBytes + GAP_BYTES);
  }

  private memory(): { readonly scratch: FoldScratch; readonly address: number } {
    if (this.made === undefined) {
      const scratch = new FoldScratch(this.windowAt(this.size));
      this.made = { scratch, address: this.sockets.addressOf(scratch.bytes) };
    }
    return this.made;
  }
}
