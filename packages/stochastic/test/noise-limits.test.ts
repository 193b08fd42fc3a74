import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  Correlation,
  type CorrelationGroup,
  ForwardSampler,
  type GivenOpenings,
  NoiseLayout,
  OpeningTree,
  Seeds,
  sampleOpenings,
  type TreeStage,
  useGivenOpenings,
} from "@cobre/stochastic";

const layout = new NoiseLayout({ inflow: [1, 2, 3], load: [5, 6] });

function group(
  type: "inflow" | "load",
  ids: readonly number[],
  ...matrix: readonly (readonly number[])[]
): CorrelationGroup {
  return { name: `${type}s`, entities: ids.map((id) => ({ type, id })), matrix };
}

function correlation(...groups: readonly CorrelationGroup[]): Correlation {
  return new Correlation({ profiles: { default: groups } }, layout);
}

/** On and off the diagonal of the root of [[1, r], [r, 1]]. */
function rootOfPair(r: number): [number, number] {
  const [sum, difference] = [Math.sqrt(1 + r), Math.sqrt(1 - r)];
  return [(sum + difference) / 2, (sum - difference) / 2];
}

function close(actual: ArrayLike<number>, expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(
      Math.abs((actual[i] as number) - value) < 1e-14,
      `${i}: ${actual[i]} is not ${value}`,
    );
  });
}

describe("correlation", () => {
  it("mixes each group for itself, from an offset on, in the order of its entities", () => {
    const noise = Float64Array.of(9, 9, 1, 2, 3, 4, 5, 9);
    const groups = [
      group("inflow", [3, 1], [1, 0.8], [0.8, 1]),
      group("load", [5, 6], [1, -0.5], [-0.5, 1]),
    ];
    correlation(...groups).apply(0, noise, 2);
    const [on, off] = rootOfPair(0.8);
    const [onLoad, offLoad] = rootOfPair(-0.5);
    const inflows = [on * 1 + off * 3, 2, off * 1 + on * 3];
    const loads = [onLoad * 4 + offLoad * 5, offLoad * 4 + onLoad * 5];
    close(noise, [9, 9, ...inflows, ...loads, 9]);
  });

  it("knows a group of three by the order of its entities", () => {
    const matrix = [
      [1, 0.5, 0.25],
      [0.5, 1, -0.125],
      [0.25, -0.125, 1],
    ];
    const noise = Float64Array.of(1, 0, 0, 0, 0);
    correlation(group("inflow", [1, 2, 3], ...matrix)).apply(0, noise, 0);
    const turned = Float64Array.of(0, 0, 1, 0, 0);
    const reversed = matrix.map((row) => [...row].reverse()).reverse();
    correlation(group("inflow", [1, 2, 3], ...reversed)).apply(0, turned, 0);
    close(turned.slice(0, 3).reverse(), [...noise.slice(0, 3)]);
    const again = Float64Array.of(0, 0, 1, 0, 0);
    correlation(group("inflow", [3, 2, 1], ...matrix)).apply(0, again, 0);
    close(again.slice(0, 3).reverse(), [...noise.slice(0, 3)]);
  });

  it("may be complete, in either direction", () => {
    const noise = Float64Array.of(1, 0, 0, 1, 0);
    correlation(
      group("inflow", [1, 2], [1, 1], [1, 1]),
      group("load", [5, 6], [1, -1], [-1, 1]),
    ).apply(0, noise, 0);
    const half = Math.SQRT1_2;
    close(noise, [half, half, 0, half, -half]);
  });

  it("may be asymmetric by 1e-10, and not by more", () => {
    correlation(group("inflow", [1, 2], [1, 1e-10], [0, 1]));
    assert.throws(
      () => correlation(group("inflow", [1, 2], [1, 0], [1.1e-10, 1])),
      /profile "default", group "inflows": entry \(1, 2\) is 0, but entry \(2, 1\) is 1\.1e-10; the matrix must/,
    );
  });

  it("is refused where it is wrong, and nowhere else", () => {
    const refused = (message: RegExp, ...groups: readonly CorrelationGroup[]) =>
      assert.throws(() => correlation(...groups), message);
    refused(/it must have 2 of both/, group("inflow", [1, 2], [1, 0]));
    refused(/it must have 2 of both/, group("inflow", [1, 2], [1, 0], [0]));
    refused(/it must have 1 of both/, group("inflow", [1], [1, 0]));
    refused(
      /entry \(2, 3\) is -1\.5; a correlation/,
      group("inflow", [1, 2, 3], [1, 0, 0], [0, 1, -1.5], [0, -1.5, 1]),
    );
    refused(
      /entry \(2, 2\) is 0\.5; the diagonal must be 1/,
      group("inflow", [1, 2], [1, 0], [0, 0.5]),
    );
    refused(
      /load 5 is in the groups "loads" and "loads"/,
      group("load", [5, 6], [1, 0], [0, 1]),
      group("load", [5], [1]),
    );
    // An inflow and a load may have the same id.
    correlation(group("inflow", [1], [1]), group("load", [1], [1]));
  });

  it("has one profile, or one named default", () => {
    const profile = [group("inflow", [1, 2], [1, 1], [1, 1])];
    const first = (
      profiles: object,
      schedule: readonly { stageId: number; profile: string }[] = [],
    ) => {
      const noise = Float64Array.of(1, 0, 0, 0, 0);
      new Correlation({ profiles: { ...profiles }, schedule }, layout).apply(7, noise, 0);
      return noise[1] !== 0;
    };
    assert.equal(first({ only: profile }), true);
    assert.equal(first({ another: profile, default: [] }), false);
    assert.equal(
      first({ another: profile, default: [] }, [{ stageId: 7, profile: "another" }]),
      true,
    );
    assert.equal(
      first({ another: profile, default: [] }, [{ stageId: 6, profile: "another" }]),
      false,
    );
    assert.throws(
      () => first({ b: [], a: [], default: [] }, [{ stageId: 7, profile: "c" }]),
      /stage 7 uses the profile "c", which does not exist; choose one of: a, b, default$/,
    );
  });
});

