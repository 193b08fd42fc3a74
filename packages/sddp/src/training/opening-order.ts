import type { OpeningTree } from "@cobre/stochastic";

/** An exchange must gain more than rounding can. */
const LEAST_GAIN = 1e-12;

/**
 * The openings of a stage along a short path through their noise. Each is solved from the basis in which the one before ended: the closer the two,
 * the fewer simplex iterations. The path begins at the nearest neighbours of the first opening and is then shortened by turning parts of it round
 * (2-opt). It follows from the tree alone.
 */
export function openingOrder(tree: OpeningTree, stage: number): Int32Array {
  const count = tree.openings(stage);
  const distances = distancesBetween(tree, stage, count);
  const distance = (a: number, b: number) => distances[a * count + b];
  const path = nearestNeighbours(count, distance);
  while (turnParts(path, distance));
  return path;
}

function distancesBetween(tree: OpeningTree, stage: number, count: number): Float64Array {
  const distances = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    const from = tree.offset(stage, a);
    const width = tree.offset(stage, a + 1) - from;
    for (let b = 0; b < a; b++) {
      const to = tree.offset(stage, b);
      let sum = 0;
      for (let i = 0; i < width; i++) sum += (tree.values[from + i] - tree.values[to + i]) ** 2;
      distances[a * count + b] = Math.sqrt(sum);
      distances[b * count + a] = distances[a * count + b];
    }
  }
  return distances;
}

function nearestNeighbours(count: number, distance: (a: number, b: number) => number): Int32Array {
  const path = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = 1; i < count; i++) {
    let nearest = i;
    for (let j = i + 1; j < count; j++) {
      if (distance(path[i - 1], path[j]) < distance(path[i - 1], path[nearest])) nearest = j;
    }
    [path[i], path[nearest]] = [path[nearest], path[i]];
  }
  return path;
}

/** Turns every part round that makes the path shorter; returns whether there was one. */
function turnParts(path: Int32Array, distance: (a: number, b: number) => number): boolean {
  const last = path.length - 1;
  let hasTurned = false;
  for (let i = 0; i < last; i++) {
    for (let k = i + 1; k <= last; k++) {
      // The ends of the path have no neighbour on one side.
      const before = i === 0 ? 0 : distance(path[i - 1], path[i]) - distance(path[i - 1], path[k]);
      const after =
        k === last ? 0 : distance(path[k], path[k + 1]) - distance(path[i], path[k + 1]);
      if (before + after <= LEAST_GAIN) continue;
      path.subarray(i, k + 1).reverse();
      hasTurned = true;
    }
  }
  return hasTurned;
}
