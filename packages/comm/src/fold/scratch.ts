import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { kernelOver } from "../kernel/instance.js";
import { type FoldKernel, foldKernel } from "./kernel.js";

const PAGE_BYTES = 65_536;

/**
 * WebAssembly memory in which the SIMD kernels fold in place. It never grows, so it never moves.
 */
export class FoldScratch {
  readonly bytes: Uint8Array;
  private readonly memory: WebAssembly.Memory;
  private readonly functions: WebAssembly.Exports;
  private readonly kernels: FoldKernel[] = [];
  private readonly views: CommArray[] = [];

  /** Allocates at least `bytes` bytes. */
  constructor(bytes: number) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.bytes = new Uint8Array(this.memory.buffer);
    this.functions = kernelOver(this.memory);
  }

  kernel(type: ArrayType, op: ReduceOp): FoldKernel {
    const key = type.code * 4 + REDUCE_OPS[op];
    this.kernels[key] ??= foldKernel(this.functions, type, op);
    return this.kernels[key];
  }

  /** The whole memory as elements of one type. */
  view(type: ArrayType): CommArray {
    this.views[type.code] ??= new type.constructorFunction(this.memory.buffer);
    return this.views[type.code] as CommArray;
  }
}
