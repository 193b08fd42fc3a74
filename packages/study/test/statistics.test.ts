/** Percentiles, distributions and the other small sums of a report, against numbers worked out elsewhere. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cube, distributionOf, LEVELS } from "@cobre/study";
import { percentile, percentText, recentOf, riseOf, secondsText, sortedValues } from "#internal";

const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value - expected) <= 1e-12 * Math.abs(expected), `${value}, not ${expected}`);

describe("percentiles", () => {
  it("are interpolated as NumPy does", () => {
    const sorted = Float64Array.of(1, 2, 4, 8);
    // numpy.percentile([1, 2, 4, 8], [0, 10, 25, 50, 75, 90, 100])
    const expected = [1, 1.3, 1.75, 3, 5, 6.8, 8];
    LEVELS.forEach((level, i) => {
      near(percentile(sortedValues(sorted), level), expected[i] as number);
    });
    assert.equal(percentile(sortedValues(Float64Array.of(7)), 33), 7);
    assert.ok(Number.isNaN(percentile(sortedValues(new Float64Array()), 50)));
  });
});

describe("a cube", () => {
  it("is summarised over its scenarios, item by item and stage by stage", () => {
    const cube = new Cube(2, 2, 3);
    for (const [s, value] of [3, 1, 2].entries()) cube.set(0, 1, s, value);
    cube.set(1, 0, 1, 5); // the only scenario that has a value
    assert.deepEqual([...cube.means()], [Number.NaN, 2, 5, Number.NaN]);
    assert.deepEqual(cube.meanSums(), Float64Array.of(2, 5));
    assert.deepEqual(cube.meanSums(Float64Array.of(10, 100)), Float64Array.of(200, 50));
    assert.deepEqual(cube.across(0, 1), Float64Array.of(3, 1, 2));
    const { values, levels } = cube.bands([0, 50, 100]);
    assert.deepEqual(levels, [0, 50, 100]);
    const none = [Number.NaN, Number.NaN, Number.NaN];
    assert.deepEqual([...values], [...none, 1, 2, 3, 5, 5, 5, ...none]);
  });
});

describe("a distribution", () => {
  it("has mean, spread, tails and the interval of the mean", () => {
    const values = Float64Array.from({ length: 40 }, (_, i) => (i * 7) % 40); // 0 to 39
    const found = distributionOf(values);
    near(found.mean, 19.5);
    near(found.std, Math.sqrt((40 * 41) / 12));
    near(found.ci95 ?? 0, (1.96 * found.std) / Math.sqrt(40));
    near(found.p5, 1.95);
    near(found.median, 19.5);
    near(found.p95, 37.05);
    near(found.cvar95, 38.5); // the mean of 38 and 39
    assert.deepEqual([found.min, found.max, found.count], [0, 39, 40]);
  });

  it("of one value has no interval", () => {
    const found = distributionOf(Float64Array.of(7));
    assert.deepEqual([found.mean, found.std, found.ci95, found.cvar95], [7, 0, null, 7]);
  });
});

describe("the convergence", () => {
  it("tells the rise of the last ten iterations, or of all if there are fewer", () => {
    assert.equal(riseOf(Float64Array.of(5)), null);
    assert.deepEqual(riseOf(Float64Array.of(50, 100)), { percent: 50, iterations: 1 });
    const bounds = Float64Array.from({ length: 31 }, (_, i) => 100 + i);
    assert.deepEqual(riseOf(bounds), { percent: (100 * 10) / 130, iterations: 10 });
  });

  it("pools the forward passes of the last iterations", () => {
    // Two iterations with the costs 1, 3 and 5, 7: together their deviation is that of the four costs.
    const std = Math.SQRT2;
    const pooled = recentOf(
      Float64Array.of(2, 6),
      Float64Array.of(std, std),
      Float64Array.of(2, 2),
    );
    const { std: all, mean } = distributionOf(Float64Array.of(1, 3, 5, 7));
    assert.equal(pooled?.passes, 4);
    near(pooled?.mean ?? 0, mean);
    near(pooled?.ci95 ?? 0, (1.96 * all) / 2);
    const one = recentOf(Float64Array.of(2), Float64Array.of(0), Float64Array.of(1));
    assert.deepEqual(one, { iterations: 1, passes: 1, mean: 2, ci95: null });
    assert.equal(recentOf(new Float64Array(), new Float64Array(), new Float64Array()), null);
  });
});

describe("numbers in words", () => {
  it("are as exact as one reads them", () => {
    const times = [0.314, 9.94, 12.4, 119.6, 245, 7384].map(secondsText);
    assert.deepEqual(times, ["0.31 s", "9.9 s", "12 s", "2 min 0 s", "4 min 5 s", "2 h 3 min"]);
    const shares = [0, 1e-5, 0.044, 3.96, 12.6, -2, Number.NaN].map(percentText);
    const expected = ["0 %", "less than 0.01 %", "0.044 %", "4 %", "13 %", "-2 %", "?"];
    assert.deepEqual(shares, expected);
  });
});