const stage = (id: number, openings: number, seasonId?: number, startYear = 2024): TreeStage => {
  return { id, openings, seasonId, startYear };
};

function treeOf(dimension: number, ...stages: readonly TreeStage[]): OpeningTree {
  return new OpeningTree(
    stages,
    dimension,
    new Float64Array(OpeningTree.length(stages, dimension)),
  );
}

describe("the opening tree", () => {
  it("has each opening of each stage in its place", () => {
    const tree = treeOf(3, stage(0, 2), stage(1, 4), stage(2, 1));
    assert.equal(tree.values.length, 21);
    assert.deepEqual(
      [0, 1, 2].map((t) => tree.openings(t)),
      [2, 4, 1],
    );
    assert.deepEqual(
      [tree.offset(0, 1), tree.offset(1, 0), tree.offset(1, 3), tree.offset(2, 0)],
      [3, 6, 15, 18],
    );
  });

  it("correlates what is drawn, by the stage's own profile, and copies it as it is", () => {
    const matrix = [
      [1, 0.6],
      [0.6, 1],
    ];
    const profiles = { default: [], wet: [group("inflow", [1, 2], ...matrix)] };
    const schedule = [{ stageId: 8, profile: "wet" }];
    const two = new NoiseLayout({ inflow: [1, 2] });
    const stages = [stage(4, 2), stage(8, 2, 3), stage(9, 2, 3)];
    const [plain, wet] = [treeOf(2, ...stages), treeOf(2, ...stages)];
    sampleOpenings(plain, new Seeds(1));
    sampleOpenings(wet, new Seeds(1), new Correlation({ profiles, schedule }, two));
    assert.deepEqual(wet.values.slice(0, 4), plain.values.slice(0, 4), "stage 4 is not wet");
    const [on, off] = rootOfPair(0.6);
    const [a, b, c, d] = plain.values.slice(4, 8) as unknown as [number, number, number, number];
    close(wet.values.slice(4, 8), [
      on * a + off * b,
      off * a + on * b,
      on * c + off * d,
      off * c + on * d,
    ]);
    assert.deepEqual(wet.values.slice(8), wet.values.slice(4, 8), "stage 9 shares them");
  });

  it("shares openings with the stage just before, in the same season of the same year, and no other", () => {
    const shares = (first: TreeStage, second: TreeStage) => {
      const tree = treeOf(1, first, second);
      sampleOpenings(tree, new Seeds(1));
      return tree.values[0] === tree.values[1];
    };
    assert.equal(shares(stage(0, 1, 5), stage(1, 1, 5)), true);
    assert.equal(shares(stage(0, 1, 5), stage(1, 1, 6)), false);
    assert.equal(shares(stage(0, 1, 5), stage(1, 1, 5, 2025)), false);
    assert.equal(shares(stage(0, 1), stage(1, 1)), false);
    assert.equal(shares(stage(0, 1, 0), stage(1, 1, 0)), true, "season 0 is a season");
    const fewer = treeOf(1, stage(0, 3, 5), stage(1, 2, 5));
    sampleOpenings(fewer, new Seeds(1));
    assert.deepEqual(fewer.values.slice(3), fewer.values.slice(0, 2));
  });

  it("is sampled from stage by stage, each with its own number of openings", () => {
    const tree = treeOf(1, stage(0, 1), stage(1, 5), stage(2, 1));
    const sampler = new ForwardSampler(tree, new Seeds(3));
    const seen = new Set<number>();
    for (let scenario = 0; scenario < 100; scenario++) {
      assert.deepEqual([sampler.opening(1, scenario, 0), sampler.opening(1, scenario, 2)], [0, 0]);
      seen.add(sampler.opening(1, scenario, 1));
    }
    assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4]);
  });
});

