/** The small parts of training and simulation, each by itself. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Communicator } from "@cobre/comm";
import { costStatistics, gapPercent, type StageSolves, TrialPoints } from "@cobre/sddp";
import { finiteCost, RankMeasures, stateOfFlow, storageBinding } from "#internal";

describe("trial points", () => {
  const sizes = { columns: Int32Array.of(2, 3), rows: Int32Array.of(4, 1) };

  it("keep costs, states and bases apart", () => {
    const points = new TrialPoints(3, 2, sizes);
    assert.deepEqual([points.stages, points.width, points.basisWidth], [2, 5, 10]);
    assert.deepEqual([points.values.length, points.bases.length], [15, 30]);
    const offsets = [0, 1, 2].flatMap((pass) => [0, 1].map((s) => points.stateOffset(pass, s)));
    assert.deepEqual(offsets, [1, 3, 6, 8, 11, 13]);
    for (const pass of [0, 1, 2]) points.setCost(pass, 100 + pass);
    assert.deepEqual(
      [0, 1, 2].map((pass) => points.cost(pass)),
      [100, 101, 102],
    );
    assert.deepEqual(
      [...points.values].filter((value) => value !== 0),
      [100, 101, 102],
    );
    let next = 1;
    for (const pass of [0, 1, 2]) {
      for (const stage of [0, 1]) {
        const columns = new Uint8Array(sizes.columns[stage]).map(() => next++);
        const rows = new Uint8Array(sizes.rows[stage]).map(() => next++);
        points.setBasis(pass, stage, { columns, rows });
      }
    }
    assert.deepEqual(
      [...points.bases],
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
    const { columns, rows } = points.basis(1, 1);
    assert.deepEqual([[...columns], [...rows]], [[17, 18, 19], [20]]);
  });

  it("can take bases that are there already", () => {
    const bases = new Uint8Array(10).fill(7);
    assert.equal(new TrialPoints(1, 2, sizes, bases).bases, bases);
  });
});

describe("costs", () => {
  it("have a gap in percent of their mean, or of 1", () => {
    assert.equal(gapPercent({ lowerBound: 75, upperBoundMean: 100 }, true), 25);
    assert.equal(gapPercent({ lowerBound: 0.25, upperBoundMean: 0.5 }, true), 25);
    assert.equal(gapPercent({ lowerBound: 2, upperBoundMean: -4 }, true), -150);
    assert.equal(gapPercent({ lowerBound: 0, upperBoundMean: 4 }, true), undefined);
    assert.equal(gapPercent({ lowerBound: -1, upperBoundMean: 4 }, true), undefined);
    assert.equal(gapPercent({ lowerBound: 1, upperBoundMean: 4 }, false), undefined);
  });

  it("have a mean and a spread", () => {
    const { mean, std, ci95, count } = costStatistics(Float64Array.of(2, 4, 9));
    assert.equal(mean, 5);
    assert.equal(std, Math.sqrt((9 + 1 + 16) / 2));
    assert.equal(ci95, (1.96 * std) / Math.sqrt(3));
    assert.equal(count, 3);
  });

  it("are numbers, or an error that says which is none", () => {
    assert.equal(finiteCost(-3, "it"), -3);
    for (const cost of [Number.NaN, Infinity, -Infinity]) {
      assert.throws(() => finiteCost(cost, "the toll"), /the toll is/);
    }
  });
});

describe("how busy ranks were", () => {
  /** What a rank says of a part of its time and of these solves, of which some were solved at once. */
  const said = (rank: number, exchanging: number, ...solves: readonly [number, number?][]) => {
    const comm = { rank, size: 3 } as Communicator;
    const stages = solves.map(([all, atOnce]) => ({
      solves: all,
      byAttempts: atOnce === undefined ? [] : [atOnce],
    }));
    return new RankMeasures(comm, exchanging, stages as unknown as readonly StageSolves[]);
  };

  it("is told for each, with the solves of all that took more than one attempt", () => {
    const ranks = [said(0, 0.25, [9, 7], [5, 5]), said(1, 1.5, [4, 3]), said(2, -0.5, [2], [3, 3])];
    assert.deepEqual(
      ranks.map(({ mine }) => [...mine]),
      [
        [750, 2, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 1000, 2],
      ],
    );
    const most = ranks[0].mine.map((_, i) => Math.max(...ranks.map(({ mine }) => mine[i])));
    assert.deepEqual(ranks[1].eventOf(7, most), {
      type: "ranks_measured",
      iteration: 7,
      busy: [0.75, 0, 1],
      retriedSolves: 5,
    });
  });
});

describe("codes of results", () => {
  it("a storage is at a bound up to rounding", () => {
    assert.equal(storageBinding(50, 0, 100), 0);
    assert.equal(storageBinding(0, 0, 100), 1);
    assert.equal(storageBinding(0.5e-9, 0, 100), 1);
    assert.equal(storageBinding(2e-9, 0, 100), 0);
    assert.equal(storageBinding(100, 0, 100), 2);
    assert.equal(storageBinding(100 - 0.5e-7, 0, 100), 2);
    assert.equal(storageBinding(100 - 2e-7, 0, 100), 0);
    assert.equal(storageBinding(100 + 1e-3, 0, 100), 2);
    assert.equal(storageBinding(10, 10, 10), 3);
    assert.equal(storageBinding(1000 + 0.5e-6, 1000, 2000), 1);
    assert.equal(storageBinding(1000 + 2e-6, 1000, 2000), 0);
  });

  it("a plant without capacity is out of operation, one at its capacity is saturated", () => {
    assert.equal(stateOfFlow(0, 0), 0);
    assert.equal(stateOfFlow(0, 10), 2);
    assert.equal(stateOfFlow(10, 10), 3);
    assert.equal(stateOfFlow(10 - 0.5e-8, 10), 3);
    assert.equal(stateOfFlow(10 - 2e-8, 10), 2);
    const both = (a: number, b: number, capacityOfB: number) =>
      Math.max(stateOfFlow(a, 0), stateOfFlow(b, capacityOfB));
    assert.equal(both(0, 0, 0), 0);
    assert.equal(both(0, 0, 10), 2, "no capacity one way is not saturated");
    assert.equal(both(0, 10, 10), 3);
    assert.equal(stateOfFlow(5, Infinity), 2);
  });
});
