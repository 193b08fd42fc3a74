/** Planes fitted to the geometry of a plant: those of Cobre 0.5, derived by hand, and the envelope, by what must hold of it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  buildStudy,
  IssueCollector,
  type Plane,
  type StudyInput,
  type Tailrace,
} from "@cobre/core";
import { toy } from "./toy.js";

interface Shape {
  readonly tailrace?: Tailrace;
  readonly heights?: readonly (readonly [volume: number, height: number])[];
  readonly points?: number;
  readonly maxPlanes?: number;
  readonly compat?: "cobre-0.5";
  readonly loss?: number;
}

/** A plant with heights 50 at 0 and 60 at 100 hm³, that turbines up to 100 m³/s. */
function fitted(shape: Shape) {
  const input = toy();
  const {
    heights = [
      [0, 50],
      [100, 60],
    ],
    points = 2,
  } = shape;
  const config: StudyInput = {
    ...input,
    compat: shape.compat,
    system: {
      ...input.system,
      hydros: input.system.hydros.map((hydro) =>
        hydro.id === 5
          ? {
              ...hydro,
              maxTurbinedM3s: 100,
              tailrace: shape.tailrace ?? { type: "polynomial", coefficients: [0] },
              hydraulicLosses: { type: "factor", value: shape.loss ?? 0 },
              efficiency: 1,
            }
          : hydro,
      ),
    },
    hydroGeometry: heights.map(([volumeHm3, heightM]) => ({
      hydroId: 5,
      volumeHm3,
      heightM,
      areaKm2: 0,
    })),
    production: {
      planes: [],
      models: [
        {
          hydroId: 5,
          ranges: [
            {
              startStageId: 0,
              model: "fpha",
              fpha: {
                source: "computed",
                volumePoints: points,
                turbinePoints: points,
                spillagePoints: points,
                maxPlanes: shape.maxPlanes,
              },
            },
          ],
        },
      ],
    },
  };
  const issues = new IssueCollector();
  const [fit] = buildStudy(config, issues).production.fits;
  assert.deepEqual(issues.errors, []);
  return fit ?? assert.fail("nothing was fitted");
}

