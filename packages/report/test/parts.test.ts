/** Percentages, histograms, scenarios that fit, and the corners of value functions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inflateSync } from "node:zlib";
import { Cube } from "@cobre/study";
import {
  chooseScenarios,
  curveOf,
  histogramOf,
  packCube,
  percent,
  stageName,
  stageTicks,
} from "#internal";
import { madeStages } from "./made-report.js";

it("writes percentages", () => {
  assert.equal(percent(0.001), "< 0.01 %");
  assert.equal(percent(0), "0 %");
  assert.equal(percent(12.345), "12.3 %");
});

describe("stages", () => {
  it("have names by their dates, or numbers", () => {
    const [first] = madeStages(1);
    assert.equal(first && stageName(first), "Jan 2026");
    const week = { id: 4, start: "2026-03-09", end: "2026-03-16", blocks: [] };
    assert.equal(stageName(week), "9 Mar 2026");
    assert.equal(stageName({ id: 4, start: undefined, end: undefined, blocks: [] }), "stage 4");
  });

  it("have as many labels as there is room for, at Januaries", () => {
    const labels = stageTicks(madeStages(60).slice(3), 6).map(({ label }) => label);
    assert.deepEqual(labels, ["Jan ’27", "Jan ’28", "Jan ’29", "Jan ’30"]);
    assert.equal(stageTicks(madeStages(5), 6).length, 5);
  });
});

describe("a histogram", () => {
  it("counts every value once", () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => i * i);
    const { edges, counts } = histogramOf(values);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      100,
    );
    counts.forEach((count, i) => {
      const [from, to] = [edges[i] as number, edges[i + 1] as number];
      const isLast = i === counts.length - 1;
      const inside = values.filter((v) => v >= from && (v < to || (isLast && v === to)));
      assert.equal(count, inside.length);
    });
  });

  it("takes values that are all the same", () => {
    assert.deepEqual(
      histogramOf(Float64Array.of(7, 7, 7)).counts.filter((count) => count > 0),
      [3],
    );
  });
});

describe("scenarios", () => {
  const cube = new Cube(1, 2, 10, 0);

  it("are all there if they fit", () => {
    const { chosen } = chooseScenarios(new Float64Array(10), [cube], 80);
    assert.equal(chosen.length, 10);
  });

  it("are otherwise chosen evenly by cost, the cheapest and the dearest among them", () => {
    const total = Float64Array.of(5, 1, 9, 3, 7, 0, 2, 8, 4, 6);
    const { chosen } = chooseScenarios(total, [cube], 32);
    assert.deepEqual(chosen.map((s) => total[s]).sort(), [0, 3, 6, 9]);
  });

  it("are packed as float32", () => {
    const cube = new Cube(2, 2, 3);
    cube.values.set(cube.values.map((_, i) => i / 3));
    const { base64 } = packCube("x", cube, { chosen: [0, 2] });
    const bytes = inflateSync(Buffer.from(base64, "base64"));
    const values = Array.from({ length: 8 }, (_, i) => bytes.readFloatLE(4 * i));
    assert.deepEqual(
      values,
      [0, 2, 3, 5, 6, 8, 9, 11].map((i) => Math.fround(i / 3)),
    );
  });
});

it("a value function has its corners where cuts meet", () => {
  const curve = curveOf({
    min: 0,
    max: 30,
    visited: 5,
    cuts: 9,
    intercepts: Float64Array.of(100, 80),
    slopes: Float64Array.of(-3, -1),
    ends: Float64Array.of(10, 30),
  });
  assert.deepEqual(
    [curve.x, curve.y, curve.slopes],
    [
      [0, 10, 30],
      [100, 70, 50],
      [-3, -1],
    ],
  );
  assert.ok(curve.from <= 50 && curve.to >= 100);
});
