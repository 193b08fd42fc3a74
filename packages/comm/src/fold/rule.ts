/**
 * The rule of reduction, in plain loops. Every backend's allreduce gives the same bytes as folding
 * with these loops in rank order (on mpi only with ordered reductions, the default). The
 * WebAssembly kernel computes the same bytes faster.
 *
 * `acc = x₀`, then `acc = op(acc, x_r)` for r = 1 … R-1, in the element's own arithmetic:
 * - float64 and float32 round at each step (float32 to float32);
 * - integers wrap;
 * - a NaN result is stored as the canonical quiet NaN (0x7FF8…, 0x7FC00000), because its payload
 *   and sign would otherwise depend on how the loop was compiled;
 * - min and max give NaN if either side is NaN; of two zeros min takes -0, max takes +0.
 *
 * With one rank no operation takes place: the bytes are copied, NaN payloads included.
 */
import type { ArrayType, CommArray, ReduceOp } from "../arrays.js";

/**
 * `out[outAt + i] = op(a[aAt + i], b[bAt + i])` for i < n. All three arrays have the same type.
 * `out` may be `a` or `b` at the same offset. The parameters are offsets rather than subarrays,
 * because making a subarray costs more than folding a few elements.
 */
type FoldLoop = (
  out: CommArray,
  outAt: number,
  a: CommArray,
  aAt: number,
  b: CommArray,
  bAt: number,
  n: number,
) => void;

type Loops<T extends CommArray> = Record<
  ReduceOp,
  (out: T, outAt: number, a: T, aAt: number, b: T, bAt: number, n: number) => void
>;

// Each class of types has its own loops. V8 specialises a loop for at most four kinds of arrays; a
// loop that sees more is about ten times slower.
const FLOAT64: Loops<Float64Array> = {
  sum(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = (a[aAt + i] as number) + (b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
  min(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = Math.min(a[aAt + i] as number, b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
  max(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = Math.max(a[aAt + i] as number, b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
};

// The float64 sum of two float32 values is exact enough: storing it rounds once, correctly.
const FLOAT32: Loops<Float32Array> = {
  sum(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = (a[aAt + i] as number) + (b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
  min(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = Math.min(a[aAt + i] as number, b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
  max(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const r = Math.max(a[aAt + i] as number, b[bAt + i] as number);
      out[outAt + i] = Number.isNaN(r) ? Number.NaN : r;
    }
  },
};

// Storing into an integer array wraps.
const SIGNED: Loops<Int32Array> = {
  sum(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      out[outAt + i] = (a[aAt + i] as number) + (b[bAt + i] as number);
    }
  },
  min(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as number;
      const y = b[bAt + i] as number;
      out[outAt + i] = x < y ? x : y;
    }
  },
  max(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as number;
      const y = b[bAt + i] as number;
      out[outAt + i] = x > y ? x : y;
    }
  },
};

const UNSIGNED: Loops<Uint32Array> = {
  sum(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      out[outAt + i] = (a[aAt + i] as number) + (b[bAt + i] as number);
    }
  },
  min(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as number;
      const y = b[bAt + i] as number;
      out[outAt + i] = x < y ? x : y;
    }
  },
  max(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as number;
      const y = b[bAt + i] as number;
      out[outAt + i] = x > y ? x : y;
    }
  },
};

const BIG_INTEGER: Loops<BigInt64Array> = {
  sum(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      out[outAt + i] = (a[aAt + i] as bigint) + (b[bAt + i] as bigint);
    }
  },
  min(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as bigint;
      const y = b[bAt + i] as bigint;
      out[outAt + i] = x < y ? x : y;
    }
  },
  max(out, outAt, a, aAt, b, bAt, n) {
    for (let i = 0; i < n; i++) {
      const x = a[aAt + i] as bigint;
      const y = b[bAt + i] as bigint;
      out[outAt + i] = x > y ? x : y;
    }
  },
};

/** The plain loop for one type and operation. */
export function foldLoop(type: ArrayType, op: ReduceOp): FoldLoop {
  // The caller passes arrays of that type. The loops differ only in the arrays that V8 sees in
  // them.
  return loopsFor(type)[op] as unknown as FoldLoop;
}

function loopsFor(type: ArrayType) {
  switch (type.name) {
    case "Float64Array":
      return FLOAT64;
    case "Float32Array":
      return FLOAT32;
    case "BigInt64Array":
    case "BigUint64Array":
      return BIG_INTEGER;
    case "Int8Array":
    case "Int16Array":
    case "Int32Array":
      return SIGNED;
    default:
      return UNSIGNED;
  }
}
