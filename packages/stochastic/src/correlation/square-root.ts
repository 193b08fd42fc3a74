/**
 * The symmetric square root D of a correlation matrix, D·D = M, from its eigenvectors by cyclic Jacobi rotations.
 * Only +, -, ×, ÷ and √ are used, which give the same bits everywhere. A matrix estimated from short records can
 * have negative eigenvalues; they are taken as 0.
 */

/**
 * The rule of Cobre for Rust. A sweep rotates every pair of columns once. Sweeps go on until the squares off the diagonal add up to
 * less than this; an entry below 2^-52 is never rotated.
 */
const NEGLIGIBLE_SQUARES = 1e-24;
const NEGLIGIBLE_ENTRY = 2.220446049250313e-16;

/** The square root of the symmetric n × n `matrix`; both are stored row by row. */
export function symmetricSquareRoot(matrix: Float64Array, n: number): Float64Array {
  const a = matrix.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 100 * n * n && !isDiagonal(a, n); sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
    }
  }
  const root = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    const eigenvalue = Math.sqrt(Math.max(0, at(a, k * n + k)));
    for (let i = 0; i < n; i++) {
      const scaled = eigenvalue * at(vectors, i * n + k);
      for (let j = 0; j < n; j++)
        root[i * n + j] = at(root, i * n + j) + scaled * at(vectors, j * n + k);
    }
  }
  return root;
}

function isDiagonal(a: Float64Array, n: number): boolean {
  let squares = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) squares += 2 * at(a, i * n + j) * at(a, i * n + j);
  }
  return squares < NEGLIGIBLE_SQUARES;
}

/** Rotates columns p and q so that a[p][q] vanishes, and applies the rotation to `vectors`, too. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const off = at(a, p * n + q);
  if (Math.abs(off) < NEGLIGIBLE_ENTRY) return;
  const app = at(a, p * n + p);
  const aqq = at(a, q * n + q);
  const half = (aqq - app) / (2 * off);
  const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let k = 0; k < n; k++) {
    if (k !== p && k !== q) {
      const akp = at(a, k * n + p);
      const akq = at(a, k * n + q);
      a[k * n + p] = cosine * akp - sine * akq;
      a[p * n + k] = at(a, k * n + p);
      a[k * n + q] = sine * akp + cosine * akq;
      a[q * n + k] = at(a, k * n + q);
    }
    const vkp = at(vectors, k * n + p);
    const vkq = at(vectors, k * n + q);
    vectors[k * n + p] = cosine * vkp - sine * vkq;
    vectors[k * n + q] = sine * vkp + cosine * vkq;
  }
  a[p * n + p] = app - tangent * off;
  a[q * n + q] = aqq + tangent * off;
  a[p * n + q] = 0;
  a[q * n + p] = 0;
}

function at(array: Float64Array, index: number): number {
  return array[index] as number;
}
