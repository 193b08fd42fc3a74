/** What the programs of stages are bounded by: inflows that paths can bring, costs that no path falls below, slopes under truncation. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Config } from "@cobre/io";
import { CutPool } from "@cobre/sddp";
import { InflowModel, type NonNegativityMethod, OpeningTree } from "@cobre/stochastic";
import {
  lowestCost,
  lowestTerminalValue,
  reachableInflows,
  stateComponents,
  truncatedSlope,
} from "#internal";

describe("the slope of a truncated inflow", () => {
  it("is whole where the inflow cannot be negative, and none where it cannot be positive", () => {
    for (const slope of [-3, 0, 3]) {
      assert.deepEqual(truncatedSlope(slope, 5, 1, 9), { share: 1, loss: 0 });
      assert.deepEqual(truncatedSlope(slope, 5, 0, 9), { share: 1, loss: 0 });
      assert.deepEqual(truncatedSlope(slope, -5, -9, -1), { share: 0, loss: 0 });
      assert.deepEqual(truncatedSlope(slope, -5, -9, 0), { share: 0, loss: 0 });
    }
  });

  it("is the tangent's where more inflow costs more", () => {
    assert.deepEqual(truncatedSlope(3, 2, -4, 8), { share: 1, loss: 0 });
    assert.deepEqual(truncatedSlope(3, -2, -4, 8), { share: 0, loss: 0 });
    assert.deepEqual(truncatedSlope(3, 0, -4, 8), { share: 0, loss: 0 });
    assert.deepEqual(truncatedSlope(0, 2, -4, 8), { share: 1, loss: 0 });
    assert.deepEqual(truncatedSlope(3, 0.25, -4, 0.5), { share: 1, loss: 0 });
  });

  it("is the chord's where more inflow costs less, and the cut lies below the cost", () => {
    // The chord from (-4, 0) to (12, 12) is at 12/16 · (L + 4).
    const share = 12 / 16;
    assert.deepEqual(truncatedSlope(-2, 4, -4, 12), { share, loss: -2 * (share * 8 - 4) });
    assert.deepEqual(truncatedSlope(-2, -2, -4, 12), { share, loss: -2 * (share * 2) });
    assert.deepEqual(truncatedSlope(-2, 12, -4, 12), { share, loss: -0 });
  });
});

/** One stage after the other, two plants, two lags. */
function inflowsOf(method: NonNegativityMethod, change: (inflow: InflowModel) => void) {
  const inflow = new InflowModel(3, 2, 2);
  change(inflow);
  const stages = [1, 2, 3].map((openings, id) => ({ id, openings, startYear: 2000 }));
  const noise = Array.from({ length: 6 * 3 }, (_, i) => ((i * 7) % 11) - 5);
  const tree = new OpeningTree(stages, 3, Float64Array.from(noise));
  // Storage of both plants, then lag 1 and lag 2.
  const initial = Float64Array.of(1000, 2000, 30, 40, 50, 60);
  const config = { inflowNonNegativity: { method } } as Config;
  return { inflow, tree, initial, found: reachableInflows(inflow, tree, initial, config) };
}

/** Every path through the tree, inflow by inflow: `[stage][plant]`, and the terms of lags beside them. */
function walk(
  { inflow, tree, initial }: ReturnType<typeof inflowsOf>,
  truncates: boolean,
): { z: number[][]; past: number[][]; raw: number[][] }[] {
  let paths: { z: number[][]; past: number[][]; raw: number[][] }[] = [
    { z: [], past: [], raw: [] },
  ];
  for (let stage = 0; stage < 3; stage++) {
    paths = paths.flatMap((path) =>
      Array.from({ length: tree.openings(stage) }, (_, opening) => {
        const past = [0, 1].map((h) => {
          const at = (lag: number) =>
            stage - lag >= 0 ? path.z[stage - lag][h] : initial[2 * (lag - stage) + h];
          const psi = (lag: number) => inflow.psi[(stage * 2 + h) * 2 + lag - 1];
          return psi(1) * at(1) + psi(2) * at(2);
        });
        const raw = [0, 1].map((h) => {
          const eta = tree.values[tree.offset(stage, opening) + h];
          return past[h] + inflow.base[stage * 2 + h] + inflow.sigma[stage * 2 + h] * eta;
        });
        const z = raw.map((value, h) =>
          truncates && inflow.sigma[stage * 2 + h] !== 0 ? Math.max(0, value) : value,
        );
        return { z: [...path.z, z], past: [...path.past, past], raw: [...path.raw, raw] };
      }),
    );
  }
  return paths;
}

