/**
 * The fold kernels (AssemblyScript, compiled to WebAssembly SIMD by scripts/assembly.mjs).
 *
 * Each computes `out[i] = op(a[i], b[i])` for `n` elements; `out` may be `a` or `b`. They follow
 * the rule in src/fold/rule.ts byte for byte: whole groups of 64 bytes by SIMD, the rest element by
 * element.
 */

/** A NaN result is stored as the canonical quiet NaN, whatever payload the processor gave it. */
@inline
function canonical<T>(r: T): T {
  if (isFloat<T>()) return r == r ? r : <T>NaN;
  return r;
}

@inline
function canonicalVector<T>(r: v128): v128 {
  if (isFloat<T>()) return v128.bitselect(r, v128.splat<T>(<T>NaN), v128.eq<T>(r, r));
  return r;
}

/**
 * SIMD has no minimum or maximum of 64-bit integers, and no unsigned comparison of them. Flipping
 * the sign bits turns an unsigned comparison into a signed one.
 */
@inline
function greater64<T>(x: v128, y: v128): v128 {
  if (isSigned<T>()) return i64x2.gt_s(x, y);
  const sign = i64x2.splat(i64.MIN_VALUE);
  return i64x2.gt_s(v128.xor(x, sign), v128.xor(y, sign));
}

@inline
function minVector<T>(x: v128, y: v128): v128 {
  if (isInteger<T>() && sizeof<T>() == 8) return v128.bitselect(y, x, greater64<T>(x, y));
  return v128.min<T>(x, y);
}

@inline
function maxVector<T>(x: v128, y: v128): v128 {
  if (isInteger<T>() && sizeof<T>() == 8) return v128.bitselect(x, y, greater64<T>(x, y));
  return v128.max<T>(x, y);
}

// `op` is a constant wherever these are inlined, so the compiler keeps only one branch.
const SUM = 1;
const MIN = 2;
const MAX = 3;

@inline
function combine<T>(op: i32, x: T, y: T): T {
  return canonical<T>(op == SUM ? <T>(x + y) : op == MIN ? min<T>(x, y) : max<T>(x, y));
}

@inline
function combineVector<T>(op: i32, x: v128, y: v128): v128 {
  if (op == SUM) return canonicalVector<T>(v128.add<T>(x, y));
  if (op == MIN) return canonicalVector<T>(minVector<T>(x, y));
  return canonicalVector<T>(maxVector<T>(x, y));
}

@inline
function fold<T>(op: i32, out: usize, a: usize, b: usize, n: usize): void {
  const end = out + n * sizeof<T>();
  const vectorEnd = out + ((n * sizeof<T>()) & ~63);
  while (out < vectorEnd) {
    v128.store(out, combineVector<T>(op, v128.load(a), v128.load(b)));
    v128.store(out, combineVector<T>(op, v128.load(a, 16), v128.load(b, 16)), 16);
    v128.store(out, combineVector<T>(op, v128.load(a, 32), v128.load(b, 32)), 32);
    v128.store(out, combineVector<T>(op, v128.load(a, 48), v128.load(b, 48)), 48);
    out += 64;
    a += 64;
    b += 64;
  }
  while (out < end) {
    store<T>(out, combine<T>(op, load<T>(a), load<T>(b)));
    out += sizeof<T>();
    a += sizeof<T>();
    b += sizeof<T>();
  }
}

export function sumFloat64Array(out: usize, a: usize, b: usize, n: usize): void { fold<f64>(SUM, out, a, b, n); }
export function minFloat64Array(out: usize, a: usize, b: usize, n: usize): void { fold<f64>(MIN, out, a, b, n); }
export function maxFloat64Array(out: usize, a: usize, b: usize, n: usize): void { fold<f64>(MAX, out, a, b, n); }
export function sumFloat32Array(out: usize, a: usize, b: usize, n: usize): void { fold<f32>(SUM, out, a, b, n); }
export function minFloat32Array(out: usize, a: usize, b: usize, n: usize): void { fold<f32>(MIN, out, a, b, n); }
export function maxFloat32Array(out: usize, a: usize, b: usize, n: usize): void { fold<f32>(MAX, out, a, b, n); }
export function sumInt8Array(out: usize, a: usize, b: usize, n: usize): void { fold<i8>(SUM, out, a, b, n); }
export function minInt8Array(out: usize, a: usize, b: usize, n: usize): void { fold<i8>(MIN, out, a, b, n); }
export function maxInt8Array(out: usize, a: usize, b: usize, n: usize): void { fold<i8>(MAX, out, a, b, n); }
export function sumInt16Array(out: usize, a: usize, b: usize, n: usize): void { fold<i16>(SUM, out, a, b, n); }
export function minInt16Array(out: usize, a: usize, b: usize, n: usize): void { fold<i16>(MIN, out, a, b, n); }
export function maxInt16Array(out: usize, a: usize, b: usize, n: usize): void { fold<i16>(MAX, out, a, b, n); }
export function sumInt32Array(out: usize, a: usize, b: usize, n: usize): void { fold<i32>(SUM, out, a, b, n); }
export function minInt32Array(out: usize, a: usize, b: usize, n: usize): void { fold<i32>(MIN, out, a, b, n); }
export function maxInt32Array(out: usize, a: usize, b: usize, n: usize): void { fold<i32>(MAX, out, a, b, n); }
export function sumUint8Array(out: usize, a: usize, b: usize, n: usize): void { fold<u8>(SUM, out, a, b, n); }
export function minUint8Array(out: usize, a: usize, b: usize, n: usize): void { fold<u8>(MIN, out, a, b, n); }
export function maxUint8Array(out: usize, a: usize, b: usize, n: usize): void { fold<u8>(MAX, out, a, b, n); }
export function sumUint16Array(out: usize, a: usize, b: usize, n: usize): void { fold<u16>(SUM, out, a, b, n); }
export function minUint16Array(out: usize, a: usize, b: usize, n: usize): void { fold<u16>(MIN, out, a, b, n); }
export function maxUint16Array(out: usize, a: usize, b: usize, n: usize): void { fold<u16>(MAX, out, a, b, n); }
export function sumUint32Array(out: usize, a: usize, b: usize, n: usize): void { fold<u32>(SUM, out, a, b, n); }
export function minUint32Array(out: usize, a: usize, b: usize, n: usize): void { fold<u32>(MIN, out, a, b, n); }
export function maxUint32Array(out: usize, a: usize, b: usize, n: usize): void { fold<u32>(MAX, out, a, b, n); }
export function sumBigInt64Array(out: usize, a: usize, b: usize, n: usize): void { fold<i64>(SUM, out, a, b, n); }
export function minBigInt64Array(out: usize, a: usize, b: usize, n: usize): void { fold<i64>(MIN, out, a, b, n); }
export function maxBigInt64Array(out: usize, a: usize, b: usize, n: usize): void { fold<i64>(MAX, out, a, b, n); }
export function sumBigUint64Array(out: usize, a: usize, b: usize, n: usize): void { fold<u64>(SUM, out, a, b, n); }
export function minBigUint64Array(out: usize, a: usize, b: usize, n: usize): void { fold<u64>(MIN, out, a, b, n); }
export function maxBigUint64Array(out: usize, a: usize, b: usize, n: usize): void { fold<u64>(MAX, out, a, b, n); }
