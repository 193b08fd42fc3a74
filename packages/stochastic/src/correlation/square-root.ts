/**
 * The symmetric square root D of a correlation matrix, D·D = M, from its eigenvectors by cyclic Jacobi rotations.
 * Only +, -, ×, ÷ and √ are used, which give the same bits everywhere. Eigenvalues below 0, which a matrix
 * estimated from short records can have, count as 0.
 */

/** A sweep meets every pair of columns once; a correlation matrix needs six to ten. */
const MAX_SWEEPS = 64;

/** D of the symmetric `matrix` of n × n numbers, both row by row. */
export function symmetricSquareRoot(matrix: Float64Array, n: number): Float64Array {
  const a = matrix.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(a, n); sweep++) {
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
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      // Smaller than what the last bit of a correlation is worth.
      if (Math.abs(at(a, i * n + j)) > 1e-300) return false;
    }
  }
  return true;
}

/** Turns columns p and q so that a[p][q] vanishes, and keeps count of the turn in `vectors`. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const off = at(a, p * n + q);
  if (off === 0) return;
  const app = at(a, p * n + p);
  const aqq = at(a, q * n + q);
  if (Math.abs(off) <= 1e-18 * Math.sqrt(Math.abs(app * aqq))) {
    a[p * n + q] = 0;
    a[q * n + p] = 0;
    return;
  }
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
