import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  Correlation,
  type CorrelationGroup,
  type CorrelationSpec,
  NoiseLayout,
  StochasticError,
} from "@cobre/stochastic";
import { symmetricSquareRoot } from "#internal";

const layout = new NoiseLayout({ inflow: [1, 2, 3], load: [2] });

function group(ids: readonly number[], matrix: readonly (readonly number[])[]): CorrelationGroup {
  return { name: "g", entities: ids.map((id) => ({ type: "inflow", id })), matrix };
}

function apply(spec: CorrelationSpec, noise: number[], stageId = 0): number[] {
  const values = Float64Array.from(noise);
  new Correlation(spec, layout).apply(stageId, values, 0);
  return [...values];
}

const PAIR = [
  [1, 0.8],
  [0.8, 1],
];

describe("the symmetric square root", () => {
  it("squared is the matrix", () => {
    const n = 6;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) matrix[i * n + j] = i === j ? 1 : 0.9 / (1 + Math.abs(i - j));
    }
    const root = symmetricSquareRoot(matrix, n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let k = 0; k < n; k++)
          sum += (root[i * n + k] as number) * (root[k * n + j] as number);
        assert.ok(Math.abs(sum - (matrix[i * n + j] as number)) < 1e-14);
        assert.ok(Math.abs((root[i * n + j] as number) - (root[j * n + i] as number)) < 1e-15);
      }
    }
  });

  it("of the unit matrix is the unit matrix, bit by bit", () => {
    assert.deepEqual([...symmetricSquareRoot(Float64Array.of(1, 0, 0, 1), 2)], [1, 0, 0, 1]);
  });

  it("leaves alone what is negligible, as Cobre for Rust does", () => {
    // Squares that add up to less than 1e-24 end the sweeps; before, this pair was rotated by 45 degrees.
    assert.deepEqual(
      [...symmetricSquareRoot(Float64Array.of(1, 1e-13, 1e-13, 1), 2)],
      [1, 0, 0, 1],
    );
    // An entry below 2^-52 is not rotated, even if other pairs are.
    const root = symmetricSquareRoot(Float64Array.of(1, 0.5, 1e-16, 0.5, 1, 0, 1e-16, 0, 1), 3);
    assert.deepEqual([root[2], root[5], root[8]], [0, 0, 1]);
  });

  it("takes negative eigenvalues as 0", () => {
    // Not a correlation matrix: 1 with 2 and 2 with 3 go together, 1 and 3 against each other.
    const root = symmetricSquareRoot(Float64Array.of(1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1), 3);
    assert.ok(root.every((entry) => Number.isFinite(entry)));
  });
});

describe("correlation", () => {
  it("mixes the noise of a group by the symmetric root", () => {
    const [a, b, c, d] = apply({ profiles: { any: [group([1, 3], PAIR)] } }, [1, 7, 0, 9]);
    // √M of [[1, r], [r, 1]] has (√(1+r) ± √(1-r)) / 2 on and off the diagonal.
    assert.ok(Math.abs((a as number) - (Math.sqrt(1.8) + Math.sqrt(0.2)) / 2) < 1e-15);
    assert.ok(Math.abs((c as number) - (Math.sqrt(1.8) - Math.sqrt(0.2)) / 2) < 1e-15);
    assert.deepEqual([b, d], [7, 9], "the others stay");
  });

  it("follows the schedule, else the profile named default", () => {
    const profiles = { default: [], wet: [group([1, 2], PAIR)] };
    const spec = { profiles, schedule: [{ stageId: 4, profile: "wet" }] };
    assert.deepEqual(apply(spec, [1, 0, 0, 0], 3), [1, 0, 0, 0]);
    assert.notEqual(apply(spec, [1, 0, 0, 0], 4)[1], 0);
  });

  it("leaves out members without noise, and keeps the classes apart", () => {
    const matrix = [
      [1, 0.5, 0.8],
      [0.5, 1, 0.5],
      [0.8, 0.5, 1],
    ];
    const with99 = apply({ profiles: { any: [group([1, 99, 2], matrix)] } }, [1, 0, 0, 5]);
    assert.deepEqual(with99, apply({ profiles: { any: [group([1, 2], PAIR)] } }, [1, 0, 0, 5]));
  });

  const pair = { type: "inflow", id: 1 } as const;
  const faults: readonly [string, CorrelationSpec, RegExp][] = [
    ["no profile", { profiles: {} }, /no profile/],
    ["two profiles and no default", { profiles: { a: [], b: [] } }, /a, b is named default/],
    [
      "a schedule of an unknown profile",
      { profiles: { a: [] }, schedule: [{ stageId: 2, profile: "b" }] },
      /stage 2 .* "b"/,
    ],
    ["a matrix of another size", { profiles: { a: [group([1], PAIR)] } }, /it must have 1 of both/],
    [
      "a diagonal other than 1",
      { profiles: { a: [group([1], [[2]])] } },
      /\(1, 1\) is 2; the diagonal/,
    ],
    [
      "an asymmetric matrix",
      {
        profiles: {
          a: [
            group(
              [1, 2],
              [
                [1, 0.5],
                [0.4, 1],
              ],
            ),
          ],
        },
      },
      /symmetric/,
    ],
    [
      "an entry above 1",
      {
        profiles: {
          a: [
            group(
              [1, 2],
              [
                [1, 1.5],
                [1.5, 1],
              ],
            ),
          ],
        },
      },
      /between -1 and 1/,
    ],
    [
      "NaN",
      {
        profiles: {
          a: [
            group(
              [1, 2],
              [
                [1, Number.NaN],
                [Number.NaN, 1],
              ],
            ),
          ],
        },
      },
      /between -1 and 1/,
    ],
    [
      "an entity in two groups",
      { profiles: { a: [group([1], [[1]]), group([1], [[1]])] } },
      /inflow 1 is in the groups/,
    ],
    [
      "two types in a group",
      { profiles: { a: [{ name: "g", entities: [pair, { type: "load", id: 2 }], matrix: PAIR }] } },
      /types inflow and load/,
    ],
  ];
  for (const [what, spec, message] of faults) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => new Correlation(spec, layout),
        (error) => {
          assert.ok(error instanceof StochasticError && error.kind === "InvalidCorrelation");
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});
