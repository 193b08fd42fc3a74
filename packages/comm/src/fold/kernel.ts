import type { ArrayType, ReduceOp } from "../arrays.js";
import { KERNEL_MODULE_BASE64 } from "./kernel-module.js";

/** `out[i] = op(a[i], b[i])` for `n` elements at byte addresses in the kernel's memory. */
export type FoldKernel = (out: number, a: number, b: number, n: number) => void;

let compiled: WebAssembly.Module | undefined;

/** Compiled at the first long vector, not at import: many programs never need it. */
function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_MODULE_BASE64, "base64"));
  return compiled;
}

/** The SIMD fold kernels over one memory. They give the bytes of the loops in `rule.ts`. */
export class FoldKernels {
  readonly memory: WebAssembly.Memory;
  private readonly functions: WebAssembly.Exports;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.functions = new WebAssembly.Instance(kernelModule(), { env: { memory } }).exports;
  }

  kernel(type: ArrayType, op: ReduceOp): FoldKernel {
    return this.functions[`${op}${type.name}`] as FoldKernel;
  }
}
