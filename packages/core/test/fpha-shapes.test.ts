/** Planes fitted to uneven plants, held against the definitions: hull, tangents and removal worked out anew, without regard to time. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FphaConfig, HydraulicLosses, Plane, StudyInput, Tailrace } from "@cobre/core";
import { build, toy } from "./toy.js";

type Place = readonly [volume: number, turbined: number, spilled: number];

interface Plant {
  readonly heights: readonly (readonly [volume: number, height: number])[];
  readonly tailrace: Tailrace;
  readonly losses: HydraulicLosses;
  readonly efficiency: number;
  readonly maxTurbined: number;
}

const CURVED: Plant = {
  // Neither convex nor concave, so that some points of a grid lie below the hull.
  heights: [
    [0, 40],
    [30, 42],
    [60, 58],
    [100, 60],
  ],
  tailrace: { type: "polynomial", coefficients: [2, 0.05, 0.0004] },
  losses: { type: "factor", value: 0.03 },
  efficiency: 0.92,
  maxTurbined: 120,
};
const STEPPED: Plant = {
  ...CURVED,
  tailrace: {
    type: "piecewise",
    points: [
      { outflowM3s: 0, heightM: 1 },
      { outflowM3s: 50, heightM: 2 },
      { outflowM3s: 200, heightM: 12 },
    ],
  },
  losses: { type: "constant", value: 1.5 },
  efficiency: 1,
};

/** A hundredth of its flow is less than 1 m³/s, where the tangents of Cobre 0.5 begin. */
const SMALL: Plant = { ...CURVED, maxTurbined: 60 };

function studyOf(plant: Plant, fpha: Partial<FphaConfig>, compat?: "cobre-0.5"): StudyInput {
  const input = toy();
  return {
    ...input,
    compat,
    system: {
      ...input.system,
      hydros: input.system.hydros.map((hydro) =>
        hydro.id === 5
          ? {
              ...hydro,
              minStorageHm3: 20,
              maxStorageHm3: 80,
              maxTurbinedM3s: plant.maxTurbined,
              tailrace: plant.tailrace,
              hydraulicLosses: plant.losses,
              efficiency: plant.efficiency,
            }
          : hydro,
      ),
    },
    hydroGeometry: plant.heights.map(([volumeHm3, heightM]) => {
      return { hydroId: 5, volumeHm3, heightM, areaKm2: 0 };
    }),
    production: {
      planes: [],
      models: [
        {
          hydroId: 5,
          ranges: [
            { startStageId: 0, model: "fpha", fpha: { source: "computed", ...fpha } as FphaConfig },
          ],
        },
      ],
    },
  };
}

function fitted(plant: Plant, fpha: Partial<FphaConfig>, compat?: "cobre-0.5") {
  const { study: built, errors } = build(studyOf(plant, fpha, compat));
  assert.deepEqual(errors, []);
  return built.production.fits[0] ?? assert.fail("nothing was fitted");
}

