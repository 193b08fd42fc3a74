import type { ArrayType, CommArray, ReduceOp } from "../arrays.js";
import { STAGGER_BYTES } from "../blocks.js";
import type { Sockets } from "../ffi/sockets.js";
import { fold } from "../fold/fold.js";
import { FoldScratch } from "../fold/scratch.js";
import { CHUNK_BYTES } from "./wire.js";

/** How many bytes of one operand, and of all together, may be received ahead of the fold. */
const WINDOW_BYTES = 8 * CHUNK_BYTES;
const ALL_WINDOWS_BYTES = 2 ** 24;

/** How many bytes are folded at a time: few enough to stay in the caches next to the core. */
const STEP_BYTES = 16_384;

/** Below this many bytes the plain loop is faster than the kernel (see `npm run bench`). */
const KERNEL_MIN_BYTES = 512;

/**
 * Memory for the operands of other ranks. Each rank has a window; operands are folded there in rank
 * order. The memory is allocated at first use.
 */
export class Operands {
  /** The length of a window: a multiple of `CHUNK_BYTES`. */
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

  /** The first `bytes` bytes of a rank's window. */
  window(rank: number, bytes: number): { readonly bytes: Uint8Array; readonly address: number } {
    const { scratch, address } = this.memory();
    const at = this.windowAt(rank);
    return { bytes: scratch.bytes.subarray(at, at + bytes), address: address + at };
  }

  /**
   * Folds `own` and the operands in the windows, from byte `at` on, into `out`. `out` is as long as
   * `own`, and the windows hold that many elements from `at` on.
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
    const mine = STEP_BYTES + STAGGER_BYTES;
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

  /** Windows follow the accumulator and a copy of this rank's own operand. */
  private windowAt(rank: number): number {
    return 2 * (STEP_BYTES + STAGGER_BYTES) + rank * (this.windowBytes + STAGGER_BYTES);
  }

  private memory(): { readonly scratch: FoldScratch; readonly address: number } {
    if (this.made === undefined) {
      const scratch = new FoldScratch(this.windowAt(this.size));
      this.made = { scratch, address: this.sockets.addressOf(scratch.bytes) };
    }
    return this.made;
  }
}
