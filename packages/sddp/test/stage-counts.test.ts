/** What is counted about the program of a stage. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SolvePhase } from "@cobre/sddp";
import {
  coefficientRanges,
  ProgramBuilder,
  SolveStatistics,
  type StageProblem,
  stagesOfNodes,
} from "#internal";

describe("the solves of a stage are counted", () => {
  const unprepared = { basesOffered: 0, basisMs: 0, boundsMs: 0 };

  it("phase by phase, by attempts, since the last time", () => {
    const statistics = new SolveStatistics(4);
    assert.deepEqual(statistics.take(), []);
    statistics.add("backward", 1, 10, 0.5);
    statistics.add("backward", 3, 20, 0.25, { basesOffered: 1, basisMs: 3, boundsMs: 5 });
    statistics.add("backward", 3, 30, 1, { basesOffered: 0, basisMs: 0.5, boundsMs: 1 });
    statistics.add("forward", 1, 7, 2);
    assert.deepEqual(statistics.take(), [
      {
        ...{ phase: "forward", stage: 4, solves: 1, byAttempts: [1], simplexIterations: 7, ms: 2 },
        ...unprepared,
      },
      {
        phase: "backward",
        stage: 4,
        solves: 3,
        byAttempts: [1, 0, 2],
        simplexIterations: 60,
        ms: 1.75,
        basesOffered: 1,
        basisMs: 3.5,
        boundsMs: 6,
      },
    ]);
    assert.deepEqual(statistics.take(), []);
    statistics.add("simulation", 2, 1, 1);
    assert.deepEqual(statistics.take(), [
      {
        ...{ phase: "simulation", stage: 4, solves: 1, byAttempts: [0, 1], simplexIterations: 1 },
        ...{ ms: 1, ...unprepared },
      },
    ]);
  });
});

describe("the solves of the nodes of a stage", () => {
  it("are counted together, phase by phase", () => {
    const counts = (phase: SolvePhase, stage: number, byAttempts: number[], times: number) => ({
      phase,
      stage,
      solves: byAttempts.reduce((sum, count) => sum + count, 0),
      byAttempts,
      simplexIterations: 10 * times,
      ms: times,
      basesOffered: 2 * times,
      basisMs: 3 * times,
      boundsMs: 4 * times,
    });
    const ofNodes = [
      counts("forward", 0, [3], 1),
      counts("forward", 1, [2, 1], 2),
      counts("backward", 1, [4], 3),
      counts("forward", 1, [5], 4),
      counts("forward", 1, [1, 0, 6], 5),
    ];
    assert.deepEqual(stagesOfNodes(ofNodes), [
      counts("forward", 0, [3], 1),
      counts("forward", 1, [8, 1, 6], 11),
      counts("backward", 1, [4], 3),
    ]);
  });
});

describe("the ranges of coefficients", () => {
  const ranges = (build: (lp: ProgramBuilder) => void) => {
    const lp = new ProgramBuilder();
    build(lp);
    return coefficientRanges({ stage: 2, lp: lp.build() } as StageProblem);
  };

  it("are those of the finite numbers other than 0, without their signs", () => {
    const found = ranges((lp) => {
      lp.family("x", {
        labels: ["a", "b", "c"],
        cost: (i) => [-5, 0, 3][i],
        lower: (i) => [-40, 0, 2][i],
        upper: (i) => [Infinity, 8, 9][i],
      });
      lp.row("r", -Infinity, 70, [
        [0, -0.5],
        [2, 6],
      ]);
      lp.row("s", -90, 0, [[1, 2]]);
    });
    assert.deepEqual(found, {
      stage: 2,
      columns: 3,
      rows: 2,
      nonzeros: 3,
      matrix: { min: 0.5, max: 6 },
      objective: { min: 3, max: 5 },
      bounds: { min: 2, max: 40 },
      rightHandSides: { min: 70, max: 90 },
    });
  });

  it("are not there without any such number", () => {
    const found = ranges((lp) => {
      lp.family("x", { labels: ["a"] });
      lp.row("r", 0, Infinity, []);
    });
    const { matrix, objective, bounds, rightHandSides } = found;
    assert.deepEqual([matrix, objective, bounds, rightHandSides], Array(4).fill(undefined));
  });
});