describe("the inflows that paths can bring", () => {
  const noisy = (inflow: InflowModel) => {
    inflow.base.set([10, 20, 5, -8, 3, 40]);
    inflow.sigma.set([2, 0, 4, 3, 6, 5]);
    // Signs that differ between lags: the least of one may need the most of another.
    inflow.psi.set([0.5, -0.25, 0.1, 0, -0.5, 0.25, 0.75, 0.5, 0.25, 0.5, -1, -0.5]);
  };

  for (const method of ["none", "truncation"] as const) {
    it(`are the range of all paths in the first stages, and hold them in all (${method})`, () => {
      const setting = inflowsOf(method, noisy);
      const { found } = setting;
      const paths = walk(setting, method === "truncation");
      for (let stage = 0; stage < 3; stage++) {
        for (let h = 0; h < 2; h++) {
          const at = stage * 2 + h;
          const all = (of: "z" | "past" | "raw") => paths.map((path) => path[of][stage][h]);
          const told = {
            lowest: Math.min(...all("z")),
            highest: Math.max(...all("z")),
            lowestUntruncated: Math.min(...all("raw")),
            lowestLagTerm: Math.min(...all("past")),
            highestLagTerm: Math.max(...all("past")),
          };
          for (const [name, value] of Object.entries(told)) {
            const range = found[name as keyof typeof told][at];
            const what = `${name} of plant ${h} in stage ${stage}: ${range} and ${value}`;
            const isLow = name.startsWith("lowest");
            assert.ok(isLow ? range <= value + 1e-12 : range >= value - 1e-12, what);
            // Up to the second stage, each lag comes from one draw of its own.
            if (stage < 2) assert.ok(Math.abs(range - value) < 1e-12, what);
          }
        }
      }
    });
  }

  it("are exact where a stage depends on the one before alone", () => {
    const setting = inflowsOf("none", (inflow) => {
      noisy(inflow);
      for (let i = 1; i < inflow.psi.length; i += 2) inflow.psi[i] = 0;
    });
    const paths = walk(setting, false);
    for (const h of [0, 1]) {
      const last = paths.map(({ z }) => z[2][h]);
      assert.ok(Math.abs(setting.found.lowest[4 + h] - Math.min(...last)) < 1e-12);
      assert.ok(Math.abs(setting.found.highest[4 + h] - Math.max(...last)) < 1e-12);
    }
  });

  it("stay negative without noise: nothing can be raised", () => {
    const { found } = inflowsOf("truncation", (inflow) => {
      inflow.base.fill(-7);
      inflow.sigma.set([0, 1, 0, 1, 0, 1]);
    });
    assert.deepEqual([...found.lowest], [-7, 0, -7, 0, -7, 0]);
    assert.equal(found.highest[0], -7);
    assert.equal(found.highest[1], 0);
  });
});

describe("a cost that a program cannot fall below", () => {
  const data = (columns: readonly (readonly [cost: number, lower: number, upper: number])[]) => ({
    cost: Float64Array.from(columns, ([cost]) => cost),
    columnLower: Float64Array.from(columns, ([, lower]) => lower),
    columnUpper: Float64Array.from(columns, ([, , upper]) => upper),
    rows: {
      lower: new Float64Array(),
      upper: new Float64Array(),
      starts: Int32Array.of(0),
      indices: new Int32Array(),
      values: new Float64Array(),
    },
  });

  it("takes each column at its cheaper bound", () => {
    assert.equal(lowestCost(data([])), 0);
    assert.equal(lowestCost(data([[2, 3, 10]])), 6);
    assert.equal(lowestCost(data([[-2, 3, 10]])), -20);
    assert.equal(
      lowestCost(
        data([
          [2, 3, 10],
          [-2, 3, 10],
          [1, -4, 4],
        ]),
      ),
      -18,
    );
  });

  it("leaves columns without a cost out, whatever their bounds", () => {
    assert.equal(
      lowestCost(
        data([
          [0, -Infinity, Infinity],
          [1, 5, Infinity],
        ]),
      ),
      5,
    );
    assert.equal(lowestCost(data([[1, -Infinity, 5]])), -Infinity);
  });
});

describe("the lowest terminal value", () => {
  const hasSoftMinimum = [false, false];
  /** Two plants; state: storage, then lags 1 to 4. The study has two stages, so lags 3 and 4 are known beforehand. */
  const model = {
    hydros: 2,
    lags: 4,
    stages: 2,
    initialState: Float64Array.of(0, 0, 101, 102, 103, 104, 105, 106, 107, 108),
    inflows: {
      lowest: Float64Array.of(-1, -2, -3, -4),
      highest: Float64Array.of(11, 12, 13, 14),
    },
    study: {
      hydros: {
        minStorageHm3: { at: (stage: number, h: number) => 1000 * stage + 10 * h },
        maxStorageHm3: { at: (stage: number, h: number) => 1000 * stage + 10 * h + 500 },
      },
      hasSoftMinimum,
    },
    components: stateComponents([0, 1], 4),
  } as unknown as Parameters<typeof lowestTerminalValue>[0];
  const lowest = (...cuts: readonly (readonly [intercept: number, ...slopes: number[]])[]) => {
    const pool = new CutPool(10);
    for (const [intercept, ...slopes] of cuts) {
      pool.add(
        0,
        0,
        intercept,
        Float64Array.from({ length: 10 }, (_, i) => slopes[i] ?? 0),
      );
    }
    return lowestTerminalValue(model, pool);
  };
  const unit = (component: number, slope: number): [number, ...number[]] => [
    0,
    ...Array.from({ length: 10 }, (_, i) => (i === component ? slope : 0)),
  ];

  it("takes each component at the worse end of its range", () => {
    const ranges = [
      [1000, 1500],
      [1010, 1510],
      [-3, 13],
      [-4, 14],
      [-1, 11],
      [-2, 12],
      // Three stages before the end is one before the study: lag 1 of the initial state.
      [101, 101],
      [102, 102],
      [103, 103],
      [104, 104],
    ];
    ranges.forEach(([from, to], component) => {
      assert.equal(lowest(unit(component, 2)), 2 * from, `component ${component}`);
      assert.equal(lowest(unit(component, -2)), -2 * to, `component ${component}`);
    });
  });

  it("is that of an empty reservoir where the least storage may be violated", () => {
    hasSoftMinimum[1] = true;
    assert.equal(lowest(unit(1, 2)), 0);
    assert.equal(lowest(unit(0, 2)), 2000);
    hasSoftMinimum[1] = false;
  });

  it("adds up all components and the intercept, and is that of the highest cut", () => {
    assert.equal(lowest([7, 1, -1, 1, -1]), 7 + 1000 - 1510 - 3 - 14);
    assert.equal(lowest([7], [9], [8]), 9);
    assert.equal(lowest(), -Infinity);
  });
});
