/**
 * The smallest concave function above some points over a plane. At any place it is the highest value that a mixture of the points has there:
 * a linear program with three equations, whose optimal triangle of points is a facet of the upper hull.
 */

/** A point over a plane, and what stands above it. */
export interface HullPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** z = constant + x · byX + y · byY. */
export interface HullPlane {
  readonly constant: number;
  readonly byX: number;
  readonly byY: number;
}

const TOLERANCE = 1e-9;

/**
 * The planes of the concave envelope of a function on a grid, given row by row with increasing x, and y increasing within. The planes are those above
 * two places within each cell of the grid.
 */
export function envelopeOfGrid(points: readonly HullPoint[], columns: number): HullPlane[] {
  const rows = points.length / columns;
  const corners: Triangle[] = cornersOf(points, columns);
  const planes: HullPlane[] = [];
  const scale = Math.max(1e-300, ...points.map(({ z }) => Math.abs(z)));
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const low = points[i * columns + j] as HullPoint;
      const high = points[(i + 1) * columns + j + 1] as HullPoint;
      // Off the lines between points of the grid, so that the triangle around a place is unique.
      for (const [shareX, shareY] of [
        [0.31, 0.64],
        [0.67, 0.29],
      ] as const) {
        const x = low.x + shareX * (high.x - low.x);
        const y = low.y + shareY * (high.y - low.y);
        const plane = planeAbove(points, corners, x, y, scale);
        const isNew = planes.every((other) => !isSame(plane, other, points, scale));
        if (isNew) planes.push(plane);
      }
    }
  }
  return planes;
}

type Triangle = readonly [HullPoint, HullPoint, HullPoint];

function cornersOf(points: readonly HullPoint[], columns: number): Triangle[] {
  const at = (i: number) => points[i] as HullPoint;
  const [a, b] = [at(0), at(columns - 1)];
  const [c, d] = [at(points.length - columns), at(points.length - 1)];
  return [
    [a, b, d],
    [a, c, d],
  ];
}

/** Goes from triangle to triangle around a place, each time to a higher one, until no point is above its plane. */
function planeAbove(
  points: readonly HullPoint[],
  corners: readonly Triangle[],
  x: number,
  y: number,
  scale: number,
): HullPlane {
  const inside = (triangle: Triangle) => weights(triangle, x, y).every((w) => w >= -TOLERANCE);
  let triangle = corners.find(inside) ?? (corners[0] as Triangle);
  // Each step is to a higher triangle, so there are finitely many; the limit is for rounding.
  for (let step = 0; step < 50 + 20 * points.length; step++) {
    const plane = planeThrough(triangle);
    let highest: HullPoint | undefined;
    let most = TOLERANCE * scale;
    for (const point of points) {
      const above = point.z - valueOn(plane, point);
      if (above <= most) continue;
      most = above;
      highest = point;
    }
    if (highest === undefined) return plane;
    triangle = entered(triangle, highest, x, y);
  }
  return planeThrough(triangle);
}

/** The triangle in which a point has taken the place of the one that leaves first while the mixture moves to it. */
function entered(triangle: Triangle, point: HullPoint, x: number, y: number): Triangle {
  const now = weights(triangle, x, y);
  const direction = weights(triangle, point.x, point.y);
  let leaving = -1;
  let least = Number.POSITIVE_INFINITY;
  direction.forEach((share, i) => {
    if (share <= TOLERANCE) return;
    const ratio = (now[i] as number) / share;
    if (ratio >= least) return;
    least = ratio;
    leaving = i;
  });
  return triangle.map((corner, i) => (i === leaving ? point : corner)) as unknown as Triangle;
}

/** How much each corner counts in the mixture that lies at a place. */
function weights([a, b, c]: Triangle, x: number, y: number): readonly number[] {
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  const ofB = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
  const ofC = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
  return [1 - ofB - ofC, ofB, ofC];
}

function planeThrough([a, b, c]: Triangle): HullPlane {
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  const byX = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area;
  const byY = ((b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z)) / area;
  return { constant: a.z - byX * a.x - byY * a.y, byX, byY };
}

export function valueOn({ constant, byX, byY }: HullPlane, { x, y }: HullPoint): number {
  return constant + byX * x + byY * y;
}

/** Whether two planes are the same on the whole grid. */
function isSame(
  one: HullPlane,
  other: HullPlane,
  points: readonly HullPoint[],
  scale: number,
): boolean {
  return points.every(
    (point) => Math.abs(valueOn(one, point) - valueOn(other, point)) <= 1e-7 * scale,
  );
}