const near = (actual: number, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, not ${expected}`);

const lowest = (planes: readonly Plane[], v: number, q: number, s = 0) =>
  Math.min(...planes.map((p) => p.constant + p.volume * v + p.turbined * q + p.spilled * s));

describe("the fit of Cobre 0.5", () => {
  it("has the tangents at the corners of the grid", () => {
    const { planes, kappa } = fitted({ compat: "cobre-0.5" });
    near(kappa, 2 / 35);
    const expected = [
      [0, 0.000981, 0.4905],
      [0, 0.0981, 0.4905],
      [-0.0981, 0.000981, 0.5886],
      [-9.81, 0.0981, 0.5886],
    ];
    assert.equal(planes.length, 4);
    for (const [constant = 0, volume = 0, turbined = 0] of expected) {
      const found = planes.find(
        (plane) =>
          Math.abs(plane.constant - kappa * constant) < 1e-9 &&
          Math.abs(plane.volume - volume) < 1e-12 &&
          Math.abs(plane.turbined - turbined) < 1e-12,
      );
      assert.ok(found, `no plane ${constant} ${volume} ${turbined}`);
    }
    // The lowest plane binds, which the fit never looked at.
    near(lowest(planes, 100, 100), 49.1481);
  });

  it("keeps no more planes than asked for, if the rest stays above", () => {
    assert.ok(fitted({ compat: "cobre-0.5", points: 4, maxPlanes: 3 }).planes.length <= 16);
  });
});

describe("the envelope", () => {
  it("of a product of head and flow is its two planes, on the grid exact where they meet", () => {
    const { planes, correction, meanErrorMw, maxErrorMw } = fitted({});
    // Through (0,0), (100,0), (100,100): 0.5886 q. Through (0,0), (0,100), (100,100): 0.0981 v + 0.4905 q. Exact at all four corners.
    near(correction, 1);
    near(maxErrorMw, 0);
    near(meanErrorMw, 0);
    assert.equal(planes.length, 2);
    near(lowest(planes, 100, 100), 58.86);
    near(lowest(planes, 0, 100), 49.05);
    near(lowest(planes, 50, 0), 0);
    // Between the corners it is above the function, as far as a concave one must.
    near(lowest(planes, 50, 50), Math.min(0.5886 * 50, 0.0981 * 50 + 0.4905 * 50));
  });

  const TAIL: Tailrace = { type: "polynomial", coefficients: [2, 0.05, 0.0004] };
  const POND = [
    [0, 40],
    [30, 52],
    [60, 58],
    [100, 60],
  ] as const;
  const height = (v: number) => {
    const i = Math.max(
      1,
      POND.findIndex(([volume]) => volume >= v),
    );
    const [[v0, h0], [v1, h1]] = [
      POND[i - 1] as readonly [number, number],
      POND[i] as readonly [number, number],
    ];
    return h0 + ((v - v0) / (v1 - v0)) * (h1 - h0);
  };
  const power = (v: number, q: number, s: number) => {
    const outflow = q + s;
    return 0.00981 * q * 0.97 * (height(v) - 2 - 0.05 * outflow - 0.0004 * outflow ** 2);
  };
  const grid = (n: number) =>
    Array.from(
      { length: n * n },
      (_, i) => [(100 * Math.floor(i / n)) / (n - 1), (100 * (i % n)) / (n - 1)] as const,
    );

  it("lies above every point before it is corrected, and touches some", () => {
    for (const points of [3, 5, 8]) {
      const { planes, correction } = fitted({
        tailrace: TAIL,
        heights: POND,
        loss: 0.03,
        points,
        maxPlanes: 99,
      });
      assert.ok(correction > 0.9 && correction <= 1, `${correction}`);
      const gaps = grid(points).map(([v, q]) => lowest(planes, v, q) / correction - power(v, q, 0));
      assert.ok(Math.min(...gaps) > -1e-7, `${Math.min(...gaps)} below the function`);
      assert.ok(gaps.filter((gap) => gap < 1e-6).length >= points, "touches too few points");
    }
  });

  it("has the factor and the errors that it says", () => {
    const fit = fitted({ tailrace: TAIL, heights: POND, loss: 0.03, points: 5 });
    const errors = grid(5).map(([v, q]) => lowest(fit.planes, v, q) - power(v, q, 0));
    near(fit.maxErrorMw, Math.max(...errors.map(Math.abs)), 1e-9);
    const squares = (factor: number) =>
      grid(5).reduce((sum, [v, q]) => {
        const top = (lowest(fit.planes, v, q) / fit.correction) * factor;
        return sum + (top - power(v, q, 0)) ** 2;
      }, 0);
    for (const other of [0.999, 1.001]) {
      assert.ok(squares(fit.correction) < squares(fit.correction * other));
    }
  });

  it("falls with spillage by the mean of its chords, and rises with storage and flow", () => {
    const { planes, correction } = fitted({ tailrace: TAIL, heights: POND, loss: 0.03, points: 4 });
    const chords = grid(4).map(([v, q]) => (power(v, q, 50) - power(v, q, 0)) / 50);
    const mean = chords.reduce((sum, chord) => sum + chord, 0) / chords.length;
    for (const { volume, turbined, spilled } of planes) {
      near(spilled, correction * mean);
      assert.ok(volume >= 0 && turbined > 0);
    }
  });

  it("has no more planes than asked for, and never falls when one is left out", () => {
    const many = fitted({ tailrace: TAIL, heights: POND, points: 6, maxPlanes: 99 });
    const few = fitted({ tailrace: TAIL, heights: POND, points: 6, maxPlanes: 3 });
    assert.ok(many.planes.length > 3);
    assert.equal(few.planes.length, 3);
    for (const [v, q] of grid(6)) {
      const loss =
        lowest(many.planes, v, q) / many.correction - lowest(few.planes, v, q) / few.correction;
      assert.ok(loss <= 1e-7, `${loss}`);
    }
  });
});
