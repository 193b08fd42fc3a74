import { type ArrayType, arrayTypeOf, type CommArray, type ReduceOp } from "../arrays.js";
import { kernelOver } from "../kernel/instance.js";
import { foldKernel } from "./kernel.js";
import { foldLoop } from "./rule.js";

/** Below this many bytes per operand the copies cost more than the kernel saves (see `npm run bench`). */
const KERNEL_MIN_BYTES = 1024;

/** What is folded at a time. The two operands and the result stay in the first-level cache. */
const CHUNK_BYTES = 8192;

/** Where the chunks of the accumulator and of the next operand stand; see `Scratch`. */
const ACC = 0;
const NEXT = CHUNK_BYTES + 128;

/**
 * Folds `operands`, one per rank in rank order, into `out`. All have the type and the length of
 * `out`, which may be one of them. The bytes are those of the rule in `rule.ts`.
 */
export function fold<T extends CommArray>(operands: readonly T[], out: T, op: ReduceOp): void {
  const type = arrayTypeOf(out) as ArrayType;
  const first = operands[0] as T;
  if (operands.length === 1) {
    (out as Float64Array).set(first as Float64Array);
  } else if (out.byteLength < KERNEL_MIN_BYTES) {
    foldInLoop(type, operands, out, op);
  } else {
    foldInKernel(type, operands, out, op);
  }
}

/** The fold by the plain loop, whatever the length. */
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

/** The fold by the SIMD kernel, whatever the length. */
export function foldInKernel<T extends CommArray>(
  type: ArrayType,
  operands: readonly T[],
  out: T,
  op: ReduceOp,
): void {
  scratch ??= new Scratch();
  const { bytes } = scratch;
  const kernel = foldKernel(scratch.kernel, type, op);
  const total = out.byteLength;
  const sources = operands.map(bytesOf);
  const target = bytesOf(out);
  for (let at = 0; at < total; at += CHUNK_BYTES) {
    const end = Math.min(at + CHUNK_BYTES, total);
    const n = (end - at) / type.bytesPerElement;
    bytes.set((sources[0] as Uint8Array).subarray(at, end), ACC);
    for (let r = 1; r < sources.length; r++) {
      bytes.set((sources[r] as Uint8Array).subarray(at, end), NEXT);
      kernel(ACC, ACC, NEXT, n);
    }
    target.set(bytes.subarray(ACC, ACC + end - at), at);
  }
}

function bytesOf(array: CommArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** One page of WebAssembly memory through which vectors that live elsewhere are folded. */
class Scratch {
  private readonly memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  readonly kernel = kernelOver(this.memory);
  readonly bytes = new Uint8Array(this.memory.buffer);
}

let scratch: Scratch | undefined;