describe("a simulated scenario", () => {
  it("has the seeds of iteration 0, beyond all scenarios of training", () => {
    const tree = treeOf(1, stage(0, 1000));
    const sampler = new ForwardSampler(tree, new Seeds(3));
    for (const scenario of [0, 1, 2, 500])
      assert.equal(
        sampler.simulatedOpening(scenario, 0),
        sampler.opening(0, 2 ** 31 - 1 + scenario, 0),
      );
  });
});

describe("given openings", () => {
  const small = new NoiseLayout({ inflow: [4], load: [0], ncs: [9] });
  const complete: GivenOpenings = {
    stageId: [3, 3, 3, 3, 7, 7],
    opening: [0, 0, 1, 1, 0, 0],
    entity: [0, 1, 0, 1, 0, 1],
    value: [-1, 1, 2, 3, 4, 5],
  };
  const use = (fault: Partial<GivenOpenings> = {}) => {
    const tree = treeOf(3, stage(3, 2), stage(7, 1));
    useGivenOpenings(tree, small, { ...complete, ...fault });
    return [...tree.values];
  };
  const without = (...rows: readonly number[]): GivenOpenings => {
    const keep = (column: ArrayLike<number>) =>
      Array.from(column).filter((_, row) => !rows.includes(row));
    const { stageId, opening, entity, value } = complete;
    return {
      stageId: keep(stageId),
      opening: keep(opening),
      entity: keep(entity),
      value: keep(value),
    };
  };

  it("are used as they are; values of sources may be given, too", () => {
    assert.deepEqual(use(), [-1, 1, 0, 2, 3, 0, 4, 5, 0]);
    const more = {
      stageId: [...(complete.stageId as number[]), 7],
      opening: [...(complete.opening as number[]), 0],
      entity: [...(complete.entity as number[]), 2],
      value: [...(complete.value as number[]), 6],
    };
    assert.deepEqual(use(more), [-1, 1, 0, 2, 3, 0, 4, 5, 6]);
  });

  it("are refused beyond the first and the last opening and entity", () => {
    assert.throws(
      () => use({ opening: [0, 0, 1, 1, 0, -1] }),
      /^StochasticError: noise_openings: row 6: opening_index is -1; stage 7 has openings 0 to 0 \(num_scenarios\)/,
    );
    assert.throws(() => use({ opening: [0, 0, 1, 1, 0, 0.5] }), /row 6: opening_index is 0\.5/);
    assert.throws(
      () => use({ opening: [0, 0, 1, 2, 0, 0] }),
      /row 4: opening_index is 2; stage 3 has openings 0 to 1 /,
    );
    assert.throws(
      () => use({ entity: [0, 1, 0, 1, 0, -1] }),
      /row 6: entity_index is -1; it must be from 0 to 2$/,
    );
    assert.throws(() => use({ stageId: [0, 3, 3, 3, 7, 7] }), /row 1: stage 0 does not exist/);
  });

  it("are refused without a finite value", () => {
    const value = [0, 1, 2, Number.NEGATIVE_INFINITY, 4, 5];
    assert.throws(() => use({ value }), /row 4: value is -Infinity; it must be finite/);
  });

  it("are refused with gaps: how many, and the first", () => {
    assert.throws(
      () => use(without(0)),
      /1 values are missing, the first one for stage 3, opening 0, entity 0; every stage needs num_scenarios × 2 values$/,
    );
    assert.throws(
      () => use(without(3, 4, 5)),
      /3 values are missing, the first one for stage 3, opening 1, entity 1;/,
    );
    assert.throws(
      () => use(without(5)),
      /1 values are missing, the first one for stage 7, opening 0, entity 1;/,
    );
  });
});
