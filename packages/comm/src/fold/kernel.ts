import type { ArrayType, ReduceOp } from "../arrays.js";

/** `out[i] = op(a[i], b[i])` for `n` elements at byte addresses in the kernel's memory. */
export type FoldKernel = (out: number, a: number, b: number, n: number) => void;

/**
 * The SIMD kernel for one type and operation. It gives the same bytes as the loops in `rule.ts`.
 */
export function foldKernel(kernel: WebAssembly.Exports, type: ArrayType, op: ReduceOp): FoldKernel {
  return kernel[`${op}${type.name}`] as FoldKernel;
}
