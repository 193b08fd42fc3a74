import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import type { Koffi } from "../ffi/koffi.js";
import { type FoldKernel, foldKernel } from "../fold/kernel.js";
import { kernelOver } from "../kernel/instance.js";
import { addressOf } from "./fixed-memory.js";

const PAGE_BYTES = 65_536;

/**
 * Memory into which operands are received and in which they are folded: the library writes to its
 * address, the SIMD kernel works on it in place.
 */
export class Scratch {
  readonly bytes: number;
  readonly address: bigint;
  private readonly memory: WebAssembly.Memory;
  private readonly functions: WebAssembly.Exports;
  private readonly kernels: FoldKernel[] = [];
  private readonly views: CommArray[] = [];
  private head: CommArray | undefined;

  constructor(koffi: Koffi, bytes: number) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    this.bytes = pages * PAGE_BYTES;
    // A memory that cannot grow never moves.
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.address = addressOf(koffi, new Uint8Array(this.memory.buffer));
    this.functions = kernelOver(this.memory);
  }

  kernel(type: ArrayType, op: ReduceOp): FoldKernel {
    const key = type.code * 4 + REDUCE_OPS[op];
    this.kernels[key] ??= foldKernel(this.functions, type, op);
    return this.kernels[key];
  }

  /** All of it, as elements of a type. */
  view(type: ArrayType): CommArray {
    this.views[type.code] ??= new type.constructorFunction(this.memory.buffer);
    return this.views[type.code] as CommArray;
  }

  /** The first `n` elements. The last answer is remembered: programs repeat themselves. */
  first(type: ArrayType, n: number): CommArray {
    const { head } = this;
    if (head?.length === n && head instanceof type.constructorFunction) return head;
    this.head = new type.constructorFunction(this.memory.buffer, 0, n);
    return this.head;
  }
}
