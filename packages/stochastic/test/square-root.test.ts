import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { symmetricSquareRoot } from "#internal";

function rootOf(...rows: readonly (readonly number[])[]): number[] {
  return [...symmetricSquareRoot(Float64Array.from(rows.flat()), rows.length)];
}

describe("the symmetric square root, to the last bit,", () => {
  // Every opening depends on these bits. They are those of +, -, ×, ÷ and √ in this order, on any machine.
  it("is the same everywhere", () => {
    const root = rootOf(
      [1, 0.6, 0.3, -0.2],
      [0.6, 1, 0.5, 0.1],
      [0.3, 0.5, 1, 0.4],
      [-0.2, 0.1, 0.4, 1],
    );
    // biome-ignore format: a matrix
    assert.deepEqual(root, [
      0.9324147927889417, 0.309786548708062, 0.13505078811450943, -0.12804777646469645,
      0.3097865487080621, 0.9184197016928136, 0.24156095592689159, 0.04675307854802749,
      0.1350507881145094, 0.24156095592689159, 0.9369962892825859, 0.21318429368037853,
      -0.12804777646469645, 0.04675307854802743, 0.21318429368037853, 0.9674556183705425,
    ]);
  });

  it("rotates an entry of 2^-52 and none below", () => {
    const first = (entry: number) =>
      rootOf([1, entry, 0], [entry, 1, 0.5], [0, 0.5, 1]).slice(0, 3);
    assert.deepEqual(first(2 ** -52 * (1 - 2 ** -53)), [1, 0, 0]);
    const [, rotated] = first(2 ** -52);
    assert.ok(Math.abs((rotated as number) - 2.55e-16) < 1e-18, `${rotated}`);
  });

  it("goes on while the squares off the diagonal add up to 1e-24", () => {
    const entry = 7.071067811865475e-13;
    assert.equal(2 * entry * entry, 1e-24);
    const [, rotated] = rootOf([1, entry], [entry, 1]);
    assert.ok(Math.abs((rotated as number) - entry / 2) < 1e-16, `${rotated}`);
    const [, less] = rootOf([1, entry * (1 - 2 ** -52)], [entry * (1 - 2 ** -52), 1]);
    assert.equal(less, 0);
    // Each of them is less, all three together are not.
    const third = entry * 0.6;
    const three = rootOf([1, third, third], [third, 1, third], [third, third, 1]);
    assert.notEqual(three[1], 0);
  });

  it("leaves alone any pair that is negligible", () => {
    const little = 1e-13;
    const unit = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    assert.deepEqual(rootOf([1, 0, little], [0, 1, 0], [little, 0, 1]), unit);
    assert.deepEqual(rootOf([1, 0, 0], [0, 1, little], [0, little, 1]), unit);
  });

  it("of nothing is nothing, and of a single entity is 1", () => {
    assert.deepEqual(rootOf(), []);
    assert.deepEqual(rootOf([1]), [1]);
  });
});

describe("the symmetric square root", () => {
  it("leaves out the directions of negative eigenvalues", () => {
    // Eigenvalues 1.9, 1.9 and -0.8; the last one's direction is (1, -1, 1).
    const root = rootOf([1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]);
    const third = Math.sqrt(1.9) / 3;
    [2, 1, -1, 1, 2, 1, -1, 1, 2].forEach((thirds, i) => {
      assert.ok(Math.abs((root[i] as number) - thirds * third) < 1e-15, `entry ${i}: ${root[i]}`);
    });
  });

  it("scales each entity by itself where nothing is correlated", () => {
    assert.deepEqual(rootOf([4, 0, 0], [0, 0.25, 0], [0, 0, 9]), [2, 0, 0, 0, 0.5, 0, 0, 0, 3]);
  });
});
