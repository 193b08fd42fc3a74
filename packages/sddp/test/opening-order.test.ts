/** The order in which the openings of a stage are solved. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OpeningTree } from "@cobre/stochastic";
import { openingOrder } from "#internal";

/** A tree of one stage with openings of this noise. */
function treeOf(noise: readonly (readonly number[])[]): OpeningTree {
  const width = noise[0]?.length ?? 0;
  return {
    values: Float64Array.from(noise.flat()),
    openings: () => noise.length,
    offset: (_: number, opening: number) => opening * width,
  } as unknown as OpeningTree;
}

const order = (noise: readonly (readonly number[])[]) => [...openingOrder(treeOf(noise), 0)];

function lengthOf(noise: readonly (readonly number[])[], path: readonly number[]): number {
  const between = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(...a.map((x, i) => x - (b[i] ?? 0)));
  return path
    .slice(1)
    .reduce((sum, o, i) => sum + between(noise[o] ?? [], noise[path[i] ?? 0] ?? []), 0);
}

describe("the order of openings", () => {
  it("goes along a line from one end to the other", () => {
    const path = order([[2], [-1], [0], [3], [1]]);
    const values = path.map((o) => [2, -1, 0, 3, 1][o] ?? 0);
    const isUp = (values[0] ?? 0) < 0;
    assert.deepEqual(isUp ? values : values.reverse(), [-1, 0, 1, 2, 3]);
  });

  it("is the order of the tree if all are alike, or there is one or none", () => {
    assert.deepEqual(order([[1], [1], [1]]), [0, 1, 2]);
    assert.deepEqual(order([[1]]), [0]);
    assert.deepEqual(order([]), []);
  });

  it("has all openings once, and no part that would be shorter turned round", () => {
    let seed = 7;
    const draw = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const noise = Array.from({ length: 30 }, () => [draw(), draw(), draw()]);
    const path = order(noise);
    assert.deepEqual(
      [...path].sort((a, b) => a - b),
      noise.map((_, i) => i),
    );
    const length = lengthOf(noise, path);
    assert.ok(length < 0.6 * lengthOf(noise, [...noise.keys()]));
    for (let i = 0; i < path.length; i++) {
      for (let k = i + 1; k < path.length; k++) {
        const turned = [
          ...path.slice(0, i),
          ...path.slice(i, k + 1).reverse(),
          ...path.slice(k + 1),
        ];
        assert.ok(lengthOf(noise, turned) >= length - 1e-9);
      }
    }
  });
});