/** Linear between the points, constant outside. */
function between(points: readonly (readonly [number, number])[], x: number): number {
  const at = points.findIndex(([known]) => known >= x);
  if (at === 0) return points[0]?.[1] ?? 0;
  if (at < 0) return points.at(-1)?.[1] ?? 0;
  const [[x0, y0], [x1, y1]] = [points[at - 1] ?? [0, 0], points[at] ?? [0, 0]];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

function powerOf({ heights, tailrace, losses, efficiency }: Plant, [v, q, s]: Place): number {
  const level =
    tailrace.type === "polynomial"
      ? tailrace.coefficients.reduce((sum, c, i) => sum + c * (q + s) ** i, 0)
      : between(
          tailrace.points.map(({ outflowM3s, heightM }) => [outflowM3s, heightM]),
          q + s,
        );
  const gross = between(heights, v) - level;
  const net = losses.type === "factor" ? gross * (1 - losses.value) : gross - losses.value;
  return 0.00981 * efficiency * q * net;
}

const steps = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

const on = (plane: Plane, [v, q, s]: Place) =>
  plane.constant + plane.volume * v + plane.turbined * q + plane.spilled * s;

const near = (actual: number, expected: number, tolerance = 1e-7) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, not ${expected}`);

/** The highest mixture of points at a place: the best of all triangles around it. */
function hullAt(points: readonly (readonly [number, number, number])[], x: number, y: number) {
  let best = Number.NEGATIVE_INFINITY;
  points.forEach((a, i) => {
    points.slice(i + 1).forEach((b, j) => {
      for (const c of points.slice(i + j + 2)) {
        const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if (Math.abs(area) < 1e-9) continue;
        const ofB = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
        const ofC = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
        if (Math.min(ofB, ofC, 1 - ofB - ofC) < -1e-12) continue;
        best = Math.max(best, (1 - ofB - ofC) * a[2] + ofB * b[2] + ofC * c[2]);
      }
    });
  });
  return best;
}

describe("the envelope of an uneven plant", () => {
  const grids = [
    [4, 3],
    [3, 5],
    [6, 4],
  ] as const;
  for (const [name, plant] of Object.entries({ CURVED, STEPPED })) {
    for (const [volumePoints, turbinePoints] of grids) {
      it(`is the hull of its grid: ${name}, ${volumePoints} by ${turbinePoints}`, () => {
        const fpha = { volumePoints, turbinePoints, maxPlanes: 99 };
        const { planes, correction, maxErrorMw, meanErrorMw } = fitted(plant, fpha);
        const grid = steps(0, 100, volumePoints).flatMap((v) =>
          steps(0, plant.maxTurbined, turbinePoints).map(
            (q) => [v, q, powerOf(plant, [v, q, 0])] as const,
          ),
        );
        const lowest = (v: number, q: number) => Math.min(...planes.map((p) => on(p, [v, q, 0])));
        const places = [...grid, [13, 71], [49, 7], [77, 113], [50, 60], [99, 1]] as const;
        for (const [v, q] of places) near(lowest(v, q) / correction, hullAt(grid, v, q));
        const tops = grid.map(([v, q]) => hullAt(grid, v, q));
        const ratio =
          tops.reduce((sum, top, i) => sum + top * (grid[i]?.[2] ?? 0), 0) /
          tops.reduce((sum, top) => sum + top * top, 0);
        near(correction, ratio);
        const errors = tops.map((top, i) => Math.abs(ratio * top - (grid[i]?.[2] ?? 0)));
        near(maxErrorMw, Math.max(...errors));
        near(meanErrorMw, errors.reduce((sum, error) => sum + error, 0) / errors.length);
      });
    }
  }

  it("loses the planes that are missed least, one after the other", () => {
    const grid = { volumePoints: 5, turbinePoints: 5 };
    const all = fitted(CURVED, { ...grid, maxPlanes: 99 });
    const places = steps(0, 100, 5).flatMap((v) => steps(0, 120, 5).map((q): Place => [v, q, 0]));
    const undone = (planes: readonly Plane[], correction: number) =>
      planes.map(({ constant, volume, turbined }) =>
        [constant, volume, turbined].map((value) => value / correction),
      );
    const heightOf = (planes: readonly (readonly number[])[], [v, q]: Place) =>
      Math.min(...planes.map(([c = 0, byV = 0, byQ = 0]) => c + byV * v + byQ * q));
    let kept = undone(all.planes, all.correction);
    assert.ok(kept.length > 5);
    while (kept.length > 2) {
      const rises = kept.map((gone) => {
        const rest = kept.filter((plane) => plane !== gone);
        return Math.max(...places.map((place) => heightOf(rest, place) - heightOf(kept, place)));
      });
      const least = rises.indexOf(Math.min(...rises));
      kept = kept.filter((_, i) => i !== least);
      const few = fitted(CURVED, { ...grid, maxPlanes: kept.length });
      const found = undone(few.planes, few.correction);
      assert.equal(found.length, kept.length);
      for (const place of places) near(heightOf(found, place), heightOf(kept, place));
    }
  });
});

describe("the tangents of Cobre 0.5", () => {
  const fpha = { volumePoints: 3, turbinePoints: 4, spillagePoints: 2 };
  for (const [name, plant] of Object.entries({ CURVED, STEPPED, SMALL })) {
    const { maxTurbined } = plant;
    const grid = steps(0, 100, 3).flatMap((v) =>
      steps(Math.max(1, maxTurbined / 100), maxTurbined, 4).flatMap((q) =>
        steps(0, maxTurbined / 2, 2).map((s): Place => [v, q, s]),
      ),
    );
    /** To the right, as the slope of a broken line is told; the last break has that to its left. */
    const slope = ([v, q, s]: Place, axis: 0 | 1 | 2) => {
      const ends: Record<number, number> = { 0: v >= 100 ? -1e-4 : 1e-4, 1: 1e-4, 2: 1e-4 };
      const step = ends[axis] ?? 0;
      const moved = [v, q, s].map((value, i) => (i === axis ? value + step : value));
      return (powerOf(plant, moved as unknown as Place) - powerOf(plant, [v, q, s])) / step;
    };
    const tangents = grid.map((place): Plane => {
      const [byV, byQ, byS] = [slope(place, 0), slope(place, 1), slope(place, 2)];
      const constant = powerOf(plant, place) - byV * place[0] - byQ * place[1] - byS * place[2];
      return { constant, volume: byV, turbined: byQ, spilled: byS };
    });
    const top = (planes: readonly Plane[], place: Place) =>
      Math.max(...planes.map((plane) => on(plane, place)));

    it(`are those that are highest somewhere on the grid: ${name}`, () => {
      const { planes, kappa, maxErrorMw, meanErrorMw } = fitted(
        plant,
        { ...fpha, maxPlanes: 99 },
        "cobre-0.5",
      );
      const own = planes.map((plane) => ({ ...plane, constant: plane.constant / kappa }));
      // Each is a tangent, and together they are as high as all tangents.
      for (const plane of own) {
        const isTangent = tangents.some((tangent) =>
          grid.every((place) => Math.abs(on(tangent, place) - on(plane, place)) < 1e-2),
        );
        assert.ok(isTangent, JSON.stringify(plane));
      }
      for (const place of grid) near(top(own, place), top(tangents, place), 1e-2);
      assert.equal(new Set(own.map((plane) => JSON.stringify(plane))).size, own.length);
      const ratios = grid.map((place) => powerOf(plant, place) / top(own, place));
      near(kappa, Math.min(1, ...ratios));
      const errors = grid
        .filter(([, , s]) => s === 0)
        .map((place) =>
          Math.abs(Math.min(...planes.map((plane) => on(plane, place))) - powerOf(plant, place)),
        );
      near(maxErrorMw, Math.max(...errors));
      near(meanErrorMw, errors.reduce((sum, error) => sum + error, 0) / errors.length);
    });

    it(`go, one after the other, while the others stay above the function: ${name}`, () => {
      const all = fitted(plant, { ...fpha, maxPlanes: 99 }, "cobre-0.5");
      const raw = (fit: { planes: readonly Plane[]; kappa: number }) =>
        fit.planes.map((plane) => ({ ...plane, constant: plane.constant / fit.kappa }));
      let kept = raw(all);
      const sorted = (planes: readonly Plane[]) =>
        planes.map((plane) => on(plane, [37, 53, 11])).sort((a, b) => a - b);
      let removed = 0;
      for (let most = kept.length - 1; most > 0; most--) {
        const gaps = kept.map((gone) => {
          const rest = kept.filter((plane) => plane !== gone);
          return grid.map((place) => top(rest, place) - powerOf(plant, place));
        });
        const worst = gaps.map((each) =>
          Math.min(...each) < -1e-8 ? Number.POSITIVE_INFINITY : Math.max(...each),
        );
        const least = Math.min(...worst);
        if (least < Number.POSITIVE_INFINITY) {
          const gone = worst.indexOf(least);
          const last = kept.at(-1) as Plane;
          kept = kept.map((plane, i) => (i === gone ? last : plane)).slice(0, -1);
          removed++;
        }
        const found = raw(fitted(plant, { ...fpha, maxPlanes: most }, "cobre-0.5"));
        assert.equal(found.length, kept.length);
        sorted(found).forEach((value, i) => {
          near(value, sorted(kept)[i] ?? Number.NaN, 1e-6);
        });
        if (least === Number.POSITIVE_INFINITY) break;
      }
      assert.ok(removed > 0, "nothing could be removed");
    });
  }
});

describe("a fit", () => {
  it("has five points of each quantity and ten planes, if nothing else is said", () => {
    const five = { volumePoints: 5, turbinePoints: 5, spillagePoints: 5, maxPlanes: 10 };
    for (const compat of [undefined, "cobre-0.5"] as const)
      assert.deepEqual(fitted(CURVED, {}, compat), fitted(CURVED, five, compat));
  });

  it("is for plants that can turbine something, were it little", () => {
    assert.ok(fitted({ ...CURVED, maxTurbined: 0.5 }, {}).planes.length > 0);
    const { errors } = build(studyOf({ ...CURVED, maxTurbined: 0 }, {}));
    assert.match(
      errors.join("\n"),
      /hydro 5: generation\.max_turbined_m3s: is 0; planes are fitted/,
    );
  });

  it("is for the window of storages that is asked for, within the volumes that are known", () => {
    const windowOf = (window: FphaConfig["window"]) => fitted(CURVED, { window }).window;
    assert.deepEqual(windowOf(undefined), [0, 100]);
    assert.deepEqual(windowOf({ minHm3: 10 }), [10, 100]);
    assert.deepEqual(windowOf({ maxHm3: 90 }), [0, 90]);
    // Shares of the range from 20 to 80 hm³.
    assert.deepEqual(windowOf({ minShare: 0.25, maxShare: 0.75 }), [35, 65]);
    assert.deepEqual(windowOf({ minHm3: 5, minShare: 0.25, maxHm3: 95, maxShare: 0.75 }), [5, 95]);
    assert.deepEqual(windowOf({ minHm3: -7, maxHm3: 107 }), [0, 100]);
  });
});
