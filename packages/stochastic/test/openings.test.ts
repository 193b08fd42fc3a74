import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Correlation,
  ForwardSampler,
  type GivenOpenings,
  NoiseLayout,
  OpeningTree,
  Pcg64,
  Seeds,
  StochasticError,
  sampleOpenings,
  standardNormal,
  type TreeStage,
  useGivenOpenings,
} from "@cobre/stochastic";

function stage(id: number, openings: number, seasonId?: number, startYear = 2024): TreeStage {
  return { id, openings, seasonId, startYear };
}

function sampled(
  stages: readonly TreeStage[],
  dimension: number,
  correlation?: Correlation,
): OpeningTree {
  const values = new Float64Array(OpeningTree.length(stages, dimension));
  const tree = new OpeningTree(stages, dimension, values);
  sampleOpenings(tree, new Seeds(42), correlation);
  return tree;
}

function noise(tree: OpeningTree, at: number, opening: number): number[] {
  const offset = tree.offset(at, opening);
  return [...tree.values.subarray(offset, offset + tree.dimension)];
}

const TOY = [stage(0, 10), stage(1, 10), stage(2, 10), stage(3, 10)];

describe("the opening tree", () => {
  it("holds the published noise of 1dtoy", () => {
    const tree = sampled(TOY, 1);
    const published = [
      0.400989364971, -1.39541217761, 0.833703170912, -0.518546154827, -1.12322921585,
      -0.396377071448, 0.019891174186, 1.307060052108, 0.348460724143, -0.97232279443,
    ];
    published.forEach((eta, opening) => {
      // They were computed with the exact area of the ziggurat's layers, which shifts a draw by up to 3e-11 of its size.
      const error = Math.abs((tree.values[opening] as number) - eta);
      assert.ok(error < 3e-11 * Math.abs(eta) + 6e-13, `opening ${opening}`);
    });
  });

  it("holds the published noise of two entities, to the last bit", () => {
    assert.deepEqual(
      [...sampled([stage(0, 3)], 2).values],
      [
        0.40098936496495646, 0.22792558815859804, -1.3954121776085244, -0.26939366921736746,
        0.8337031709056368, -1.6199918031824887,
      ],
    );
  });

  it("depends on the id of a stage, not on its place", () => {
    const tree = sampled([stage(3, 10)], 1);
    assert.deepEqual(noise(tree, 0, 4), noise(sampled(TOY, 1), 3, 4));
  });

  it("draws the entries of a vector one after the other", () => {
    const rng = new Pcg64();
    new Seeds(42).startOpening(rng, 2, 7);
    const expected = [standardNormal(rng), standardNormal(rng), standardNormal(rng)];
    assert.deepEqual(noise(sampled([stage(7, 3)], 3), 0, 2), expected);
  });

  it("copies the openings of the stage before, if season and year are the same", () => {
    const stages = [stage(0, 2, 5), stage(1, 3, 5), stage(2, 2, 5, 2025), stage(3, 2), stage(4, 2)];
    const tree = sampled(stages, 2);
    assert.deepEqual(noise(tree, 1, 0), noise(tree, 0, 0));
    assert.deepEqual(noise(tree, 1, 1), noise(tree, 0, 1));
    const alone = sampled([stage(1, 3), stage(2, 2), stage(3, 2), stage(4, 2)], 2);
    assert.deepEqual(noise(tree, 1, 2), noise(alone, 0, 2), "what was not there to copy is drawn");
    assert.deepEqual(noise(tree, 2, 0), noise(alone, 1, 0), "another year");
    assert.deepEqual(noise(tree, 4, 0), noise(alone, 3, 0), "no season");
  });

  it("does not lie in an array of another length", () => {
    assert.throws(() => new OpeningTree(TOY, 1, new Float64Array(39)), /needs 40 values, not 39/);
  });
});

describe("forward sampling", () => {
  it("chooses the published openings of 1dtoy", () => {
    const sampler = new ForwardSampler(sampled(TOY, 1), new Seeds(42));
    const path = (iteration: number) => [0, 1, 2, 3].map((at) => sampler.opening(iteration, 0, at));
    assert.deepEqual(path(1), [3, 9, 9, 2]);
    assert.deepEqual(path(2), [8, 7, 9, 3]);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => sampler.simulatedOpening(0, at)),
      [4, 9, 6, 5],
    );
    // Cobre 0.18 counts simulated scenarios from 0.
    const later = new ForwardSampler(sampled(TOY, 1), new Seeds(42), 0);
    for (const at of [0, 1, 2, 3]) {
      assert.equal(later.simulatedOpening(5, at), sampler.opening(0, 5, at));
    }
  });

  it("depends on the place of a stage, not on its id", () => {
    const moved = TOY.map(({ id, openings }) => stage(10 * id + 7, openings));
    const sampler = new ForwardSampler(sampled(moved, 1), new Seeds(42));
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => sampler.opening(1, 0, at)),
      [3, 9, 9, 2],
    );
  });
});

describe("given openings", () => {
  const layout = new NoiseLayout({ inflow: [4], load: [0], ncs: [9] });
  const stages = [stage(0, 2), stage(1, 1)];
  const complete: GivenOpenings = {
    stageId: [0, 0, 0, 0, 1, 1],
    opening: [0, 0, 1, 1, 0, 0],
    entity: [0, 1, 0, 1, 0, 1],
    value: [0, 1, 2, 3, 4, 5],
  };

  it("replace inflow and load noise and leave that of sources", () => {
    const tree = sampled(stages, 3);
    const drawn = noise(tree, 0, 1)[2];
    useGivenOpenings(tree, layout, complete);
    assert.deepEqual(noise(tree, 0, 1), [2, 3, drawn]);
    assert.deepEqual(noise(tree, 1, 0).slice(0, 2), [4, 5]);
  });

  const faults: readonly [string, Partial<GivenOpenings>, RegExp][] = [
    ["an unknown stage", { stageId: [0, 0, 0, 0, 1, 7] }, /row 6: stage 7 does not exist/],
    ["too many openings", { opening: [0, 0, 1, 2, 0, 0] }, /row 4: opening_index is 2.*0 to 1/],
    ["an unknown entity", { entity: [0, 1, 0, 1, 0, 3] }, /row 6: entity_index is 3/],
    ["a value twice", { entity: [0, 1, 0, 1, 0, 0] }, /row 6: stage 1, opening 0, entity 0 was/],
    [
      "a missing value",
      { entity: [0, 1, 0, 1, 0, 2] },
      /1 values are missing.* stage 1, opening 0, entity 1/,
    ],
    ["NaN", { value: [0, 1, 2, Number.NaN, 4, 5] }, /row 4: value is NaN/],
  ];
  for (const [what, fault, message] of faults) {
    it(`are refused with ${what}`, () => {
      assert.throws(
        () => useGivenOpenings(sampled(stages, 3), layout, { ...complete, ...fault }),
        (error) => {
          assert.ok(error instanceof StochasticError && error.kind === "InvalidOpenings");
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});
