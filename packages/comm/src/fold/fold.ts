import { type ArrayType, arrayTypeOf, type CommArray, type ReduceOp } from "../arrays.js";
import { STAGGER_BYTES } from "../blocks.js";
import { foldLoop } from "./rule.js";
import { FoldScratch } from "./scratch.js";

/** Below this many bytes per operand the copies cost more than the kernel saves (see `npm run bench`). */
const KERNEL_MIN_BYTES = 512;

/** How many bytes are folded at a time. Both operands stay in the caches nearest to the core. */
const CHUNK_BYTES = 16_384;

/** Where the next operand begins; the accumulator begins at 0. */
const NEXT = CHUNK_BYTES + STAGGER_BYTES;

/**
 * Folds `operands`, one per rank in rank order, into `out`. All have the type and length of `out`,
 * which may be the first or the second of them. The result follows the rule in `rule.ts`.
 */
export function fold<T extends CommArray>(operands: readonly T[], out: T, op: ReduceOp): void {
  const type = arrayTypeOf(out) as ArrayType;
  if (operands.length === 1) {
    (out as Float64Array).set(operands[0] as Float64Array);
  } else if (out.length * type.bytesPerElement < KERNEL_MIN_BYTES) {
    foldInLoop(type, operands, out, op);
  } else {
    foldInKernel(type, operands, out, op);
  }
}

/** Folds with the plain loop, whatever the length. */
export function foldInLoop<T extends CommArray>(
  type: ArrayType,
  operands: readonly T[],
  out: T,
  op: ReduceOp,
): void {
  const loop = foldLoop(type, op);
  const n = out.length;
  loop(out, 0, operands[0] as T, 0, operands[1] as T, 0, n);
  for (let r = 2; r < operands.length; r++) loop(out, 0, out, 0, operands[r] as T, 0, n);
}

/** Folds with the SIMD kernel, whatever the length. */
export function foldInKernel<T extends CommArray>(
  type: ArrayType,
  operands: readonly T[],
  out: T,
  op: ReduceOp,
): void {
  scratch ??= new FoldScratch(2 * NEXT);
  const kernel = scratch.kernel(type, op);
  const view = scratch.view(type) as Float64Array;
  const next = NEXT / type.bytesPerElement;
  const chunk = CHUNK_BYTES / type.bytesPerElement;
  for (let at = 0; at < out.length; at += chunk) {
    const n = Math.min(chunk, out.length - at);
    view.set(part(operands[0] as Float64Array, at, n));
    for (let r = 1; r < operands.length; r++) {
      view.set(part(operands[r] as Float64Array, at, n), next);
      kernel(0, 0, NEXT, n);
    }
    (out as Float64Array).set(view.subarray(0, n), at);
  }
}

function part(array: Float64Array, at: number, n: number): Float64Array {
  return n === array.length ? array : array.subarray(at, at + n);
}

/** Memory of one page into which operands are copied to be folded. */
let scratch: FoldScratch | undefined;
